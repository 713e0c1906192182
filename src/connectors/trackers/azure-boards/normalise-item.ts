// Work items from their revisions. A revision has all values, so each gives the values that held from its time on; what
// held before follows from the revisions before it, whenever they came.
import { needTime } from '../../../domain/collect/read-time.ts';
import type { Account } from '../../../domain/people/account.ts';
import { pointsText, readPoints } from '../../../domain/work/first-values.ts';
import type { CollectedIssue, IssueChange, StatusCategory } from '../../../domain/work/issue.ts';
import type { AzureIdentity, AzureRevision } from './answers.ts';
import { type AzureProcess, stateKey } from './client.ts';

/** By process: Agile, Scrum and Basic, CMMI. */
const POINTS_FIELDS = [
  'Microsoft.VSTS.Scheduling.StoryPoints',
  'Microsoft.VSTS.Scheduling.Effort',
  'Microsoft.VSTS.Scheduling.Size',
];

export const FIELDS = [
  'System.Title',
  'System.WorkItemType',
  'System.State',
  'System.CreatedDate',
  'System.CreatedBy',
  'System.ChangedDate',
  'System.ChangedBy',
  'System.AssignedTo',
  'System.Tags',
  'System.IterationId',
  'System.TeamProject',
  'System.Parent',
  'System.IsDeleted',
  'Microsoft.VSTS.Common.Priority',
];

export const pointsFields = (chosen: readonly string[]): readonly string[] =>
  chosen.length > 0 ? chosen : POINTS_FIELDS;

/** What was cut is not done. */
const CATEGORIES: Readonly<Record<string, StatusCategory>> = {
  Proposed: 'new',
  InProgress: 'in_progress',
  Resolved: 'in_progress',
  Completed: 'done',
  Removed: 'new',
};
export const readCategory = (category: string | undefined): StatusCategory => CATEGORIES[category ?? ''] ?? 'new';

export const statusId = (project: string, type: string, state: string): string => `${project}/${stateKey(type, state)}`;

/** Older versions write a person as text, and some put the name before the address: `Jo Example <jo@example.com>`. */
export function readIdentity(identity: AzureIdentity | null | undefined): Account | null {
  if (identity == null || identity === '') return null;
  const known = typeof identity === 'string' ? { uniqueName: identity } : identity;
  const written = /^(.*?)\s*<([^>]*)>$/.exec(known.uniqueName ?? '');
  const login = written?.[2] ?? known.uniqueName ?? null;
  const name = ('displayName' in known ? known.displayName : null) ?? written?.[1] ?? null;
  const id = 'id' in known ? (known.id ?? known.descriptor) : null;
  const external_id = id ?? login ?? name ?? '';
  if (external_id === '') return null;
  return { external_id, kind: 'user', login, name, email: login?.includes('@') ? login : null, commit_emails: [] };
}

export interface AzureHome {
  readonly site: string;
  readonly process: AzureProcess;
  readonly points: readonly string[];
}

/** The revisions of one work item, in any order; its record is that of the newest. */
export function normaliseItem(revisions: readonly AzureRevision[], home: AzureHome): CollectedIssue {
  const ordered = [...revisions].sort((a, b) => a.rev - b.rev);
  const { id, fields } = ordered.at(-1)!;
  const project = fields['System.TeamProject'] ?? '';
  const type = fields['System.WorkItemType'] ?? '';
  const state = fields['System.State'] ?? '';
  const category = readCategory(home.process.categoryOf.get(stateKey(type, state)));
  const changed = needTime(fields['System.ChangedDate'], 'a revision');
  const parent = fields['System.Parent'];
  return {
    external_id: String(id),
    key: `AB#${id}`,
    title: fields['System.Title'] ?? '',
    type: home.process.bugTypes.has(type) ? 'Bug' : type,
    is_epic: home.process.epicTypes.has(type),
    is_subtask: type === 'Task',
    status: state,
    status_category: category,
    priority: fields['Microsoft.VSTS.Common.Priority']?.toString() ?? null,
    url: `${home.site}/${encodeURIComponent(project)}/_workitems/edit/${id}`,
    project_name: project,
    board_id: project,
    labels: (fields['System.Tags'] ?? '').split(';').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])),
    assignee: readIdentity(fields['System.AssignedTo']),
    created_by: readIdentity(fields['System.CreatedBy']),
    // Found by the parent's type, once both are stored.
    epic_key: null,
    parent_external_id: parent == null ? null : String(parent),
    story_points: pointsOf(fields, home.points),
    opened_at: needTime(fields['System.CreatedDate'] ?? fields['System.ChangedDate'], 'a work item'),
    updated_at: changed,
    started_at: null,
    resolved_at: null,
    deleted_at: fields['System.IsDeleted'] === true ? changed : null,
    changes: ordered.flatMap((revision, place) => changesOf(revision, ordered[place - 1], home)),
  };
}

function pointsOf(fields: AzureRevision['fields'], names: readonly string[]): number | null {
  return names.map((name) => readPoints(fields[name])).find((points) => points !== null) ?? null;
}

type Values = Readonly<Record<'status' | 'sprint' | 'points' | 'assignee', string | null>>;

function valuesOf({ fields }: AzureRevision, { points }: AzureHome): Values {
  const iteration = fields['System.IterationId'];
  return {
    status: statusId(
      fields['System.TeamProject'] ?? '',
      fields['System.WorkItemType'] ?? '',
      fields['System.State'] ?? '',
    ),
    sprint: iteration == null ? null : String(iteration),
    points: pointsText(pointsOf(fields, points)),
    assignee: readIdentity(fields['System.AssignedTo'])?.external_id ?? null,
  };
}

/** Everything of the first revision of a page, whatever it changed: the one before it may have come long ago. */
function changesOf(revision: AzureRevision, previous: AzureRevision | undefined, home: AzureHome): IssueChange[] {
  const after = valuesOf(revision, home);
  const before = previous === undefined || previous.rev !== revision.rev - 1 ? null : valuesOf(previous, home);
  const changed_at = needTime(revision.fields['System.ChangedDate'], 'a revision');
  return (Object.keys(after) as (keyof Values)[]).flatMap((field) =>
    before !== null && before[field] === after[field]
      ? []
      : [
          {
            external_id: `${revision.rev}:${field}`,
            field,
            changed_at,
            author: readIdentity(revision.fields['System.ChangedBy']),
            before: before?.[field] ?? null,
            after: after[field],
          },
        ],
  );
}
