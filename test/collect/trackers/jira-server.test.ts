// The walk through the issues of Jira Data Center, page by page: every issue arrives, whatever happens in between.
import { afterEach, expect, test } from 'vitest';
import { createCollectors } from '../../../src/connectors/collect/collectors.ts';
import type { Cursor, Page } from '../../../src/domain/collect/stream.ts';
import type { TrackedIssue, TrackerCompany } from '../../world/company/tracker-company.ts';
import { TRACKER_TOKEN, type TrackerDouble } from '../../world/tracker-doubles/tracker-double.ts';
import { JIRA_SERVER } from '../../world/tracker-doubles/trackers.ts';

const START_MS = Date.UTC(2026, 10, 10, 10);
const MINUTE_MS = 60_000;
const ada = { id: 'a1', name: 'Ada', email: 'ada@example.com' };

let double: TrackerDouble | null = null;
afterEach(() => double?.close());

const issueOf = (id: number, key: string, minutesAgo: number): TrackedIssue => {
  const at = new Date(START_MS - minutesAgo * MINUTE_MS).toISOString();
  return {
    id,
    type: 'Story',
    title: key,
    by: ada,
    createdAt: at,
    updatedAt: at,
    first: { status: 'todo', sprints: [], points: 1, assignee: ada, key },
    changes: [],
    epic: null,
    labels: [],
    priority: 'Medium',
  };
};

/** Made in turn in three projects. */
const issuesOfThree = (count: number, minutesAgo: (index: number) => number): TrackedIssue[] =>
  Array.from({ length: count }, (_, index) =>
    issueOf(100 + index, `${['AAA', 'BBB', 'CCC'][index % 3]}-${Math.floor(index / 3) + 1}`, minutesAgo(index)),
  );

interface Walk {
  readonly since?: Date | null;
  readonly pageSize?: number;
  /** Between two pages. */
  meanwhile?(company: TrackerCompany, page: number): void;
}

/** The titles that arrived; the clock of the site runs on between pages. */
async function walk(issues: TrackedIssue[], { since = null, pageSize = 100, meanwhile }: Walk = {}) {
  const project = { id: 10_001, key: 'AAA', name: 'Payments' };
  const company = { members: [ada], boards: [], sprints: [], issues, project };
  double = await JIRA_SERVER.start(company);
  let clock = new Date(START_MS);
  const now = () => clock;
  double.clock = now;
  const resolve = () => Promise.reject(new Error('no names in tests'));
  const { open } = createCollectors({ allowPrivate: true, requestMilliseconds: 5_000, resolve, now });
  const account = { source: 'tracker', kind: 'jira_server', site_url: double.address, email: null } as const;
  const collector = open({ ...account, token: TRACKER_TOKEN, settings: {} }, { before: () => {}, after: () => {} });
  const scope = { kind: 'tracker', external_id: 'site', path: 'site', settings: {} } as const;
  const found = new Set<string>();
  const pages: Page[] = [];
  let cursor: Cursor | null = null;
  do {
    const request = { scope, cursor, since, until: null, pageSize, isLight: false, keep: () => {} };
    const signal = new AbortController().signal;
    const page: Page = await collector.page('issues', { ...request, changed: async () => new Set(), signal });
    for (const { title } of page.collected.issues ?? []) found.add(title);
    pages.push(page);
    cursor = page.next;
    meanwhile?.(company, pages.length);
    clock = new Date(clock.getTime() + 7_000);
    if (pages.length > 400) throw new Error('the walk does not come to an end');
  } while (cursor !== null);
  expect(double.faults).toEqual([]);
  return { found, pages };
}

const titles = (issues: readonly TrackedIssue[]): string[] => issues.map(({ title }) => title).sort();

test('issues of every project arrive, and the first page says how many there are', async () => {
  const issues = issuesOfThree(300, (index) => 3_000 - index);
  const { found, pages } = await walk(issues);
  expect([...found].sort()).toEqual(titles(issues));
  expect(pages[0]!.expected).toBe(300);
});

test('issues that were changed in one moment arrive, one on a page too', async () => {
  const issues = issuesOfThree(130, () => 500);
  expect((await walk(issues)).found.size).toBe(130);
  await double?.close();
  expect((await walk(issues.slice(0, 20), { pageSize: 1 })).found.size).toBe(20);
});

test('what is deleted, made or changed meanwhile hides nothing', async () => {
  const issues = issuesOfThree(300, (index) => Math.floor((3_000 - index) / 10));
  const stable = issues.filter((_, index) => index % 4 === 0);
  const { found } = await walk([...issues], {
    meanwhile(company, page) {
      // The newest are read first: these are behind the walk.
      const isSeen = ({ updatedAt }: TrackedIssue): boolean =>
        Date.parse(updatedAt) > START_MS - (270 + page * 3) * MINUTE_MS;
      const seen = company.issues.filter((issue) => isSeen(issue) && !stable.includes(issue));
      for (const issue of seen.slice(0, 12)) company.issues.splice(company.issues.indexOf(issue), 1);
      const [changed] = seen.slice(12);
      if (changed !== undefined) changed.updatedAt = new Date(START_MS).toISOString();
      company.issues.push(issueOf(9_000 + page, `NEW-${page}`, 0));
    },
  });
  expect(titles(stable).filter((title) => !found.has(title))).toEqual([]);
});

test('the walk goes on behind the ten thousandth issue', async () => {
  const issues = issuesOfThree(10_050, (index) => index);
  const { found } = await walk(issues);
  expect(found.size).toBe(10_050);
}, 60_000);

test('a look at what changed since reads no more than that', async () => {
  const issues = issuesOfThree(300, (index) => index * 60);
  const { found, pages } = await walk(issues, { since: new Date(START_MS - 600 * MINUTE_MS) });
  expect([...found]).toEqual(expect.arrayContaining(titles(issues.slice(0, 11))));
  expect(pages.length).toBe(1);
});

test('the end of a list that was deleted meanwhile is the end', async () => {
  const { found } = await walk(
    issuesOfThree(42, (index) => index),
    { meanwhile: ({ issues }) => issues.splice(30) },
  );
  expect(found.size).toBe(40);
});

test('a list that ends before its total is not the end of the walk', async () => {
  const issues = issuesOfThree(90, (index) => index);
  const broken = walk(issues, {
    meanwhile() {
      double!.instead = () => ({ body: { startAt: 40, maxResults: 40, total: 90, issues: [] } });
    },
  });
  await expect(broken).rejects.toThrow(/90 issues/);
});
