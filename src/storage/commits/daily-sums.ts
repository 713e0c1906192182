// A batch's part of the daily tables. Its sums are at hand when it is stored, so that they are added to the tables
// without reading the facts again; `addToRollups` says the same in SQL, for facts that are stored already.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { CopyBuffer } from './copy-buffer.ts';
import { copyRows } from './copy-rows.ts';
import { type CreditRow, deltaOf } from './fact-rows.ts';
import { type FactSums, SUMMED, sumAt } from './fact-sums.ts';
import { AI_COUNTS, AI_MEASURES, ALL_OF_AI, COMMIT_COUNTS, increment, PEOPLE_COUNTS } from './rollups.ts';
import type { Session } from './session.ts';

/** What the sums of a commit are counted by. */
export interface SummedCommit {
  readonly contributor_kind: string;
  /** The first of its AI credits. */
  readonly credit: CreditRow | null;
}

/** A commit that counts, as the database has it. */
export interface CountedCommit {
  readonly id: number;
  readonly author_id: number;
  /** `YYYY-MM-DD`, in the entity's time zone. */
  readonly authored_on: string;
}

interface DailyTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly sums: readonly string[];
  /** What makes a row unique, in the order of the table's key. */
  readonly conflict: string;
}

const TABLES = {
  facts: {
    name: 'daily_facts',
    keys: ['authored_on', 'committer_id', 'category'],
    sums: SUMMED,
    conflict: 'entity_id, authored_on, repo_id, committer_id, category',
  },
  ai: {
    name: 'daily_ai',
    keys: ['authored_on', 'committer_id', 'provider', 'model', 'source'],
    sums: AI_COUNTS,
    conflict: 'entity_id, authored_on, repo_id, committer_id, provider, model, source',
  },
  people: {
    name: 'daily_people',
    keys: ['authored_on', 'committer_id'],
    sums: PEOPLE_COUNTS,
    conflict: 'entity_id, authored_on, committer_id',
  },
  commits: {
    name: 'daily_commits',
    keys: ['authored_on', 'committer_id'],
    sums: [...COMMIT_COUNTS, ...SUMMED],
    conflict: 'entity_id, authored_on, repo_id, committer_id',
  },
} as const satisfies Record<string, DailyTable>;

const stagingOf = ({ name }: DailyTable): string => `staged_${name}`;
const columnsOf = ({ keys, sums }: DailyTable): string[] => [...keys, ...sums];

export async function prepareDailyStaging(session: Session): Promise<void> {
  for (const table of Object.values(TABLES)) {
    await session.client.query(
      `create temp table if not exists ${stagingOf(table)} on commit delete rows as
       select ${columnsOf(table).join(', ')} from ${table.name} with no data`,
    );
  }
}

/** Sums by key: the values of the key columns, joined by a character that none of them can have. */
class SumRows {
  readonly #rows = new Map<string, Float64Array>();
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  /** The sums to add to. */
  at(key: string): Float64Array {
    let sums = this.#rows.get(key);
    if (sums === undefined) {
      sums = new Float64Array(this.#width);
      this.#rows.set(key, sums);
    }
    return sums;
  }

  get size(): number {
    return this.#rows.size;
  }

  write(out: CopyBuffer): void {
    for (const [key, sums] of this.#rows) {
      for (const value of key.split(BETWEEN)) out.text(value);
      for (let i = 0; i < sums.length; i += 1) out.integer(sums[i]!);
      out.endRow();
    }
  }
}

const BETWEEN = '\0';
const creditKey = ({ provider, model, source }: CreditRow): string =>
  [provider, model, source].map((text) => text.replaceAll(BETWEEN, '')).join(BETWEEN);

/** Adds the counted commits of a batch to the daily tables, in the caller's transaction. */
export async function addBatchToRollups(
  session: Session,
  target: { readonly entityId: number; readonly repoId: number },
  sums: FactSums,
  about: ReadonlyMap<number, SummedCommit>,
  counted: readonly CountedCommit[],
): Promise<void> {
  if (counted.length === 0) return;
  const rows = foldSums(sums, about, new Map(counted.map((commit) => [commit.id, commit])));
  const out = new CopyBuffer();
  for (const [part, table] of Object.entries(TABLES) as [keyof typeof TABLES, DailyTable][]) {
    if (rows[part].size === 0) continue;
    out.clear();
    rows[part].write(out);
    await copyRows(session.client, stagingOf(table), columnsOf(table), out);
    await addStaged(session.db, target, table);
  }
}

/** In the order of the key: parallel imports share rows of `daily_people` and must not block each other. */
async function addStaged(
  db: Database,
  { entityId, repoId }: { readonly entityId: number; readonly repoId: number },
  table: DailyTable,
): Promise<void> {
  const list = (names: readonly string[]): RawBuilder<unknown> => sql.raw(names.join(', '));
  const isOfRepo = table.conflict.includes('repo_id');
  await sql`
    insert into ${sql.raw(table.name)} (entity_id, ${sql.raw(isOfRepo ? 'repo_id, ' : '')}${list(columnsOf(table))})
    select ${entityId}::bigint, ${isOfRepo ? sql`${repoId}::bigint, ` : sql``}${list(columnsOf(table))}
    from ${sql.raw(stagingOf(table))} order by ${list(table.keys)}
    on conflict (${sql.raw(table.conflict)}) do update set ${increment(table.name, table.sums)}`.execute(db);
}

const CHANGED_AT = (['added', 'deleted', 'moved', 'updated', 'find_replaced', 'copy_pasted'] as const).map(
  (operation) => sumAt(`lines_${operation}`),
);
const AI_AT = AI_MEASURES.map(sumAt);
/** Those of AI_COUNTS that are not summed over files. */
const AI_OF_COMMIT = ['commit_count', 'line_commit_count', ...ALL_OF_AI] as const;
const AT = {
  first: sumAt(SUMMED[0]),
  added: sumAt('lines_added'),
  copied: sumAt('lines_copy_pasted'),
  deleted: sumAt('lines_deleted'),
  ai: sumAt('ai_lines_changed'),
} as const;

function foldSums(
  sums: FactSums,
  about: ReadonlyMap<number, SummedCommit>,
  counted: ReadonlyMap<number, CountedCommit>,
): Record<keyof typeof TABLES, SumRows> {
  const rows = {
    facts: new SumRows(TABLES.facts.sums.length),
    ai: new SumRows(TABLES.ai.sums.length),
    people: new SumRows(TABLES.people.sums.length),
    commits: new SumRows(TABLES.commits.sums.length),
  };
  const { cells } = sums;
  const addSums = (to: Float64Array, from: number, at: number) => {
    for (let i = 0; i < SUMMED.length; i += 1) to[from + i]! += cells[at + AT.first + i]!;
  };
  sums.each((commitId, category, at) => {
    const commit = counted.get(commitId);
    if (commit === undefined) return;
    const key = `${commit.authored_on}${BETWEEN}${commit.author_id}`;
    if (category !== 0) {
      addSums(rows.facts.at(`${key}${BETWEEN}${category}`), 0, at);
      return;
    }
    const { contributor_kind: kind, credit } = about.get(commitId)!;
    const hasAiLines = cells[at + AT.ai]! > 0;
    const isKnown = kind !== 'unknown';
    let changed = 0;
    for (const part of CHANGED_AT) changed += cells[at + part]!;
    const added = cells[at + AT.added]! + cells[at + AT.copied]!;
    const deleted = cells[at + AT.deleted]!;
    const delta = deltaOf(cells, at);
    const counts = {
      commit_count: 1,
      ai_commit_count: kind === 'ai' || kind === 'mixed' ? 1 : 0,
      ai_line_commit_count: hasAiLines ? 1 : 0,
      line_commit_count: hasAiLines ? 1 : 0,
      known_commit_count: isKnown ? 1 : 0,
      lines_changed: changed,
      known_lines_changed: isKnown ? changed : 0,
      unknown_lines_added: isKnown ? 0 : added,
      unknown_lines_deleted: isKnown ? 0 : deleted,
      unknown_delta: isKnown ? 0 : delta,
      all_lines_added: added,
      all_lines_deleted: deleted,
      all_lines_changed: changed,
      all_delta: delta,
    };
    const commits = rows.commits.at(key);
    for (let i = 0; i < COMMIT_COUNTS.length; i += 1) commits[i]! += counts[COMMIT_COUNTS[i]!];
    addSums(commits, COMMIT_COUNTS.length, at);
    const people = rows.people.at(key);
    for (let i = 0; i < PEOPLE_COUNTS.length; i += 1) people[i]! += counts[PEOPLE_COUNTS[i]!];
    if (credit === null) return;
    const ai = rows.ai.at(`${key}${BETWEEN}${creditKey(credit)}`);
    for (let i = 0; i < AI_OF_COMMIT.length; i += 1) ai[i]! += counts[AI_OF_COMMIT[i]!];
    for (let i = 0; i < AI_AT.length; i += 1) ai[AI_OF_COMMIT.length + i]! += cells[at + AI_AT[i]!]!;
  });
  return rows;
}
