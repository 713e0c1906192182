// What holds for every host: a company that was provisioned, listed, imported and collected stands in the tables as its own
// records say, as far as the host can tell them. A quota that ends in the middle changes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, CompanyRepo, Person } from '../../world/company/company.ts';
import type { CompanyDouble } from '../../world/company-hosts/company-host.ts';
import type { CompanyHost } from '../../world/company-hosts/hosts.ts';
import { type CompanyKit, createCompanyKit } from '../company-kit.ts';
import { commentRows, deliveryRows, pullRows, reviewRows, seconds, sortRows } from './rows.ts';

export interface HostTests<D extends CompanyDouble> {
  readonly kit: CompanyKit<D>;
  /** Of the whole collecting. */
  readonly calls: number;
  readonly company: Company;
  readonly repo: CompanyRepo;
}

export const COLLECTED_AT = new Date('2026-11-10T10:00:00Z');

/** `further` has the tests of the one host; it gets the kit when they run. */
export function describeHost<D extends CompanyDouble>(
  host: CompanyHost<D>,
  company: Company,
  further: (of: HostTests<D>) => void,
): void {
  const { tells, spent } = host;
  const repo = company.repos[0]!;
  const { pulls } = repo;
  const loginOf = (person: Person | null) => (person === null ? null : tells.login(person));
  const state: { kit?: CompanyKit<D>; calls: number; waited: number } = { calls: 0, waited: 0 };
  const of: HostTests<D> = {
    get kit() {
      return state.kit!;
    },
    get calls() {
      return state.calls;
    },
    company,
    repo,
  };

  describe(host.name, () => {
    beforeAll(async () => {
      const kit = await createCompanyKit(company, host, { clock: COLLECTED_AT });
      state.kit = kit;
      kit.double.instead = ({ path }) => {
        if (!spent.path.test(path) || state.waited > 0) return null;
        state.waited = kit.clock.getTime();
        return spent.answer;
      };
      state.calls = await kit.collectAll();
      await kit.derive();
    }, 120_000);
    afterAll(() => state.kit?.close());

    test('pull requests come with their times, states and landing commits', async () => {
      expect(await pullRows(of.kit)).toEqual(
        pulls.map((pull) => ({
          number: pull.number,
          title: pull.title,
          is_draft: pull.isDraft,
          opened_at: seconds(tells.openedAt(pull)),
          closed_at: seconds(pull.closedAt),
          merged_at: seconds(pull.mergedAt),
          head_sha: pull.commits.at(-1)!.sha,
          merge_sha: pull.mergedAt === null ? null : tells.landing(pull),
          squash_sha: tells.method(pull) === 'squash' ? pull.mergeSha : null,
          merge_method: tells.method(pull),
          labels: tells.hasLabels ? pull.labels : [],
          closes_keys: pull.closes.flatMap((number) => tells.closedKey(number, company) ?? []),
          author: loginOf(pull.author),
          merger: loginOf(pull.mergedBy),
          assignees: tells.hasAssignees ? pull.assignees.length : 0,
          commits: pull.commits.map(({ sha }) => sha),
          incomplete_detail: null,
        })),
      );
    });

    test('reviews come as far as the host knows them', async () => {
      const expected = pulls.flatMap((pull) =>
        tells.reviews(pull).map(({ state: is, at, by }) => ({
          number: pull.number,
          state: is,
          at: seconds(at),
          by: loginOf(by),
        })),
      );
      expect(await reviewRows(of.kit)).toEqual(sortRows(expected));
    });

    test('comments come with place, commit, thread and resolution', async () => {
      expect(await commentRows(of.kit)).toEqual(
        sortRows(
          pulls.flatMap((pull) =>
            pull.comments.map((comment) => {
              const { id, by, at, place, answers, body } = comment;
              return {
                number: pull.number,
                id: tells.commentId(pull, comment),
                by: loginOf(by),
                at: seconds(at),
                body,
                path: place?.path ?? null,
                line: place?.line ?? null,
                side: place === null ? null : tells.side(place.line),
                commit_sha: place === null || !tells.hasCommentCommit ? null : pull.commits.at(-1)!.sha,
                thread_size:
                  place === null && !tells.hasConversationThreads
                    ? 0
                    : pull.comments.filter((other) => (other.answers ?? other.id) === (answers ?? id)).length,
                is_resolved: pull.resolved.has(answers ?? id),
                is_review_comment: place !== null,
              };
            }),
          ),
        ),
      );
    });

    test('what happened to pull requests comes, with its kind', async () => {
      const rows = await of.kit.query('select kind, count(*)::int as n from pull_request_events group by 1 order by 1');
      const count = (wanted: string) =>
        wanted === 'merged'
          ? pulls.filter(({ mergedAt }) => mergedAt !== null).length
          : pulls.flatMap(({ events }) => events).filter(({ kind }) => kind === wanted).length;
      const kinds = tells.events.filter((kind) => count(kind) > 0);
      expect(rows).toEqual(kinds.map((kind) => ({ kind, n: count(kind) })));
    });

    test('deployments, runs and teams come, where the host has them', async () => {
      expect(await deliveryRows(of.kit)).toEqual({
        deployments: (tells.hasDeployments ? repo.deployments : []).map(
          ({ sha, environment, state: is, finishedAt }) => ({
            sha,
            environment,
            state: is,
            finished_at: seconds(finishedAt),
          }),
        ),
        runs: (tells.hasRuns ? repo.runs : []).map(({ sha, name, branch, finishedAt }) => ({
          sha,
          name,
          branch,
          finished_at: seconds(finishedAt),
        })),
        teams: tells.teams(company),
      });
    });

    test('a quota that was waited out is no error, and nothing was requested meanwhile', async () => {
      const { body } = await of.kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
      expect((body.repos as unknown[])[0]).toMatchObject({
        pull_request_discovered_count: pulls.length,
        pull_request_processed_count: pulls.length,
        last_pr_discovery_at: expect.any(String),
        last_provider_quota_exceeded_at: new Date(state.waited).toISOString().replace('.000Z', 'Z'),
        error_em: null,
      });
      expect(of.kit.clock.getTime()).toBeGreaterThanOrEqual(state.waited + spent.seconds * 1000);
    });

    further(of);
  });
}
