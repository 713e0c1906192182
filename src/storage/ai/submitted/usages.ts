// AI usage as it is submitted: one row per day, committer or team, and model. What is collected has rows of its own
// (../collected-usages.ts).
import { type RawBuilder, sql } from 'kysely';
import { usageModel } from '../../../domain/ai/models.ts';
import { ACCEPTED_OF, MOST_OF } from '../../../domain/ai/usage-limits.ts';
import { memoize } from '../../../kit/remembered.ts';
import { arrayText } from '../../database/array-text.ts';
import type { Database } from '../../database/handle.ts';
import { creditUsages } from '../usage-credits.ts';
import { noteUsageWeeks } from '../usage-weeks.ts';
import { foldUsagesOfIdentities, type UsageOfPerson } from './fold-usages.ts';
import { addedCount, listCounts, SUBMITTED_KEY, USAGE_COUNTS, type UsageCounts } from './usage-counts.ts';

export interface UsageSubject {
  /** YYYY-MM-DD. */
  readonly used_on: string;
  readonly committer_id: number | null;
  readonly team_id: number | null;
  readonly llm_model_name: string;
}

export interface UsageChange extends UsageSubject, UsageCounts {
  readonly ai_provider_em: string;
  /** Add to what is stored; else the counts that were given take its place. */
  readonly adds: boolean;
}

export type StoredUsage = UsageSubject & UsageCounts;

/** With the model that its name stands for. */
type NamedChange = UsageChange & { readonly model: string };

/** What a count becomes that is sent anew. */
const REPLACE = (name: string): string => `coalesce(excluded.${name}, ai_usages.${name})`;

/** A record that says nothing new is not written. */
function updateTo(count: (name: string) => string): RawBuilder<unknown> {
  return sql`
    set ai_provider_em = excluded.ai_provider_em, model = excluded.model, updated_at = excluded.updated_at, ${listCounts((name) => `${name} = ${count(name)}`)}
    where (ai_usages.ai_provider_em, ai_usages.model, ${listCounts((name) => `ai_usages.${name}`)})
      is distinct from (excluded.ai_provider_em, excluded.model, ${listCounts(count)})`;
}
/** Rows that a caller has to look at: of a thousand good ones none travels back. */
const IS_ODD = sql.raw(
  [
    ...ACCEPTED_OF.map(([accepted, suggested]) => `${accepted} > ${suggested}`),
    ...USAGE_COUNTS.map((name) => `${name} > ${MOST_OF[name]}`),
  ].join(' or '),
);

/** The columns of a change as they are sent, each as one array. */
const COLUMNS: Readonly<Record<Exclude<keyof NamedChange, 'adds'>, string>> = {
  used_on: 'date',
  committer_id: 'bigint',
  team_id: 'bigint',
  llm_model_name: 'text',
  model: 'text',
  ai_provider_em: 'text',
  lines_added: 'bigint',
  lines_deleted: 'bigint',
  prompted_suggest_count: 'bigint',
  prompted_accept_count: 'bigint',
  tab_suggest_count: 'bigint',
  tab_accept_count: 'bigint',
  cost_microcents: 'bigint',
};
const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** A column as one array; what all changes say alike is one value. Texts are few and travel once, as places in a list. */
function columnOf(changes: readonly NamedChange[], name: keyof typeof COLUMNS): Column {
  const values = changes.map((change) => change[name]);
  const [first] = values;
  if (values.every((value) => value === first)) return { array: null, value: sql`${first}::${sql.raw(COLUMNS[name])}` };
  if (COLUMNS[name] !== 'text') {
    return { array: sql`${arrayText(values)}::${sql.raw(COLUMNS[name])}[]`, value: sql.raw(`x.${name}`) };
  }
  const texts = [...new Set(values)];
  const places = new Map(texts.map((text, index) => [text, index + 1]));
  return {
    array: sql`${arrayText(values.map((value) => places.get(value)!))}::integer[]`,
    value: sql`(${texts}::text[])[x.${sql.raw(name)}]`,
  };
}

/** The arrays side by side, called x. */
function rowsOf(columns: readonly Column[]): RawBuilder<unknown> {
  const listed = columns.flatMap(({ array }, index) => (array === null ? [] : [{ array, name: COLUMN_NAMES[index]! }]));
  if (listed.length === 0) return sql`(select) as x`;
  const names = sql.raw(listed.map(({ name }) => name).join(', '));
  return sql`unnest(${sql.join(listed.map(({ array }) => array))}) as x(${names})`;
}

interface Column {
  /** Null where one value stands for all rows. */
  readonly array: RawBuilder<unknown> | null;
  /** Of a row of the arrays, called x. */
  readonly value: RawBuilder<unknown>;
}

export const subjectKey = (row: UsageSubject): string =>
  `${row.used_on} ${row.committer_id} ${row.team_id} ${row.llm_model_name}`;

/** Changes of which no two have the same subject in the same part: those that replace come first. */
interface MergedChanges {
  readonly replacing: readonly NamedChange[];
  readonly adding: readonly NamedChange[];
}

const NOTHING = Object.fromEntries(USAGE_COUNTS.map((name) => [name, null])) as Record<keyof UsageCounts, null>;

/** What changes amount to that come one after the other, however often they name the same subject. */
function mergeUsageChanges(changes: readonly NamedChange[]): MergedChanges {
  const hasAny = (counts: UsageCounts): boolean => USAGE_COUNTS.some((name) => counts[name] !== null);
  if (new Set(changes.map(subjectKey)).size === changes.length) {
    const isAdding = (change: UsageChange): boolean => change.adds && hasAny(change);
    return { replacing: changes.filter((change) => !isAdding(change)), adding: changes.filter(isAdding) };
  }
  const merged = new Map<string, { last: NamedChange; replaced: MutableCounts; added: MutableCounts }>();
  for (const change of changes) {
    const key = subjectKey(change);
    const subject = merged.get(key) ?? { last: change, replaced: { ...NOTHING }, added: { ...NOTHING } };
    merged.set(key, subject);
    subject.last = change;
    const { replaced, added } = subject;
    for (const name of USAGE_COUNTS) {
      const value = change[name];
      if (value === null) continue;
      if (!change.adds) [replaced[name], added[name]] = [value, null];
      else if (replaced[name] !== null) replaced[name] += value;
      else added[name] = (added[name] ?? 0) + value;
    }
  }
  const all = [...merged.values()];
  const isReplacing = ({ replaced, added }: (typeof all)[number]): boolean => hasAny(replaced) || !hasAny(added);
  return {
    replacing: all.filter(isReplacing).map(({ last, replaced }) => ({ ...last, ...replaced, adds: false })),
    adding: all.filter(({ added }) => hasAny(added)).map(({ last, added }) => ({ ...last, ...added, adds: true })),
  };
}

/** Whether it decides by itself that its row keeps the rules: what is stored adds nothing to what it says of a pair. */
const isCompleteChange = (change: UsageChange): boolean =>
  ACCEPTED_OF.every(([accepted, suggested]) => {
    const [given, most] = [change[accepted], change[suggested]];
    return (given === null) === (most === null) && (given ?? 0) <= (most ?? 0);
  }) && USAGE_COUNTS.every((name) => (change[name] ?? 0) <= MOST_OF[name]);

type MutableCounts = { -readonly [K in keyof UsageCounts]: UsageCounts[K] };

interface Met {
  /** A day of them has rows. Most days are sent once, and comparing each row costs a third of it. */
  readonly has_reports: boolean;
  /** Somebody has rows of these days under an identity that was merged since. */
  readonly has_identities: boolean;
}

/** What the changes may meet. */
async function findMet(db: Database, entityId: number, changes: readonly UsageChange[]): Promise<Met> {
  const days = arrayText([...new Set(changes.map(({ used_on }) => used_on))]);
  const people = arrayText([...new Set(changes.flatMap(({ committer_id }) => committer_id ?? []))]);
  const { rows } = await sql<Met>`
    select r.has_reports, r.has_reports and exists (
      select from committers o
      cross join lateral (
        select from ai_usages u
        where u.entity_id = ${entityId} and u.committer_id = o.id and u.used_on = any(${days}::date[])
          and u.source_em = 'submitted' offset 0) u
      where o.entity_id = ${entityId} and o.root_committer_id = any(${people}::bigint[])
        and o.id <> o.root_committer_id) as has_identities
    from (
      select exists (
        select from ai_usages
        where entity_id = ${entityId} and source_em = 'submitted' and used_on = any(${days}::date[])) as has_reports
      offset 0) r`.execute(db);
  return rows[0]!;
}

const isOfPerson = <C extends UsageChange>(change: C): change is C & UsageOfPerson => change.committer_id !== null;

/**
 * Applies them in their order, with one statement for all that replace and one for all that add. Returns the rows as they
 * are now that break a rule. The caller lets one of an entity at a time pass.
 */
export async function storeUsages(
  db: Database,
  entityId: number,
  changes: readonly UsageChange[],
  now: Date,
): Promise<StoredUsage[]> {
  const modelOf = memoize((name: string) => usageModel(name).model);
  const named = changes.map((change) => ({ ...change, model: modelOf(change.llm_model_name) }));
  const { replacing, adding } = mergeUsageChanges(named);
  const met = await findMet(db, entityId, changes);
  if (met.has_identities) {
    await foldUsagesOfIdentities(db, entityId, [...replacing, ...adding].filter(isOfPerson));
  }
  let odd: StoredUsage[] = [];
  for (const part of [replacing, adding]) {
    if (part.length === 0) continue;
    const adds = part === adding;
    const isKnown = !adds && part.every(isCompleteChange);
    const canMeet = met.has_reports || (adds && replacing.length > 0);
    const columns = COLUMN_NAMES.map((name) => columnOf(part, name));
    const { rows } = await sql<StoredUsage>`
      with stored as (
        insert into ai_usages (entity_id, ${sql.raw(COLUMN_NAMES.join(', '))}, created_at, updated_at)
        select ${entityId}::bigint, ${sql.join(columns.map(({ value }) => value))}, ${now}::timestamptz, ${now}::timestamptz
        from ${rowsOf(columns)}
        ${canMeet ? sql`on conflict ${SUBMITTED_KEY} do update ${updateTo(adds ? addedCount : REPLACE)}` : sql``}
        returning ${isKnown ? sql`1` : sql`used_on, committer_id, team_id, llm_model_name, ${listCounts((name) => name)}`})
      ${isKnown ? sql`select where false` : sql`select * from stored where ${IS_ODD}`}`.execute(db);
    // What is added to has not come to its end before.
    const changed = odd.length === 0 ? null : new Set(part.map(subjectKey));
    odd = [...odd.filter((row) => changed?.has(subjectKey(row)) !== true), ...rows];
  }
  const used = daysOf([...replacing, ...adding]);
  await creditUsages(db, entityId, { usedBy: used });
  await noteUsageWeeks(db, entityId, used);
  return odd;
}

/** Each person's day once. */
function daysOf(changes: readonly UsageChange[]): { committer_id: number; used_on: string }[] {
  const days = new Map<string, { committer_id: number; used_on: string }>();
  for (const { committer_id, used_on } of changes) {
    if (committer_id !== null) days.set(`${committer_id} ${used_on}`, { committer_id, used_on });
  }
  return [...days.values()];
}

/** With what identities of the committer have of it. Returns whether there was such a row. */
export async function deleteUsage(db: Database, entityId: number, subject: UsageSubject): Promise<boolean> {
  const ofCommitter =
    subject.committer_id === null
      ? sql`committer_id is null`
      : sql`committer_id in (
          select id from committers where entity_id = ${entityId} and root_committer_id = ${subject.committer_id})`;
  const { rows } = await sql<{ committer_id: number | null; used_on: string }>`
    delete from ai_usages
    where entity_id = ${entityId} and source_em = 'submitted' and used_on = ${subject.used_on}::date
      and ${ofCommitter}
      and team_id is not distinct from ${subject.team_id}::bigint
      and lower(llm_model_name) = lower(${subject.llm_model_name}::text)
    returning committer_id, used_on`.execute(db);
  await creditUsages(db, entityId, { usedBy: rows });
  await noteUsageWeeks(db, entityId, rows);
  return rows.length > 0;
}
