// Stores pull requests as a host reports them, with their commits, reviews, events and threads. An older version than
// the stored one changes nothing; lists are complete, so what is missing from one is gone at the host. Whose account is gone
// there stays who they were here.
import { sql } from 'kysely';
import { cleanText } from '../../domain/collect/clean-text.ts';
import type { Account } from '../../domain/people/account.ts';
import type { CollectedPullRequest } from '../../domain/reviews/pull-request.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';
import { lockReviews, moveEarlyComments, resolveComments, storeComments } from './comments.ts';
import type { ReviewPlace, StoredParent } from './place.ts';
import { markDeletedComments, storeCommits, storeEvents, storeReviews, storeThreads } from './pull-request-children.ts';

/** Of all that the pull requests name. */
export function* accountsOfPullRequests(requests: readonly CollectedPullRequest[]): Generator<Account> {
  for (const { author, merged_by, assignees, children } of requests) {
    yield* named(author, merged_by, ...assignees);
    if (children === null) continue;
    for (const commit of children.commits) yield* named(commit.author);
    for (const review of children.reviews) yield* named(review.reviewer);
    for (const event of children.events) yield* named(event.actor, event.subject);
    for (const comment of children.comments ?? []) yield* named(comment.author);
  }
}

function* named(...accounts: readonly (Account | null)[]): Generator<Account> {
  for (const account of accounts) if (account !== null) yield account;
}

/** How far along a pull request is: at equal times the further one is the newer. */
const rank = (table: string) =>
  sql.raw(`case when ${table}.merged_at is not null then 2 when ${table}.closed_at is not null then 1 else 0 end`);

/** In the caller's transaction. */
export async function storePullRequests(
  db: Database,
  place: ReviewPlace,
  given: readonly CollectedPullRequest[],
  known: KnownAccounts,
  now: Date,
): Promise<void> {
  if (given.length === 0) return;
  await lockReviews(db, place);
  const requests = newestOfEach(given);
  const idOf = (account: Account | null) =>
    account === null ? null : (known.get(account.external_id)?.committer_id ?? null);
  const rows = requests.map((request) => ({
    external_id: request.external_id,
    number: request.number,
    title: cleanText(request.title),
    url: request.url,
    branch_name: cleanText(request.branch_name),
    base_branch: cleanText(request.base_branch),
    head_sha: request.head_sha,
    is_draft: request.is_draft,
    created_at: request.created_at,
    host_updated_at: request.updated_at,
    opened_at: request.opened_at,
    closed_at: request.closed_at,
    merged_at: request.merged_at,
    merge_sha: request.merge_sha,
    squash_sha: request.squash_sha,
    merge_method: request.merge_method,
    author_id: idOf(request.author),
    is_author_bot: request.author !== null && known.get(request.author.external_id)?.is_bot === true,
    merged_by_id: idOf(request.merged_by),
    assignee_ids: request.assignees.map(idOf).filter((id) => id !== null),
    labels: request.labels.map((label) => cleanText(label)),
    closes_keys: request.closes_keys,
  }));
  await sql`
    insert into pull_requests (entity_id, repo_id, external_id, number, title, url, branch_name, base_branch, head_sha,
      is_draft, created_at, host_updated_at, opened_at, closed_at, merged_at, merge_sha, squash_sha, merge_method,
      author_id, is_author_bot, merged_by_id, assignee_ids, labels, closes_keys, last_activity_at, entered_at)
    select ${place.entityId}::bigint, ${place.repoId}::bigint, t.external_id, t.number, t.title, t.url, t.branch_name,
      t.base_branch, decode(t.head_sha, 'hex'), t.is_draft, t.created_at, t.host_updated_at, t.opened_at, t.closed_at,
      t.merged_at, decode(t.merge_sha, 'hex'), decode(t.squash_sha, 'hex'), t.merge_method, t.author_id, t.is_author_bot,
      t.merged_by_id, t.assignee_ids, t.labels, t.closes_keys, t.host_updated_at, ${now.toISOString()}::timestamptz
    from ${rowsOf(rows, {
      external_id: 'text',
      number: 'int',
      title: 'text',
      url: 'text',
      branch_name: 'text',
      base_branch: 'text',
      head_sha: 'text',
      is_draft: 'boolean',
      created_at: 'timestamptz',
      host_updated_at: 'timestamptz',
      opened_at: 'timestamptz',
      closed_at: 'timestamptz',
      merged_at: 'timestamptz',
      merge_sha: 'text',
      squash_sha: 'text',
      merge_method: 'text',
      author_id: 'bigint',
      is_author_bot: 'boolean',
      merged_by_id: 'bigint',
      assignee_ids: 'bigint[]',
      labels: 'text[]',
      closes_keys: 'text[]',
    })}
    on conflict (entity_id, repo_id, number) do update set external_id = excluded.external_id, title = excluded.title,
      url = excluded.url, branch_name = excluded.branch_name, base_branch = excluded.base_branch,
      head_sha = coalesce(excluded.head_sha, pull_requests.head_sha), is_draft = excluded.is_draft,
      created_at = excluded.created_at, host_updated_at = excluded.host_updated_at, opened_at = excluded.opened_at,
      closed_at = excluded.closed_at, merged_at = excluded.merged_at, merge_sha = excluded.merge_sha,
      squash_sha = excluded.squash_sha, merge_method = excluded.merge_method,
      author_id = coalesce(excluded.author_id, pull_requests.author_id),
      is_author_bot = case when excluded.author_id is null then pull_requests.is_author_bot else excluded.is_author_bot end,
      merged_by_id = coalesce(excluded.merged_by_id, pull_requests.merged_by_id),
      assignee_ids = excluded.assignee_ids, labels = excluded.labels, closes_keys = excluded.closes_keys,
      last_activity_at = greatest(pull_requests.last_activity_at, excluded.last_activity_at)
    where pull_requests.host_updated_at is null or excluded.host_updated_at > pull_requests.host_updated_at
      or (excluded.host_updated_at = pull_requests.host_updated_at and ${rank('excluded')} >= ${rank('pull_requests')})`.execute(
    db,
  );
  await storeChildren(db, place, requests, known, now);
}

/** One that the host has deleted. If it is seen again, whatever the host says is newer. */
export async function closeDeletedPullRequest(
  db: Database,
  { entityId, repoId }: ReviewPlace,
  number: number,
  at: Date,
): Promise<void> {
  await sql`
    update pull_requests set closed_at = ${at.toISOString()}::timestamptz, host_updated_at = null, fingerprint = null
    where entity_id = ${entityId} and repo_id = ${repoId} and number = ${number} and closed_at is null`.execute(db);
}

/** A list that changes between two pages may show one twice. */
function newestOfEach(requests: readonly CollectedPullRequest[]): CollectedPullRequest[] {
  const byNumber = new Map<number, CollectedPullRequest>();
  for (const request of requests) {
    const other = byNumber.get(request.number);
    if (other === undefined || Date.parse(other.updated_at) <= Date.parse(request.updated_at)) {
      byNumber.set(request.number, request);
    }
  }
  return [...byNumber.values()];
}

/** Of those whose version is the stored one now: the children of an older version are old as well. */
async function storeChildren(
  db: Database,
  place: ReviewPlace,
  requests: readonly CollectedPullRequest[],
  known: KnownAccounts,
  now: Date,
): Promise<void> {
  const { rows: stored } = await sql<{ id: number; number: number; host_updated_at: string }>`
    select id, number, host_updated_at from pull_requests
    where entity_id = ${place.entityId} and repo_id = ${place.repoId}
      and number = any(${requests.map(({ number }) => number)}::int[])`.execute(db);
  const byNumber = new Map(stored.map((row) => [row.number, row]));
  await moveEarlyComments(
    db,
    place,
    [...byNumber.values()].map(({ id }) => id),
  );
  const parents = requests.flatMap((request): StoredParent[] => {
    const row = byNumber.get(request.number)!;
    const isCurrent = Date.parse(row.host_updated_at) === Date.parse(request.updated_at);
    return request.children === null || !isCurrent ? [] : [{ id: row.id, request, children: request.children }];
  });
  if (parents.length === 0) return;
  const target = { ...place, now };
  await storeCommits(db, target, parents);
  await storeReviews(db, target, parents, known);
  await storeEvents(db, target, parents, known);
  await storeThreads(db, target, parents);
  const comments = parents.flatMap(({ children }) => children.comments ?? []);
  await storeComments(db, place, comments, known);
  await markDeletedComments(db, target, parents);
  await resolveComments(
    db,
    place.entityId,
    parents.map(({ id }) => id),
  );
  await sql`
    update pull_requests set children_at = ${now.toISOString()}::timestamptz, fingerprint = t.fingerprint,
      incomplete_detail = t.incomplete_detail
    from ${rowsOf(
      parents.map(({ id, request, children }) => ({
        id,
        fingerprint: request.fingerprint,
        incomplete_detail: children.incomplete_detail,
      })),
      { id: 'bigint', fingerprint: 'text', incomplete_detail: 'text' },
    )}
    where pull_requests.entity_id = ${place.entityId} and pull_requests.id = t.id`.execute(db);
}

/** External ids of those that are stored with children under another fingerprint, or not at all. */
export async function findChangedPullRequests(
  db: Database,
  place: ReviewPlace,
  items: readonly { readonly external_id: string; readonly fingerprint: string }[],
): Promise<ReadonlySet<string>> {
  if (items.length === 0) return new Set();
  const { rows } = await sql<{ external_id: string }>`
    select t.external_id
    from unnest(${items.map(({ external_id }) => external_id)}::text[], ${items.map(({ fingerprint }) => fingerprint)}::text[])
      as t(external_id, fingerprint)
    where not exists (
      select from pull_requests p
      where p.entity_id = ${place.entityId} and p.repo_id = ${place.repoId} and p.external_id = t.external_id
        and p.fingerprint = t.fingerprint and p.children_at is not null and p.incomplete_detail is null)`.execute(db);
  return new Set(rows.map(({ external_id }) => external_id));
}

export interface PullRequestCounts {
  readonly discovered: number;
  readonly processed: number;
}

/** Of a repo: how many are known, and of how many the children as well. */
export async function countPullRequests(db: Database, { entityId, repoId }: ReviewPlace): Promise<PullRequestCounts> {
  const { rows } = await sql<PullRequestCounts>`
    select count(*)::int as discovered, count(children_at)::int as processed from pull_requests
    where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  return rows[0]!;
}
