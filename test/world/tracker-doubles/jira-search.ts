// What a search of Jira finds, and in which order. To Data Center `id` is another name of the key: `id > N` finds what
// lies behind issue N in its own project, and nothing at all where N is not there.
import { current, type TrackedIssue, type TrackerCompany } from '../company/tracker-company.ts';
import type { DoubleAnswer } from '../host-doubles/host-double.ts';
import { historyOf, issueOf, type JiraFlavour } from './jira-records.ts';

const PAGE = 40;
/** The search engine of newer Data Centers looks no further. */
const FURTHEST = 10_000;
const MINUTE_MS = 60_000;

interface Search {
  readonly jql: string;
  readonly fields: readonly string[];
  readonly maxResults: number;
  readonly nextPageToken?: string;
  readonly startAt?: number;
}

const SHAPE =
  /^(?:project in \([^)]*\) AND )?updated >= -(\d+)m(?: AND updated <= -(\d+)m)?(?: AND id > (\d+))? ORDER BY (id ASC|updated DESC, key DESC)$/;

type Compare = (a: TrackedIssue, b: TrackedIssue) => number;

const placeOf = (issue: TrackedIssue) => {
  const [project = '', number = ''] = current(issue, 'key').split('-');
  return { project, number: Number(number) };
};
const byId: Compare = (a, b) => a.id - b.id;
const byKey: Compare = (a, b) => {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one.project !== other.project) return one.project < other.project ? -1 : 1;
  return one.number - other.number;
};
const byNewestChange: Compare = (a, b) => {
  if (a.updatedAt === b.updatedAt) return byKey(b, a);
  return a.updatedAt < b.updatedAt ? 1 : -1;
};

function find({ jql }: Pick<Search, 'jql'>, company: TrackerCompany, isCloud: boolean, now: Date) {
  const one = /^id = (\d+)$/.exec(jql);
  if (one !== null) return company.issues.filter(({ id }) => id === Number(one[1]));
  const shape = SHAPE.exec(jql);
  if (shape === null) throw new Error(`JQL that is not understood here: ${jql}`);
  const [, since, until, after, order] = shape;
  const minutesAgo = (minutes: string): number => now.getTime() - Number(minutes) * MINUTE_MS;
  const last = company.issues.find(({ id }) => id === Number(after));
  const isBehind = (issue: TrackedIssue): boolean =>
    last !== undefined && placeOf(issue).project === placeOf(last).project && byKey(issue, last) > 0;
  return company.issues
    .filter((issue) => {
      const updated = Date.parse(issue.updatedAt);
      if (updated < minutesAgo(since!) || (until !== undefined && updated > minutesAgo(until))) return false;
      return after === undefined || (isCloud ? issue.id > Number(after) : isBehind(issue));
    })
    .sort(order === 'id ASC' ? (isCloud ? byId : byKey) : byNewestChange);
}

export function search(wanted: Search, company: TrackerCompany, flavour: JiraFlavour, now: Date): DoubleAnswer {
  const all = find(wanted, company, flavour.isCloud, now);
  const start = Number(wanted.nextPageToken ?? wanted.startAt ?? 0);
  const most = Math.min(PAGE, wanted.maxResults);
  if (start + most > FURTHEST) return { status: 500, body: { errorMessages: ['Result window is too large'] } };
  const page = all.slice(start, start + most);
  const shown = page.map((issue) => {
    const { fields, ...rest } = issueOf(issue, company, flavour);
    return {
      ...rest,
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.fields.includes(name))),
    };
  });
  const end = start + page.length;
  const isLast = end >= all.length;
  if (flavour.isCloud) return { body: { issues: shown, isLast, ...(isLast ? {} : { nextPageToken: String(end) }) } };
  const withHistory = (issue: TrackedIssue, index: number) => ({
    ...shown[index],
    changelog: {
      startAt: 0,
      maxResults: issue.changes.length,
      total: issue.changes.length,
      histories: issue.changes.map((change) => historyOf(change, flavour)),
    },
  });
  return { body: { startAt: start, maxResults: PAGE, total: all.length, issues: page.map(withHistory) } };
}
