// Epics of a group, of those below it and of those above it, which Premium and Ultimate have. They lie across projects, so they
// are issues of the host.
import { needTime, readTime } from '../../../../domain/collect/read-time.ts';
import { OVERLAP_MINUTES, type Stream } from '../../../../domain/collect/stream.ts';
import type { CollectedIssue } from '../../../../domain/work/issue.ts';
import type { AccountReader } from '../accounts.ts';
import { epics as epicList, type GitlabEpic } from '../collect-answers.ts';
import type { GitlabCollectClient } from '../collect-client.ts';
import { timedList } from '../timed-list.ts';

export const epics: Stream<GitlabCollectClient> = {
  name: 'epics',
  scope: 'organization',
  order: 'oldest_first',
  resource: 'api',
  priority: 2,
  everyMinutes: 60,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'read_api, and GitLab Premium or Ultimate', brings: 'epics' },
  async page(request) {
    const { client, scope, signal } = request;
    const { items, page } = await timedList(request, {
      name: 'epics',
      of: 'groups',
      order: 'oldest_first',
      values: { state: 'all', include_ancestor_groups: 'true', include_descendant_groups: 'true' },
      items: epicList,
    });
    // The namespace of a person may have the number of a group elsewhere.
    const own = items.filter(({ references }) => isWithin(groupOf(references.full), scope.path));
    const issues = await client.withFlags(() => own.map((epic) => normaliseEpic(epic, client.accounts)), signal);
    return { ...page, collected: { issues } };
  },
};

/** `works/tools&4` → `works/tools`. */
const groupOf = (reference: string): string => reference.replace(/&\d+$/, '');

function isWithin(group: string, path: string): boolean {
  const [a, b] = [group, path].map((each) => `${each.toLowerCase()}/`) as [string, string];
  return a.startsWith(b) || b.startsWith(a);
}

function normaliseEpic(epic: GitlabEpic, accounts: Pick<AccountReader, 'user'>): CollectedIssue {
  const isClosed = epic.state === 'closed';
  return {
    external_id: `epic:${epic.id}`,
    key: epic.references.full,
    title: epic.title,
    type: 'Epic',
    is_epic: true,
    is_subtask: false,
    status: epic.state,
    status_category: isClosed ? 'done' : 'new',
    priority: null,
    url: epic.web_url ?? null,
    project_name: groupOf(epic.references.full),
    board_id: null,
    labels: epic.labels,
    assignee: null,
    created_by: accounts.user(epic.author),
    epic_key: null,
    parent_external_id: null,
    story_points: null,
    opened_at: needTime(epic.created_at, 'an epic'),
    updated_at: needTime(epic.updated_at, 'an epic'),
    started_at: null,
    resolved_at: isClosed ? readTime(epic.closed_at) : null,
    deleted_at: null,
    changes: null,
  };
}
