// A company at GitLab from end to end: the rows are what the company's own records say, as far as GitLab can tell them.
import { expect, test } from 'vitest';
import type { Company } from '../../world/company/company.ts';
import { generateCompany, SMALL_COMPANY } from '../../world/company/generate-company.ts';
import {
  EPICS,
  epicOf,
  epicTimes,
  ITERATIONS,
  iterationOf,
  startGitlabCompany,
  weightOf,
} from '../../world/company-hosts/gitlab-company.ts';
import { GITLAB } from '../../world/company-hosts/hosts.ts';
import { createCompanyKit } from '../company-kit.ts';
import { COLLECTED_AT, describeHost } from './host-tests.ts';
import { changesSince, seconds } from './rows.ts';

const company = generateCompany(2, SMALL_COMPANY);
/** The group, those below it, and the members of each; and one look at the bot. */
const TEAM_CALLS = 2 + 1 + company.teams.length + 1;

describeHost(GITLAB, company, (of) => {
  const { repo } = of;
  const { pulls } = repo;

  test('a backfill knows how many merge requests there are', async () => {
    const rows = await of.kit.query(
      `select walk_expected from sync_streams where stream = 'pull_requests' and mode = 'backfill'`,
    );
    expect(rows).toEqual([{ walk_expected: pulls.length }]);
  });

  test('a request for review names whom it is for', async () => {
    const subjects = await of.kit.query('select 1 from pull_request_events where subject_id is not null');
    expect(subjects).toHaveLength(
      pulls.flatMap(({ events }) => events).filter(({ kind }) => kind === 'review_requested').length,
    );
    expect(pulls.some(({ author }) => author === null)).toBe(true);
  });

  test('issues come with weights, epics and their history', async () => {
    const rows = await of.kit.query(
      `select i.key, i.type, i.opened_at, i.resolved_at, i.story_points, i.epic_key, t.kind,
         (select json_agg(c.field order by c.field) from issue_changes c where c.issue_id = i.id) as changes
       from issues i join trackers t on t.id = i.tracker_id where not i.is_epic order by i.opened_at`,
    );
    expect(rows).toEqual(
      repo.issues.map((issue) => {
        const isBug = issue.labels.includes('bug');
        const [weight, iteration, epic] = [weightOf(issue), iterationOf(issue), epicOf(issue)];
        const hasHistory = isBug || weight !== null || iteration !== null;
        const assigned = issue.events.filter(({ kind }) => kind === 'assigned').map(() => 'assignee');
        const changes = [
          ...(hasHistory ? assigned : []),
          ...(weight === null ? [] : ['points']),
          ...(iteration === null ? [] : ['sprint']),
          ...(issue.closedAt === null || !hasHistory ? [] : ['status']),
        ];
        return {
          key: `works/repo-1#${issue.number}`,
          type: isBug ? 'Bug' : 'Issue',
          opened_at: seconds(issue.createdAt),
          resolved_at: seconds(issue.closedAt),
          story_points: weight === null ? null : weight * 100,
          epic_key: epic === null ? null : `works&${epic}`,
          kind: 'gitlab',
          changes: changes.length === 0 ? null : changes,
        };
      }),
    );
    const sprints = await of.kit.query<{ external_id: string }>('select external_id from sprints order by starts_at');
    expect(sprints.map(({ external_id }) => Number(external_id))).toEqual(ITERATIONS);
  });

  test('epics of the group are issues, which their issues name', async () => {
    const rows = await of.kit.query(
      `select e.key, e.title, e.type, e.opened_at, e.resolved_at, t.repo_id,
         (select count(*)::int from issues i where i.epic_key = e.key) as issues
       from issues e join trackers t on t.id = e.tracker_id where e.is_epic order by e.key`,
    );
    expect(rows).toEqual(
      EPICS.map((iid) => ({
        key: `works&${iid}`,
        title: `Epic ${iid}`,
        type: 'Epic',
        opened_at: seconds(epicTimes(iid).createdAt),
        resolved_at: seconds(epicTimes(iid).closedAt),
        repo_id: null,
        issues: repo.issues.filter((issue) => epicOf(issue) === iid).length,
      })),
    );
  });

  test('who was assigned when is read from system notes', async () => {
    const rows = await of.kit.query<{ number: number; before: string | null; after: string | null }>(
      `select split_part(i.key, '#', 2)::int as number, c.changed_at, c.before, c.after
       from issue_changes c join issues i on i.id = c.issue_id where c.field = 'assignee' order by c.changed_at, number`,
    );
    const expected = repo.issues
      .filter((issue) => issue.labels.includes('bug') || weightOf(issue) !== null || iterationOf(issue) !== null)
      .flatMap((issue) => {
        const assigned = issue.events.filter(({ kind }) => kind === 'assigned');
        return assigned.map(({ at, of: person }, place) => ({
          number: issue.number,
          changed_at: seconds(at),
          before: place === 0 ? null : String(assigned[place - 1]!.of!.id),
          after: String(person!.id),
        }));
      })
      .sort((a, b) => (a.changed_at! < b.changed_at! ? -1 : a.changed_at! > b.changed_at! ? 1 : a.number - b.number));
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(3);
  });

  test('an account is a bot by the flag of the host, whatever its name', async () => {
    const rows = await of.kit.query<{ login: string }>("select login from host_accounts where kind = 'bot'");
    expect(rows).toEqual([{ login: 'project_1_bot_helper' }]);
  });

  test('each call of the walk is counted once', () => {
    expect(of.calls).toBe(
      of.kit.double.exchanges.filter(({ request }) => /\/projects\/|\/epics$|\/users$/.test(request.path)).length +
        TEAM_CALLS,
    );
  });

  test('the token says when it ends', async () => {
    const [row] = await of.kit.query<{ token_expires_at: string }>('select token_expires_at from provider_connections');
    expect(row!.token_expires_at).toBe('2027-03-01T00:00:00Z');
  });

  test('what a stopped page had complete is stored, and is not read again', async () => {
    const [first, second] = pulls as [(typeof pulls)[number], (typeof pulls)[number]];
    of.kit.clock = new Date(of.kit.clock.getTime() + 3_600_000);
    for (const [index, pull] of [first, second].entries()) {
      pull.title = `Half a page ${index}`;
      pull.updatedAt = new Date(of.kit.clock.getTime() - (index + 1) * 60_000).toISOString();
    }
    const titles = async () => {
      const rows = await of.kit.query<{ title: string }>(
        `select title from pull_requests where title like 'Half a page%' order by title`,
      );
      return rows.map(({ title }) => title);
    };
    const childrenOf = ({ number }: { number: number }, paths: readonly string[]) =>
      paths.filter((path) => path.includes(`/merge_requests/${number}/`));
    of.kit.double.instead = ({ path }) =>
      path.includes(`/merge_requests/${second.number}/`)
        ? { status: 429, headers: { 'retry-after': '60' }, body: { message: 'slow down' } }
        : null;
    await of.kit.collect();
    expect(await titles()).toEqual(['Half a page 0']);
    of.kit.double.instead = null;
    of.kit.clock = new Date(of.kit.clock.getTime() + 120_000);
    const before = of.kit.double.exchanges.length;
    await of.kit.collect();
    expect(await titles()).toEqual(['Half a page 0', 'Half a page 1']);
    const requested = of.kit.double.exchanges.slice(before).map(({ request }) => request.path);
    expect(childrenOf(first, requested)).toEqual([]);
    expect(childrenOf(second, requested).length).toBeGreaterThan(0);
  });

  test('a moved project goes on under its number, and only what changed is fetched again', async () => {
    of.company.organization = 'moved';
    repo.name = 'renamed';
    const pull = pulls.find(({ closedAt, comments }) => closedAt === null && comments.length > 0)!;
    const [gone] = pull.comments.splice(-1, 1);
    const later = await changesSince(of.kit, () => {
      pull.closedAt = new Date(of.kit.clock.getTime() - 60_000).toISOString();
      pull.updatedAt = pull.closedAt;
    });
    const [row] = await of.kit.query<{ closed_at: string }>(
      `select closed_at from pull_requests where number = ${pull.number}`,
    );
    expect(row!.closed_at).toBe(seconds(pull.closedAt));
    expect(await of.kit.query('select id from repos')).toHaveLength(1);
    const deleted = await of.kit.query('select external_id from pull_request_comments where deleted_at is not null');
    expect(deleted).toEqual([{ external_id: String(gone!.id) }]);
    expect(later.filter((path) => path.endsWith('/discussions'))).toHaveLength(1);
  });
});

test('without a paid tier, milestones with both dates are the sprints', async () => {
  const small = generateCompany(7, { repos: 1, pulls: 2, issues: 20, runs: 1, deployments: 1 });
  const host = { ...GITLAB, start: (of: Company) => startGitlabCompany(of, 'free') };
  const free = await createCompanyKit(small, host, { clock: COLLECTED_AT });
  await free.collectAll();
  const sprints = await free.query<{ external_id: string }>('select external_id from sprints order by starts_at');
  expect(sprints.map(({ external_id }) => external_id)).toEqual(ITERATIONS.map((id) => `milestone:${40 + id}`));
  const stays = await free.query<{ key: string; after: string }>(
    `select i.key, c.after from issue_changes c join issues i on i.id = c.issue_id where c.field = 'sprint' order by i.opened_at`,
  );
  const planned = small.repos[0]!.issues.filter((issue) => iterationOf(issue) !== null);
  expect(stays).toEqual(
    planned.map((issue) => ({ key: `works/repo-1#${issue.number}`, after: `milestone:${40 + iterationOf(issue)!}` })),
  );
  // What the tier lacks is tried once.
  const tries = free.double.exchanges.filter(({ request }) => request.path.endsWith('/resource_weight_events'));
  expect(tries).toHaveLength(1);
  const lacking = await free.query<{ stream: string; failure_em: string; detail: string }>(
    'select s.stream, d.failure_em, d.detail from stream_denials d join sync_streams s on s.id = d.stream_id order by 1',
  );
  expect(lacking).toEqual(
    ['epics', 'iterations'].map((stream) => ({
      stream,
      failure_em: 'gone',
      detail: expect.stringContaining('it needs read_api, and GitLab Premium or Ultimate'),
    })),
  );
  await free.close();
});

test('an issue that was moved to another project is no work that is done', async () => {
  const two = generateCompany(8, { repos: 2, pulls: 1, issues: 4, runs: 1, deployments: 1 });
  const [left, right] = [two.repos[0]!.issues[0]!, two.repos[1]!.issues[0]!];
  Object.assign(left, { closedAt: left.updatedAt, movedTo: right.id });
  const kit = await createCompanyKit(two, GITLAB, { clock: COLLECTED_AT });
  await kit.collectAll();
  const gone = await kit.query('select external_id from issues where deleted_at is not null');
  expect(gone).toEqual([{ external_id: String(left.id) }]);
  await kit.close();
});
