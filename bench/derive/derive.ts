// How long it takes to work out what follows from the records of a large company, and which statements take it.
//
//   npm run bench:derive -- --data FOLDER [--entity local] [--issues 100000] [--top 8]
//
// FOLDER is of `strata import`, with one or more whole histories and nothing else. The first run adds records to them: of
// every three commits of the default branches one pull request with a review and a landing, issues that they name with a
// history and sprints. Then it runs the jobs that follow a repo's import, each twice: with all of it new, and with nothing new.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Account } from '../../src/domain/people/account.ts';
import type { CollectedPullRequest } from '../../src/domain/reviews/pull-request.ts';
import type { CollectedIssue, IssueChange } from '../../src/domain/work/issue.ts';
import { deriveReviews } from '../../src/jobs/collect/derive-reviews.ts';
import { deriveDelivery } from '../../src/jobs/derive-delivery.ts';
import { deriveTraits } from '../../src/jobs/derive-traits.ts';
import type { JobContext, JobParts } from '../../src/jobs/task.ts';
import { silentLog } from '../../src/kit/log.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import type { KnownAccounts } from '../../src/storage/people/host-accounts.ts';
import { storePullRequests } from '../../src/storage/reviews/pull-requests.ts';
import { storeIssues, storeSprints, storeStatuses } from '../../src/storage/work/issues.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    entity: { type: 'string', default: 'local' },
    issues: { type: 'string', default: '100000' },
    top: { type: 'string', default: '8' },
  },
});
if (values.data === undefined) throw new Error('usage: bench/derive/derive.ts --data FOLDER [--issues N]');
const ISSUES = Number(values.issues);
const TOP = Number(values.top);
const COMMITS_PER_PULL = 3;
const PAGE = 500;
const SPRINT_DAYS = 14;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const iso = (at: number): string => new Date(at).toISOString();

interface Spent {
  calls: number;
  milliseconds: number;
}

/** By the text of the statement. */
const spent = new Map<string, Spent>();

function watchStatements({ pool }: Store): void {
  const watched = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]): unknown => {
      const [first] = args;
      const last = args.at(-1);
      const text = typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? '');
      const startedAt = performance.now();
      const note = (): void => {
        const entry = spent.get(text) ?? { calls: 0, milliseconds: 0 };
        entry.calls += 1;
        entry.milliseconds += performance.now() - startedAt;
        spent.set(text, entry);
      };
      // A pool sends its own queries with a callback.
      if (typeof last === 'function') {
        return send(...args.slice(0, -1), (...answer: unknown[]) => {
          note();
          last(...answer);
        });
      }
      const answer = send(...args);
      if (answer instanceof Promise) answer.then(note, note);
      return answer;
    };
    Object.assign(client, { query });
  });
}

async function timed(name: string, act: () => Promise<void>): Promise<void> {
  spent.clear();
  const startedAt = performance.now();
  let failure: unknown;
  await act().catch((error: unknown) => {
    failure = error;
  });
  console.log(
    `${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s${failure === undefined ? '' : `, failed: ${String(failure)}`}`,
  );
  const statements = [...spent].sort(([, a], [, b]) => b.milliseconds - a.milliseconds).slice(0, TOP);
  for (const [text, { calls, milliseconds }] of statements) {
    if (milliseconds < 100) continue;
    console.log(
      `  ${(milliseconds / 1000).toFixed(2).padStart(7)} s ${String(calls).padStart(5)} × ${text.replace(/\s+/g, ' ').trim().slice(0, 150)}`,
    );
  }
}

interface StoredCommit {
  readonly sha: string;
  readonly authored_at: number;
  readonly committed_at: number;
  readonly author_id: number;
}

const accountOf = (committerId: number): Account => ({
  external_id: String(committerId),
  kind: 'user',
  login: `person-${committerId}`,
  name: null,
  email: null,
  commit_emails: [],
});

async function addRecords({ db }: Store, entityId: number): Promise<void> {
  const { rows: people } = await sql<{ id: number }>`
    select id from committers where entity_id = ${entityId} and root_committer_id = id`.execute(db);
  const known: KnownAccounts = new Map(
    people.map(({ id }) => [String(id), { account_id: id, committer_id: id, is_bot: false }]),
  );
  const now = new Date();
  const { rows: trackers } = await sql<{ id: number }>`
    insert into trackers (entity_id, kind, host_key, name) values (${entityId}, 'jira', 'bench', 'Bench') returning id`.execute(
    db,
  );
  const tracker = { entityId, trackerId: trackers[0]!.id, kind: 'jira' as const };
  await storeStatuses(db, tracker, [
    { external_id: '1', name: 'To do', category: 'new' },
    { external_id: '2', name: 'In progress', category: 'in_progress' },
    { external_id: '3', name: 'Done', category: 'done' },
  ]);
  const { rows: repos } = await sql<{ id: number }>`
    select id from repos where entity_id = ${entityId} order by id`.execute(db);
  const spans: { opened: number; resolved: number; assignee: number }[] = [];
  for (const { id: repoId } of repos) {
    const { rows: commits } = await sql<StoredCommit>`
      select encode(c.sha, 'hex') as sha, extract(epoch from c.authored_at)::float8 * 1000 as authored_at,
        extract(epoch from c.committed_at)::float8 * 1000 as committed_at, p.root_committer_id as author_id
      from commits c join committers p on p.entity_id = c.entity_id and p.id = c.author_id
      where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.on_default_branch and not c.is_merge
      order by c.committed_at, c.id`.execute(db);
    const requests: CollectedPullRequest[] = [];
    for (let from = 0; from + COMMITS_PER_PULL <= commits.length; from += COMMITS_PER_PULL) {
      const own = commits.slice(from, from + COMMITS_PER_PULL);
      const number = from / COMMITS_PER_PULL + 1;
      const opened = own[0]!.authored_at - HOUR;
      const merged = own.at(-1)!.committed_at + HOUR;
      const issue = (spans.length % ISSUES) + 1;
      spans.push({ opened: opened - 3 * DAY, resolved: merged, assignee: own[0]!.author_id });
      requests.push({
        external_id: `${repoId}-${number}`,
        number,
        title: `PROJ-${issue} Change of ${number}`,
        url: null,
        branch_name: `change-${number}`,
        base_branch: 'main',
        head_sha: own.at(-1)!.sha,
        is_draft: false,
        created_at: iso(opened),
        updated_at: iso(merged),
        opened_at: iso(opened),
        closed_at: iso(merged),
        merged_at: iso(merged),
        merge_sha: own.at(-1)!.sha,
        squash_sha: null,
        merge_method: 'rebase',
        author: accountOf(own[0]!.author_id),
        merged_by: accountOf(own.at(-1)!.author_id),
        assignees: [],
        labels: [],
        closes_keys: [],
        fingerprint: '',
        children: {
          commits: own.map(({ sha, authored_at }) => ({ sha, authored_at: iso(authored_at), author: null })),
          reviews: [
            {
              external_id: `r${number}`,
              reviewer: accountOf(people[number % people.length]!.id),
              state: 'approved',
              submitted_at: iso(opened + HOUR / 2),
              commit_sha: null,
            },
          ],
          events: [],
          threads: null,
          comments: null,
          incomplete_detail: null,
        },
      });
    }
    for (let at = 0; at < requests.length; at += PAGE) {
      const page = requests.slice(at, at + PAGE);
      await db.transaction().execute((trx) => storePullRequests(trx, { entityId, repoId }, page, known, now));
    }
    console.log(`repo ${repoId}: ${requests.length} pull requests`);
  }
  const issues = spans.slice(0, ISSUES);
  const first = Math.min(...issues.map(({ opened }) => opened));
  const sprintOf = (at: number): number => Math.floor((at - first) / (SPRINT_DAYS * DAY));
  const last = Math.max(...issues.map(({ resolved }) => sprintOf(resolved)));
  await storeSprints(
    db,
    tracker,
    Array.from({ length: last + 1 }, (_, index) => ({
      external_id: String(index),
      board_id: 'b',
      name: `Sprint ${index}`,
      state: 'closed' as const,
      starts_at: iso(first + index * SPRINT_DAYS * DAY),
      ends_at: iso(first + (index + 1) * SPRINT_DAYS * DAY),
      completed_at: iso(first + (index + 1) * SPRINT_DAYS * DAY),
    })),
  );
  for (let at = 0; at < issues.length; at += PAGE) {
    const page = issues.slice(at, at + PAGE).map((span, place) => makeIssue(at + place + 1, span, sprintOf));
    await db.transaction().execute((trx) => storeIssues(trx, tracker, page, known, { bugTypes: ['Bug'], now }));
  }
  console.log(`${issues.length} issues, ${last + 1} sprints`);
}

function makeIssue(
  number: number,
  { opened, resolved, assignee }: { opened: number; resolved: number; assignee: number },
  sprintOf: (at: number) => number,
): CollectedIssue {
  const change = (field: IssueChange['field'], at: number, before: string | null, after: string): IssueChange => ({
    external_id: `${field}-${at}`,
    field,
    changed_at: iso(at),
    author: accountOf(assignee),
    before,
    after,
  });
  const end = Math.max(resolved, opened + 2 * HOUR);
  return {
    external_id: String(number),
    key: `PROJ-${number}`,
    title: `Issue ${number}`,
    type: number % 4 === 0 ? 'Bug' : 'Story',
    is_epic: false,
    is_subtask: false,
    status: 'Done',
    status_category: 'done',
    priority: null,
    url: null,
    project_name: 'Project',
    board_id: 'b',
    labels: [],
    assignee: accountOf(assignee),
    created_by: accountOf(assignee),
    epic_key: null,
    parent_external_id: null,
    story_points: number % 3 === 0 ? null : (number % 5) + 1,
    opened_at: iso(opened),
    updated_at: iso(end),
    started_at: null,
    resolved_at: iso(end),
    deleted_at: null,
    changes: [
      change('status', opened, null, '1'),
      change('sprint', opened + HOUR, null, String(sprintOf(opened))),
      change('status', opened + HOUR, '1', '2'),
      change('status', end, '2', '3'),
    ],
  };
}

const database = await startEmbedded({ dataDir: values.data });
const store = await openStore({ databaseUrl: database.databaseUrl });
try {
  const { rows: entities } = await sql<{ id: number }>`select id from entities where slug = ${values.entity}`.execute(
    store.db,
  );
  const entity_id = entities[0]!.id;
  const { rows: stored } = await sql<{ count: number }>`
    select count(*)::int as count from pull_requests where entity_id = ${entity_id}`.execute(store.db);
  if (stored[0]!.count === 0) await addRecords(store, entity_id);
  watchStatements(store);
  const { rows: repos } = await sql<{ id: number }>`
    select id from repos where entity_id = ${entity_id} order by id`.execute(store.db);
  const parts = { store, now: () => new Date() } as JobParts;
  const job = { log: silentLog } as JobContext;
  for (const round of ['all new', 'nothing new']) {
    console.log(`\n${round}`);
    for (const { id: repo_id } of repos) {
      await timed(`derive_reviews of repo ${repo_id}`, () => deriveReviews.run({ entity_id, repo_id }, job, parts));
    }
    for (const { id: repo_id } of repos) {
      await timed(`derive_delivery of repo ${repo_id}`, () => deriveDelivery.run({ entity_id, repo_id }, job, parts));
    }
    await timed('derive_traits', () => deriveTraits.run({ entity_id }, job, parts));
  }
} finally {
  await store.close();
  await database.stop();
}
