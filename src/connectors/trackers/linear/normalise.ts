// Linear's issues and projects in the shapes of the domain. A project is an epic, a cycle a sprint.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Account } from '../../../domain/people/account.ts';
import { pointsText, readPoints, withFirstValues } from '../../../domain/work/first-values.ts';
import type { CollectedIssue, CollectedStatus, IssueChange, StatusCategory } from '../../../domain/work/issue.ts';
import type { LinearEntry, LinearIssue, LinearProject, LinearUser } from './answers.ts';

/** What was cancelled is not done. */
const CATEGORIES: Readonly<Record<string, StatusCategory>> = {
  started: 'in_progress',
  paused: 'in_progress',
  completed: 'done',
};
export const readCategory = (type: string): StatusCategory => CATEGORIES[type] ?? 'new';

export const readState = ({ id, name, type }: LinearIssue['state']): CollectedStatus => ({
  external_id: id,
  name,
  category: readCategory(type),
});

export function readUser(user: LinearUser): Account | null {
  if (user == null) return null;
  return {
    external_id: user.id,
    kind: user.app === true ? 'app' : 'user',
    login: user.displayName ?? null,
    name: user.name ?? null,
    email: user.email ?? null,
    commit_emails: [],
  };
}

export const projectKey = (slugId: string): string => `project/${slugId}`;

export function normaliseIssue(issue: LinearIssue, history: readonly LinearEntry[]): CollectedIssue {
  const labels = issue.labels.nodes.map(({ name }) => name);
  const category = readCategory(issue.state.type);
  const opened_at = needTime(issue.createdAt, 'an issue');
  const points = readPoints(issue.estimate);
  const assignee = readUser(issue.assignee);
  const changes = withFirstValues(history.flatMap(readEntry), opened_at, {
    status: issue.state.id,
    sprint: issue.cycle?.id ?? null,
    points: pointsText(points),
    assignee: assignee?.external_id ?? null,
  });
  const moves = issue.previousIdentifiers.map(
    (key, place): IssueChange => ({
      external_id: `key:${place}`,
      field: 'key',
      // When is not said.
      changed_at: opened_at,
      author: null,
      before: key,
      after: issue.previousIdentifiers[place + 1] ?? issue.identifier,
    }),
  );
  return {
    external_id: issue.id,
    key: issue.identifier,
    title: issue.title,
    type: labels.some((label) => label.toLowerCase() === 'bug') ? 'Bug' : 'Issue',
    is_epic: false,
    is_subtask: issue.parent != null,
    status: issue.state.name,
    status_category: category,
    priority: issue.priorityLabel ?? null,
    url: issue.url ?? null,
    project_name: issue.team.name,
    board_id: issue.team.id,
    labels,
    assignee,
    created_by: readUser(issue.creator),
    epic_key: issue.project == null ? null : projectKey(issue.project.slugId),
    parent_external_id: issue.parent?.id ?? null,
    story_points: points,
    opened_at,
    updated_at: needTime(issue.updatedAt, 'an issue'),
    started_at: readTime(issue.startedAt),
    resolved_at: category === 'done' ? readTime(issue.completedAt) : null,
    deleted_at: issue.trashed === true ? (readTime(issue.archivedAt) ?? needTime(issue.updatedAt, 'an issue')) : null,
    changes: [...changes, ...moves],
  };
}

/** A field that is null before and after has not changed. */
function readEntry(entry: LinearEntry): IssueChange[] {
  const pairs = [
    ['status', entry.fromStateId, entry.toStateId],
    ['sprint', entry.fromCycleId, entry.toCycleId],
    ['points', pointsText(entry.fromEstimate), pointsText(entry.toEstimate)],
    ['assignee', entry.fromAssigneeId, entry.toAssigneeId],
    ['priority', entry.fromPriority?.toString(), entry.toPriority?.toString()],
  ] as const;
  return pairs.flatMap(([field, before, after]): IssueChange[] =>
    before == null && after == null
      ? []
      : [
          {
            external_id: `${entry.id}:${field}`,
            field,
            changed_at: needTime(entry.createdAt, 'a change of an issue'),
            author: readUser(entry.actor),
            before: before ?? null,
            after: after ?? null,
          },
        ],
  );
}

export function normaliseProject(project: LinearProject): CollectedIssue {
  const category = readCategory(project.status.type);
  return {
    external_id: project.id,
    key: projectKey(project.slugId),
    title: project.name,
    type: 'Epic',
    is_epic: true,
    is_subtask: false,
    status: project.status.name,
    status_category: category,
    priority: null,
    url: project.url ?? null,
    project_name: project.name,
    board_id: null,
    labels: [],
    assignee: readUser(project.lead),
    created_by: readUser(project.creator),
    epic_key: null,
    parent_external_id: null,
    story_points: null,
    opened_at: needTime(project.createdAt, 'a project'),
    updated_at: needTime(project.updatedAt, 'a project'),
    started_at: readTime(project.startedAt),
    resolved_at: category === 'done' ? readTime(project.completedAt) : null,
    deleted_at: null,
    changes: null,
  };
}
