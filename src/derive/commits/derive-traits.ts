// Fills commit_traits, the estimated columns of issues, the work of pull requests and sprint_parts for an entity. Reads the
// whole entity, writes only what has changed, and gives how many rows that was.

import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { groupBy } from '../../kit/group-by.ts';
import { type BinaryRow, readMany } from '../../storage/database/binary-rows.ts';
import type { Store } from '../../storage/database/handle.ts';
import { deriveSprintParts } from '../work/derive-sprint-parts.ts';
import { estimatePoints } from '../work/estimate-points.ts';
import { markEscaped } from '../work/mark-escaped.ts';
import { readCodingMinutes } from './coding-minutes.ts';
import { listReworking, type OwnPull, readPulls } from './pulls-of-commits.ts';
import { workShares } from './work-class.ts';
import { storeWorkOfPulls } from './work-of-pulls.ts';

const PAGE = 30_000;

interface Traits {
  readonly minutes_used: number | null;
  readonly bug_share: number;
  readonly opex_share: number;
  readonly unclassified_share: number;
  readonly pull_request_id: number | null;
  readonly pull_request_phase: string;
}

const TRAITS: readonly { readonly name: keyof Traits; readonly type: string }[] = [
  { name: 'minutes_used', type: 'int' },
  { name: 'bug_share', type: 'smallint' },
  { name: 'opex_share', type: 'smallint' },
  { name: 'unclassified_share', type: 'smallint' },
  { name: 'pull_request_id', type: 'bigint' },
  { name: 'pull_request_phase', type: 'text' },
];

// Pages are read with plain statements and put together here. In one statement each commit would be looked up in seven
// tables by itself, most of them without anything about it.
const commitsOfPage = (entityId: number, after: number) => sql`
  select c.id, split_part(left(c.message, 300), E'\\n', 1),
    t.minutes_used::bigint, t.bug_share::bigint, t.opex_share::bigint, t.unclassified_share::bigint, t.pull_request_id,
    t.pull_request_phase::text
  from commits c left join commit_traits t
    on t.entity_id = ${sql.lit(entityId)} and t.commit_id = c.id and t.commit_id > ${sql.lit(after)}
  where c.entity_id = ${sql.lit(entityId)} and c.rolled_up and c.id > ${sql.lit(after)}
  order by c.id limit ${sql.lit(PAGE)}`;

/** With its traits as they are stored; all null where none are, which no commit's are. */
type CommitRow = { readonly id: number; readonly subject: string } & {
  readonly [Name in keyof Traits]: Traits[Name] | null;
};

/** In the order of the columns. */
const readCommit = (row: BinaryRow): CommitRow => ({
  id: row.number(),
  subject: row.text()!,
  minutes_used: row.numberOrNull(),
  bug_share: row.numberOrNull(),
  opex_share: row.numberOrNull(),
  unclassified_share: row.numberOrNull(),
  pull_request_id: row.numberOrNull(),
  pull_request_phase: row.text(),
});

const ISSUES_OF_PAGE = `
  select n.commit_id, i.key, i.type, i.is_bug
  from commits c
  join issue_commits n on n.entity_id = $1 and n.commit_id = c.id
  join issues i on i.entity_id = $1 and i.id = n.issue_id
  where c.entity_id = $1 and c.rolled_up and c.id > $2 and c.id <= $3`;

interface NamedIssue {
  readonly commit_id: number;
  readonly key: string;
  readonly type: string;
  readonly is_bug: boolean;
}

const NAMES = TRAITS.map(({ name }) => name).join(', ');
const STORE_TRAITS = `
  insert into commit_traits (entity_id, commit_id, ${NAMES})
  select $1, d.* from unnest($2::bigint[], ${TRAITS.map(({ type }, i) => `$${i + 3}::${type}[]`).join(', ')}) as d
  on conflict (entity_id, commit_id) do update
  set (${NAMES}) = (${TRAITS.map(({ name }) => `excluded.${name}`).join(', ')})`;

const FIX_BRANCH = /^(?:bug|bugfix|fix|hotfix)[/_-]/i;
const FIX_LABELS = new Set(['bug', 'bugfix', 'defect', 'fix', 'hotfix']);

/** Thousandths of a commit that belong to bugs. */
export function bugShare(
  issues: readonly Pick<NamedIssue, 'is_bug'>[],
  pull: Pick<OwnPull, 'labels' | 'branch_name'> | null,
): number {
  if (issues.length > 0) {
    return Math.round((1000 * issues.filter(({ is_bug }) => is_bug).length) / issues.length);
  }
  const isFix =
    (pull?.labels ?? []).some((label) => FIX_LABELS.has(label.toLowerCase())) ||
    FIX_BRANCH.test(pull?.branch_name ?? '');
  return isFix ? 1000 : 0;
}

export async function deriveTraits(store: Store, entityId: number, settings: EntitySettings): Promise<number> {
  return (
    (await deriveCommitTraits(store, entityId, settings)) +
    (await estimatePoints(store, entityId)) +
    (await markEscaped(store, entityId)) +
    (await deriveSprintParts(store, entityId))
  );
}

async function deriveCommitTraits(store: Store, entityId: number, settings: EntitySettings): Promise<number> {
  const minutes = await readCodingMinutes(store, entityId, settings);
  const reworking = await listReworking(store, entityId);
  let changed = 0;
  for (let after = 0; ; ) {
    const rows: CommitRow[] = [];
    await readMany(store, commitsOfPage(entityId, after), (row) => rows.push(readCommit(row)));
    if (rows.length === 0) return changed + (await storeWorkOfPulls(store, entityId, reworking));
    const ids = { after, to: rows.at(-1)!.id };
    after = ids.to;
    const pulls = await readPulls(store, entityId, ids);
    const issues = await readIssues(store, entityId, ids);
    const differing: { readonly id: number; readonly traits: Traits }[] = [];
    for (const row of rows) {
      const pull = pulls.get(row.id) ?? null;
      const named = issues.get(row.id) ?? [];
      const signs = { issues: named, labels: pull?.labels ?? [], pullTitle: pull?.title ?? null, subject: row.subject };
      const shares = workShares(signs, settings.opex_overrides);
      const traits: Traits = {
        minutes_used: minutes.get(row.id) ?? null,
        bug_share: bugShare(named, pull),
        opex_share: shares.opex,
        unclassified_share: shares.unclassified,
        pull_request_id: pull?.id ?? null,
        pull_request_phase: pull?.phase ?? (reworking.has(row.id) ? 'After merge' : 'No pull request'),
      };
      // Compared here: a conflict makes the database lock, and so write, also what it leaves as it is.
      if (TRAITS.some(({ name }) => row[name] !== traits[name])) differing.push({ id: row.id, traits });
    }
    changed += differing.length;
    if (differing.length === 0) continue;
    await store.pool.query(STORE_TRAITS, [
      entityId,
      differing.map(({ id }) => id),
      ...TRAITS.map(({ name }) => differing.map(({ traits }) => traits[name])),
    ]);
  }
}

async function readIssues(
  { pool }: Store,
  entityId: number,
  ids: { readonly after: number; readonly to: number },
): Promise<ReadonlyMap<number, readonly NamedIssue[]>> {
  const { rows } = await pool.query<NamedIssue>(ISSUES_OF_PAGE, [entityId, ids.after, ids.to]);
  return groupBy(rows, ({ commit_id }) => commit_id);
}
