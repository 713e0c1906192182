// The trackers that show a company, one row each: how its double is started and connected, and what it calls things.
import { current, type TrackedIssue, type TrackerCompany } from '../company/tracker-company.ts';
import { startAzureBoards } from './azure-boards.ts';
import { startJira } from './jira.ts';
import { slugOf, startLinear } from './linear.ts';
import { TRACKER_EMAIL, TRACKER_TOKEN, type TrackerDouble } from './tracker-double.ts';

export interface CompanyTracker {
  readonly name: string;
  start(company: TrackerCompany): Promise<TrackerDouble>;
  /** Of the call that connects it. */
  connection(double: TrackerDouble): Readonly<Record<string, unknown>>;
  /** Whether an issue is in one sprint at most, and a sprint ends on its day. */
  readonly isSingle: boolean;
  readonly hasLegacy: boolean;
  /** Whether moved issues keep their former keys. */
  readonly hasFormerKeys: boolean;
  key(issue: TrackedIssue): string;
  type(issue: TrackedIssue): string;
  isSubtask(issue: TrackedIssue): boolean;
  /** Whether it keeps e-mail addresses to itself. */
  readonly hidesEmails: boolean;
}

const jira = (isCloud: boolean): CompanyTracker => ({
  name: isCloud ? 'jira' : 'jira_server',
  start: (company) => startJira(company, { isCloud }),
  connection: ({ address }) => ({
    tracker_em: isCloud ? 'jira' : 'jira_server',
    site_url: address,
    token: TRACKER_TOKEN,
    ...(isCloud ? { email: TRACKER_EMAIL } : {}),
  }),
  isSingle: false,
  hasLegacy: true,
  hasFormerKeys: true,
  key: (issue) => current(issue, 'key'),
  type: ({ type }) => type,
  isSubtask: ({ type }) => type === 'Sub-task',
  hidesEmails: isCloud,
});
export const JIRA = jira(true);
export const JIRA_SERVER = jira(false);

const AZURE_TYPES = { Story: 'User Story', Bug: 'Bug', 'Sub-task': 'Task', Epic: 'Epic' } as const;

export const AZURE_BOARDS: CompanyTracker = {
  name: 'azure_boards',
  start: startAzureBoards,
  connection: ({ address }) => ({ tracker_em: 'azure_boards', site_url: `${address}/acme`, token: TRACKER_TOKEN }),
  isSingle: true,
  hasLegacy: false,
  hasFormerKeys: false,
  key: ({ id }) => `AB#${id}`,
  type: ({ type }) => AZURE_TYPES[type],
  isSubtask: ({ type }) => type === 'Sub-task',
  hidesEmails: false,
};

export const LINEAR: CompanyTracker = {
  name: 'linear',
  start: startLinear,
  connection: ({ address }) => ({ tracker_em: 'linear', site_url: address, token: TRACKER_TOKEN }),
  isSingle: true,
  hasLegacy: false,
  hasFormerKeys: true,
  key: (issue) => (issue.type === 'Epic' ? `project/${slugOf(issue)}` : current(issue, 'key')),
  type: ({ type }) => (type === 'Bug' || type === 'Epic' ? type : 'Issue'),
  isSubtask: () => false,
  hidesEmails: false,
};
