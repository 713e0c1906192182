// Stores issues with their history, statuses and sprints as a tracker reports them. An older version than the stored
// one changes nothing. What follows from the history (starts, stays in sprints) is derived elsewhere.
import { sql } from 'kysely';
import { effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import { cleanText } from '../../domain/collect/clean-text.ts';
import type { Account } from '../../domain/people/account.ts';
import {
  type ChangesOfIssue,
  type CollectedIssue,
  type CollectedSprint,
  type CollectedStatus,
  KINDS_WITH_BOARD_POINTS,
  TRACKER_KINDS,
  type TrackerKind,
} from '../../domain/work/issue.ts';
import { readStoredSettings } from '../access/entity-settings.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';

export interface TrackerPlace {
  readonly entityId: number;
  readonly trackerId: number;
  readonly kind: TrackerKind;
}

export function* accountsOfIssues(
  issues: readonly CollectedIssue[],
  apart: readonly ChangesOfIssue[],
): Generator<Account> {
  const lists = [...issues.map(({ changes }) => changes ?? []), ...apart.map(({ changes }) => changes)];
  for (const { assignee, created_by } of issues)
    for (const account of [assignee, created_by]) if (account) yield account;
  for (const { author } of lists.flat()) if (author !== null) yield author;
}

const committerOf = (known: KnownAccounts, account: Account | null): number | null =>
  account === null ? null : (known.get(account.external_id)?.committer_id ?? null);

/** In the caller's transaction. `bugTypes` is the entity's setting. */
export async function storeIssues(
  db: Database,
  place: TrackerPlace,
  given: readonly CollectedIssue[],
  known: KnownAccounts,
  { bugTypes, now }: { readonly bugTypes: readonly string[]; readonly now: Date },
): Promise<void> {
  if (given.length === 0) return;
  const bugs = new Set(bugTypes.map((type) => type.toLowerCase()));
  const issues = newestOfEach(given);
  const rows = issues.map((issue) => ({
    external_id: issue.external_id,
    key: cleanText(issue.key),
    title: cleanText(issue.title),
    type: cleanText(issue.type),
    is_epic: issue.is_epic,
    is_subtask: issue.is_subtask,
    is_bug: bugs.has(issue.type.toLowerCase()),
    status: cleanText(issue.status),
    status_category: issue.status_category,
    priority: issue.priority,
    url: issue.url,
    project_name: issue.project_name === null ? null : cleanText(issue.project_name),
    board_id: issue.board_id,
    labels: issue.labels.map((label) => cleanText(label)),
    assignee_id: committerOf(known, issue.assignee),
    host_created_by_id: committerOf(known, issue.created_by),
    epic_key: issue.epic_key,
    parent_external_id: issue.parent_external_id,
    story_points: hundredths(issue.story_points),
    opened_at: issue.opened_at,
    host_updated_at: issue.updated_at,
    started_at: issue.started_at,
    resolved_at: issue.resolved_at,
    host_started_at: issue.started_at,
    host_resolved_at: issue.resolved_at,
    deleted_at: issue.deleted_at,
  }));
  const columns = {
    external_id: 'text',
    key: 'text',
    title: 'text',
    type: 'text',
    is_epic: 'boolean',
    is_subtask: 'boolean',
    is_bug: 'boolean',
    status: 'text',
    status_category: 'text',
    priority: 'text',
    url: 'text',
    project_name: 'text',
    board_id: 'text',
    labels: 'text[]',
    assignee_id: 'bigint',
    host_created_by_id: 'bigint',
    epic_key: 'text',
    parent_external_id: 'text',
    story_points: 'int',
    opened_at: 'timestamptz',
    host_updated_at: 'timestamptz',
    started_at: 'timestamptz',
    resolved_at: 'timestamptz',
    host_started_at: 'timestamptz',
    host_resolved_at: 'timestamptz',
    deleted_at: 'timestamptz',
  } as const;
  const names = sql.join(Object.keys(columns).map((name) => sql.id(name)));
  // Points from boards stay: the issue itself says nothing of them.
  const kept = KINDS_WITH_BOARD_POINTS.includes(place.kind) ? ['story_points'] : [];
  const changes = Object.keys(columns)
    .filter((name) => !['external_id', 'started_at', 'resolved_at', ...kept].includes(name))
    .map((name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`);
  await sql`
    insert into issues (entity_id, tracker_id, provider_em, updated_at, ${names})
    select ${place.entityId}::bigint, ${place.trackerId}::bigint, ${TRACKER_KINDS[place.kind].provider_em}::text,
      ${now.toISOString()}::timestamptz, ${names}
    from ${rowsOf(rows, columns)}
    on conflict (entity_id, tracker_id, external_id) do update set ${sql.join(changes)},
      started_at = coalesce(excluded.started_at, issues.started_at),
      -- What was derived stays until it is derived anew.
      resolved_at = case when excluded.status_category = 'done'
        then coalesce(excluded.resolved_at, issues.resolved_at) end,
      updated_at = excluded.updated_at, unobserved_at = null,
      former_keys = case when issues.key <> excluded.key and not issues.key = any(issues.former_keys)
        then issues.former_keys || issues.key else issues.former_keys end
    where issues.host_updated_at is null or excluded.host_updated_at >= issues.host_updated_at`.execute(db);
  const histories = issues.flatMap(({ external_id, changes: history }) =>
    history === null ? [] : [{ issue_external_id: external_id, changes: history }],
  );
  await storeIssueChanges(db, place, histories, known);
}

const hundredths = (points: number | null): number | null =>
  points === null || !Number.isFinite(points) || points < 0 || points > 1_000_000 ? null : Math.round(points * 100);

function newestOfEach(issues: readonly CollectedIssue[]): CollectedIssue[] {
  const byId = new Map<string, CollectedIssue>();
  for (const issue of issues) {
    const other = byId.get(issue.external_id);
    if (other === undefined || Date.parse(other.updated_at) <= Date.parse(issue.updated_at)) {
      byId.set(issue.external_id, issue);
    }
  }
  return [...byId.values()];
}

/** Changes never change, and are never taken back. Those of issues that are not stored are left out. */
export async function storeIssueChanges(
  db: Database,
  place: TrackerPlace,
  histories: readonly ChangesOfIssue[],
  known: KnownAccounts,
): Promise<void> {
  const rows = histories.flatMap(({ issue_external_id, changes }) =>
    changes.map((change) => ({
      issue: issue_external_id,
      external_id: change.external_id,
      field: change.field,
      changed_at: change.changed_at,
      author_id: committerOf(known, change.author),
      before: change.before === null ? null : cleanText(change.before),
      after: change.after === null ? null : cleanText(change.after),
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into issue_changes (entity_id, issue_id, external_id, field, changed_at, author_id, before, after)
    select distinct on (i.id, t.external_id) i.entity_id, i.id, t.external_id, t.field, t.changed_at, t.author_id, t.before,
      t.after
    from ${rowsOf(rows, {
      issue: 'text',
      external_id: 'text',
      field: 'text',
      changed_at: 'timestamptz',
      author_id: 'bigint',
      before: 'text',
      after: 'text',
    })}
    join issues i on i.entity_id = ${place.entityId} and i.tracker_id = ${place.trackerId} and i.external_id = t.issue
    on conflict (entity_id, issue_id, external_id) do update
      set author_id = coalesce(excluded.author_id, issue_changes.author_id), before = excluded.before,
          after = excluded.after`.execute(db);
}

export async function storeStatuses(
  db: Database,
  place: TrackerPlace,
  statuses: readonly CollectedStatus[],
): Promise<void> {
  if (statuses.length === 0) return;
  const rows = [...new Map(statuses.map((status) => [status.external_id, status])).values()].map(
    ({ external_id, name, category }) => ({ external_id, name: cleanText(name), category }),
  );
  await sql`
    insert into tracker_statuses (entity_id, tracker_id, external_id, name, category)
    select ${place.entityId}::bigint, ${place.trackerId}::bigint, t.external_id, t.name, t.category
    from ${rowsOf(rows, { external_id: 'text', name: 'text', category: 'text' })}
    on conflict (entity_id, tracker_id, external_id) do update
      set name = excluded.name, category = excluded.category`.execute(db);
}

/** One without dates is not a sprint yet, or no longer one. A closed one ended when it was closed. */
export async function storeSprints(
  db: Database,
  place: TrackerPlace,
  sprints: readonly CollectedSprint[],
): Promise<void> {
  const rows = [...new Map(sprints.map((sprint) => [sprint.external_id, sprint])).values()].flatMap((sprint) => {
    const ends_at = sprint.completed_at ?? sprint.ends_at;
    if (sprint.starts_at === null || ends_at === null) return [];
    const { external_id, board_id, state, starts_at, completed_at, isInDays = false } = sprint;
    const name = cleanText(sprint.name);
    return [{ external_id, board_id, name, state, starts_at, ends_at, completed_at, is_in_days: isInDays }];
  });
  const unstarted = sprints.flatMap(({ state, starts_at, external_id }) =>
    state === 'future' && starts_at === null ? [external_id] : [],
  );
  if (unstarted.length > 0) {
    await sql`
      delete from sprints where entity_id = ${place.entityId} and tracker_id = ${place.trackerId}
        and external_id = any(${unstarted}::text[])`.execute(db);
  }
  if (rows.length === 0) return;
  const { time_zone } = effectiveEntitySettings(await readStoredSettings(db, place.entityId));
  const inZone = (time: string) => sql`case when t.is_in_days
    then (${sql.ref(time)} at time zone 'UTC') at time zone ${time_zone}::text else ${sql.ref(time)} end`;
  await sql`
    insert into sprints (entity_id, tracker_id, external_id, board_id, name, state, starts_at, ends_at, completed_at)
    select ${place.entityId}::bigint, ${place.trackerId}::bigint, t.external_id, t.board_id, t.name, t.state,
      ${inZone('t.starts_at')}, ${inZone('t.ends_at')}, ${inZone('t.completed_at')}
    from ${rowsOf(rows, {
      external_id: 'text',
      board_id: 'text',
      name: 'text',
      state: 'text',
      starts_at: 'timestamptz',
      ends_at: 'timestamptz',
      completed_at: 'timestamptz',
      is_in_days: 'boolean',
    })}
    on conflict (entity_id, tracker_id, external_id) do update
      set board_id = excluded.board_id, name = excluded.name, state = excluded.state, starts_at = excluded.starts_at,
          ends_at = excluded.ends_at, completed_at = excluded.completed_at, deleted_at = null`.execute(db);
}
