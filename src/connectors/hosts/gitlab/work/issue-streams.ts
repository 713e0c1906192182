// Issues of a project. The history of an issue is fetched where something follows from it: for bugs and for what has a
// weight or a sprint.
import { needTime, readTime } from '../../../../domain/collect/read-time.ts';
import { OVERLAP_MINUTES, type Stream } from '../../../../domain/collect/stream.ts';
import type { CollectedIssue, IssueChange } from '../../../../domain/work/issue.ts';
import { readAnswer } from '../../../http/read-answer.ts';
import type { AccountReader } from '../accounts.ts';
import {
  type GitlabIssue,
  issues as issueList,
  issueNotes,
  iterationEvents,
  milestoneEvents,
  stateEvents,
  weightEvents,
} from '../collect-answers.ts';
import type { GitlabCollectClient } from '../collect-client.ts';
import { timedList } from '../timed-list.ts';
import { readAssignments } from './read-assignments.ts';
import { milestoneSprint } from './sprint-streams.ts';

type Accounts = Pick<AccountReader, 'user'>;

export const STATUSES = [
  { external_id: 'opened', name: 'opened', category: 'new' },
  { external_id: 'closed', name: 'closed', category: 'done' },
] as const;

export const issues: Stream<GitlabCollectClient> = {
  name: 'issues',
  scope: 'repo',
  order: 'oldest_first',
  resource: 'api',
  priority: 2,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  // Up to six further calls for each, which a failure of one costs.
  pageSize: { first: 10, most: 20 },
  right: { needs: 'read_api, and at least the role Reporter', brings: 'issues with weights and their history' },
  async page(request) {
    const { client, scope, signal } = request;
    const { items, page } = await timedList(request, {
      name: 'issues',
      order: 'oldest_first',
      values: { scope: 'all' },
      items: issueList,
    });
    const found: CollectedIssue[] = [];
    for (const item of items) {
      const readChanges = hasHistory(item) ? await fetchChanges(client, scope.external_id, item, signal) : null;
      found.push(
        await client.withFlags(
          () => normaliseIssue(item, readChanges?.(client.accounts) ?? null, client.accounts),
          signal,
        ),
      );
    }
    return { ...page, collected: { issues: found, ...(found.length === 0 ? {} : { statuses: STATUSES }) } };
  },
};

const isBug = ({ labels }: GitlabIssue): boolean => labels.some((label) => label.toLowerCase() === 'bug');
const isPlanned = ({ iteration, milestone }: GitlabIssue): boolean =>
  iteration != null || (milestone?.start_date != null && milestone.due_date != null);
const hasHistory = (issue: GitlabIssue): boolean => isBug(issue) || issue.weight != null || isPlanned(issue);

function normaliseIssue(
  issue: GitlabIssue,
  changes: readonly IssueChange[] | null,
  accounts: Accounts,
): CollectedIssue {
  const type = issue.issue_type ?? 'issue';
  const isClosed = issue.state === 'closed';
  return {
    external_id: String(issue.id),
    key: issue.references.full,
    title: issue.title,
    type: isBug(issue) ? 'Bug' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    is_epic: false,
    is_subtask: type === 'task',
    status: issue.state,
    status_category: isClosed ? 'done' : 'new',
    priority: issue.severity == null || issue.severity === 'UNKNOWN' ? null : issue.severity.toLowerCase(),
    url: issue.web_url ?? null,
    project_name: issue.references.full.replace(/#\d+$/, ''),
    board_id: null,
    labels: issue.labels,
    assignee: accounts.user(issue.assignees?.[0] ?? issue.assignee),
    created_by: accounts.user(issue.author),
    epic_key: epicKey(issue),
    parent_external_id: null,
    story_points: issue.weight ?? null,
    opened_at: needTime(issue.created_at, 'an issue'),
    updated_at: needTime(issue.updated_at, 'an issue'),
    started_at: null,
    resolved_at: isClosed ? readTime(issue.closed_at) : null,
    // Moved to another project: GitLab closes it there and opens another, which is the work from then on.
    deleted_at:
      issue.moved_to_id == null ? null : (readTime(issue.closed_at) ?? needTime(issue.updated_at, 'an issue')),
    changes,
  };
}

/** `/groups/works/-/epics/4` → `works&4`. */
function epicKey({ epic }: GitlabIssue): string | null {
  const group = /^\/groups\/(.+)\/-\/epics\/\d+$/.exec(epic?.url ?? '')?.[1];
  return epic == null || group === undefined ? null : `${group}&${epic.iid}`;
}

/** Read twice where accounts have to be looked up in between. */
async function fetchChanges(
  client: GitlabCollectClient,
  project: string,
  issue: GitlabIssue,
  signal: AbortSignal,
): Promise<(accounts: Accounts) => IssueChange[]> {
  const list = (kind: string) =>
    client.allWhereThere(`/projects/${project}/issues/${issue.iid}/resource_${kind}_events`, `${kind} events`, signal);
  const states = readAnswer('hostD', stateEvents, await list('state'));
  const weights = readAnswer('hostD', weightEvents, await list('weight'));
  const iterations = readAnswer('hostD', iterationEvents, await list('iteration'));
  // Where there are no iterations, milestones with dates are the sprints.
  const milestones = client.lacks('iteration events')
    ? readAnswer('hostD', milestoneEvents, await list('milestone'))
    : [];
  const notes = readAnswer(
    'hostD',
    issueNotes,
    await client.all(`/projects/${project}/issues/${issue.iid}/notes`, signal),
  );
  const people = [issue.author, issue.assignee, ...(issue.assignees ?? []), ...notes.map(({ author }) => author)];
  const ids = new Map(people.flatMap((person) => (person == null ? [] : [[person.username, String(person.id)]])));
  const assignments = await readAssignments(
    notes,
    async (login) => ids.get(login) ?? (await client.accountId(login, signal)),
  );
  return (accounts) => {
    const changeOf = (kind: string, event: { id: number; created_at: string; user?: GitlabIssue['author'] }) => ({
      external_id: `${kind}:${event.id}`,
      changed_at: needTime(event.created_at, 'an event'),
      author: accounts.user(event.user),
    });
    const changes: IssueChange[] = [];
    for (const event of states) {
      const after = event.state === 'closed' ? 'closed' : event.state === 'reopened' ? 'opened' : null;
      if (after === null) continue;
      const before = after === 'closed' ? 'opened' : 'closed';
      changes.push({ ...changeOf('state', event), field: 'status', before, after });
    }
    let weight: string | null = null;
    for (const event of [...weights].sort((a, b) => a.id - b.id)) {
      const after: string | null = event.weight == null ? null : String(event.weight);
      changes.push({ ...changeOf('weight', event), field: 'points', before: weight, after });
      weight = after;
    }
    const addStay = (kind: string, event: (typeof iterations)[number], sprint: string) => {
      const [before, after] = event.action === 'remove' ? [sprint, null] : [null, sprint];
      changes.push({ ...changeOf(kind, event), field: 'sprint', before, after });
    };
    for (const event of iterations)
      if (event.iteration != null) addStay('iteration', event, String(event.iteration.id));
    for (const event of milestones) {
      if (event.milestone != null) addStay('milestone', event, milestoneSprint(event.milestone.id));
    }
    for (const { note, before, after } of assignments) {
      const change = changeOf('note', { id: note.id, created_at: note.created_at, user: note.author });
      changes.push({ ...change, field: 'assignee', before, after });
    }
    return changes.sort((a, b) => Date.parse(a.changed_at) - Date.parse(b.changed_at));
  };
}
