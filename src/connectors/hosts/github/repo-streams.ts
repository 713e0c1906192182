// Comments, issues and their events, by GitHub's lists over a whole repo.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import {
  type Cursor,
  OVERLAP_MINUTES,
  type Page,
  type PageRequest,
  type Stream,
} from '../../../domain/collect/stream.ts';
import type { CollectedComment } from '../../../domain/reviews/pull-request.ts';
import type { ChangesOfIssue, CollectedIssue, IssueChange } from '../../../domain/work/issue.ts';
import { nextLink } from '../../http/next-link.ts';
import { readAnswer } from '../../http/read-answer.ts';
import type { AccountReader } from './accounts.ts';
import {
  type RestIssue,
  restIssueComments,
  restIssueEvents,
  restIssues,
  restReviewComments,
} from './collect-answers.ts';
import type { GithubCollectClient } from './collect-client.ts';

type Request = PageRequest<GithubCollectClient>;

const common = { scope: 'repo', resource: 'core', everyMinutes: 10, overlapMinutes: OVERLAP_MINUTES } as const;
const size = { first: 100, most: 100 };

/**
 * Oldest change first, as a keyset: each page asks for what changed since the last item of the one before. Page numbers
 * would lose what moves to the end meanwhile; the host's own next page serves where a whole page has one time.
 */
async function ascending<T extends { readonly updated_at: string }>(
  request: Request,
  route: string,
  values: Readonly<Record<string, string>>,
  read: (body: unknown) => readonly T[],
): Promise<{ items: readonly T[]; page: Omit<Page, 'collected'> }> {
  const { client, scope, cursor, signal, pageSize } = request;
  const since = typeof cursor?.since === 'string' ? cursor.since : (request.since?.toISOString() ?? null);
  const answer =
    typeof cursor?.link === 'string'
      ? await client.rest.follow(cursor.link, signal)
      : await client.rest.get(
          `/repositories/{repository_id}${route}`,
          {
            repository_id: scope.external_id,
            ...values,
            sort: 'updated',
            direction: 'asc',
            per_page: pageSize,
            ...(since === null ? {} : { since: since.replace(/\.\d+Z$/, 'Z') }),
          },
          signal,
        );
  const items = read(answer.body);
  const times = items.map(({ updated_at }) => Date.parse(updated_at));
  const newest = times.length === 0 ? null : new Date(Math.max(...times));
  const link = nextLink(answer.headers);
  const isMoving =
    newest !== null && (since === null || newest.getTime() > Math.floor(Date.parse(since) / 1000) * 1000);
  const next: Cursor | null = link === null ? null : isMoving ? { since: newest.toISOString() } : { since, link };
  return {
    items,
    page: {
      next,
      itemCount: items.length,
      oldest: times.length === 0 ? null : new Date(Math.min(...times)),
      newest,
    },
  };
}

const lastNumber = (address: string): number => Number(/\/(\d+)(?:[?#].*)?$/.exec(address)?.[1]);

export const reviewComments: Stream<GithubCollectClient> = {
  ...common,
  name: 'review_comments',
  order: 'oldest_first',
  priority: 3,
  pageSize: size,
  right: { needs: 'repo, or Pull requests (read) of a fine-grained token', brings: 'comments on lines of code' },
  async page(request) {
    const { items, page } = await ascending(request, '/pulls/comments', {}, (body) =>
      readAnswer('hostC', restReviewComments, body),
    );
    const comments = items.map(
      (item): CollectedComment => ({
        external_id: `r${item.id}`,
        pull_request_number: lastNumber(item.pull_request_url),
        author: request.client.accounts.user(item.user),
        is_review_comment: true,
        body: item.body,
        path: item.path,
        // The line of today is null once the code has changed.
        line: item.original_line ?? item.line ?? null,
        side: item.side === 'LEFT' ? 'left' : item.side === 'RIGHT' ? 'right' : null,
        commit_sha: item.original_commit_id ?? item.commit_id ?? null,
        thread_id: `r${item.in_reply_to_id ?? item.id}`,
        review_external_id: item.pull_request_review_id == null ? null : String(item.pull_request_review_id),
        created_at: needTime(item.created_at, 'a comment'),
        updated_at: needTime(item.updated_at, 'a comment'),
        resolved_at: null,
        deleted_at: null,
      }),
    );
    return { ...page, collected: { comments } };
  },
};

export const conversationComments: Stream<GithubCollectClient> = {
  ...common,
  name: 'conversation_comments',
  order: 'oldest_first',
  priority: 3,
  pageSize: size,
  right: {
    needs: 'repo, or Issues and Pull requests (read) of a fine-grained token',
    brings: 'comments on pull requests',
  },
  async page(request) {
    const { items, page } = await ascending(request, '/issues/comments', {}, (body) =>
      readAnswer('hostC', restIssueComments, body),
    );
    const comments = items
      // The same list holds those of issues.
      .filter(({ html_url }) => html_url.includes('/pull/'))
      .map(
        (item): CollectedComment => ({
          external_id: `i${item.id}`,
          pull_request_number: lastNumber(item.issue_url),
          author: request.client.accounts.user(item.user),
          is_review_comment: false,
          body: item.body ?? '',
          path: null,
          line: null,
          side: null,
          commit_sha: null,
          thread_id: null,
          review_external_id: null,
          created_at: needTime(item.created_at, 'a comment'),
          updated_at: needTime(item.updated_at, 'a comment'),
          resolved_at: null,
          deleted_at: null,
        }),
      );
    return { ...page, collected: { comments } };
  },
};

export const issues: Stream<GithubCollectClient> = {
  ...common,
  name: 'issues',
  order: 'oldest_first',
  priority: 2,
  pageSize: size,
  right: { needs: 'repo, or Issues (read) of a fine-grained token', brings: 'issues' },
  async page(request) {
    const { items, page } = await ascending(request, '/issues', { state: 'all' }, (body) =>
      readAnswer('hostC', restIssues, body),
    );
    return {
      ...page,
      collected: {
        issues: items
          .filter(({ pull_request }) => pull_request == null)
          .map((item) => normaliseIssue(item, request.client.accounts)),
      },
    };
  },
};

/** `https://api.github.com/repos/owner/name` → `owner/name`. */
const pathOf = (address: string): string => address.split('/').slice(-2).join('/');

export function normaliseIssue(item: RestIssue, accounts: AccountReader): CollectedIssue {
  const labels = item.labels.flatMap((label) => (typeof label === 'string' ? [label] : (label.name ?? [])));
  const isBug = labels.some((label) => label.toLowerCase() === 'bug');
  const type = item.type?.name ?? (isBug ? 'Bug' : 'Issue');
  const isClosed = item.state === 'closed';
  const parent = /\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)$/.exec(item.parent_issue_url ?? '');
  return {
    external_id: String(item.id),
    key: `${pathOf(item.repository_url)}#${item.number}`,
    title: item.title,
    type,
    is_epic: type.toLowerCase() === 'epic',
    is_subtask: false,
    status: item.state_reason == null ? item.state : `${item.state} (${item.state_reason})`,
    status_category: isClosed ? 'done' : 'new',
    priority: null,
    url: item.html_url,
    project_name: pathOf(item.repository_url),
    board_id: null,
    labels,
    assignee: accounts.user(item.assignee),
    created_by: accounts.user(item.user),
    epic_key: parent === null ? null : `${parent[1]}#${parent[2]}`,
    parent_external_id: null,
    story_points: null,
    opened_at: needTime(item.created_at, 'an issue'),
    updated_at: needTime(item.updated_at, 'an issue'),
    started_at: null,
    resolved_at: isClosed && item.state_reason !== 'not_planned' ? readTime(item.closed_at) : null,
    deleted_at: null,
    changes: null,
  };
}

export const issueEvents: Stream<GithubCollectClient> = {
  ...common,
  name: 'issue_events',
  order: 'newest_first',
  priority: 3,
  // An event may be seen before its issue, and is then left out: a day later the issue is there.
  overlapMinutes: 24 * 60,
  after: 'issues',
  pageSize: size,
  right: { needs: 'repo, or Issues (read) of a fine-grained token', brings: 'the history of issues' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const answer =
      typeof cursor?.link === 'string'
        ? await client.rest.follow(cursor.link, signal)
        : await client.rest.get(
            '/repositories/{repository_id}/issues/events',
            { repository_id: scope.external_id, per_page: pageSize },
            signal,
          );
    const items = readAnswer('hostC', restIssueEvents, answer.body);
    const byIssue = new Map<string, IssueChange[]>();
    for (const item of items) {
      if (item.issue == null || item.issue.pull_request != null) continue;
      const change = readChange(item, client.accounts);
      if (change === null) continue;
      const key = String(item.issue.id);
      byIssue.set(key, [...(byIssue.get(key) ?? []), change]);
    }
    const times = items.map(({ created_at }) => Date.parse(created_at));
    const link = nextLink(answer.headers);
    return {
      collected: {
        issue_changes: [...byIssue].map(
          ([issue_external_id, changes]): ChangesOfIssue => ({ issue_external_id, changes }),
        ),
      },
      next: link === null ? null : { link },
      itemCount: items.length,
      oldest: times.length === 0 ? null : new Date(Math.min(...times)),
      newest: times.length === 0 ? null : new Date(Math.max(...times)),
    };
  },
};

type RestEvent = ReturnType<typeof restIssueEvents.parse>[number];

function readChange(item: RestEvent, accounts: AccountReader): IssueChange | null {
  const change = {
    external_id: String(item.id),
    changed_at: needTime(item.created_at, 'an event'),
    author: accounts.user(item.actor),
  };
  const assignee = item.assignee == null ? null : String(item.assignee.id);
  switch (item.event) {
    case 'closed':
      return { ...change, field: 'status', before: 'open', after: 'closed' };
    case 'reopened':
      return { ...change, field: 'status', before: 'closed', after: 'open' };
    case 'assigned':
      return { ...change, field: 'assignee', before: null, after: assignee };
    case 'unassigned':
      return { ...change, field: 'assignee', before: assignee, after: null };
    default:
      return null;
  }
}
