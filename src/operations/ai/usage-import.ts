// Usage from files, for tools whose providers have no call for it: CSV or JSON with a map from its columns to ours. A day
// that the files name is replaced as a whole, for the tool that they are of, so that they can be read again. A tool may
// split a day into several files: read together, they add up.

import type { CollectedUsage } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import { listOverAccepted, MICROCENTS_PER_CENT, MOST_CENTS, MOST_OF } from '../../domain/ai/usage-limits.ts';
import { ACTIVITY_COUNTS, type IdentityKind } from '../../domain/ai/usage-sources.ts';
import { ACCEPTED_DATES, isAcceptedInstant } from '../../domain/calendar/accepted-dates.ts';
import { requirePastDay } from '../../domain/calendar/not-in-the-future.ts';
import { readIsoTime } from '../../domain/calendar/read-iso-time.ts';
import { StrataError } from '../../domain/errors.ts';
import { counted } from '../../kit/text/counted.ts';
import { countUnnamed, mergeUsages, replaceCollectedDay } from '../../storage/ai/collected-usages.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { parseCsv } from './parse-csv.ts';

interface UsageFile {
  /** As whoever gave it calls it. */
  readonly name: string;
  readonly text: string;
  readonly format: 'csv' | 'json';
}

export interface UsageFiles {
  readonly files: readonly UsageFile[];
  readonly tool: string;
  /** Our name → the files' column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Reads and judges the files, and stores nothing. */
  readonly isDryRun: boolean;
}

export interface ImportedUsage {
  readonly rows: number;
  readonly days: number;
  /** First and last day; null for files without rows. */
  readonly from: string | null;
  readonly to: string | null;
  /** People that the files name. */
  readonly people: number;
  /** Columns of the files that nothing reads. */
  readonly unused_columns: readonly string[];
  /** What these days had of people whom the files do not name on them. */
  readonly removed_rows: number;
  readonly removed_people: number;
  readonly is_dry_run: boolean;
}

export interface UsageImportOperations {
  importFiles(grant: Grant<'admin'>, given: UsageFiles): Promise<ImportedUsage>;
}

const IDENTITIES: Readonly<Record<string, IdentityKind>> = { email: 'email', login: 'login', user_id: 'user_id' };
/** What a column can be. */
const COUNTS = ['cents_cost', ...ACTIVITY_COUNTS] as const;
const IMPORT_COLUMNS = ['date', 'model', 'cents_cost', ...Object.keys(IDENTITIES), ...ACTIVITY_COUNTS] as const;

const refused = (message: string): StrataError => new StrataError('invalid_parameter', message);

export function createUsageImportOperations({ store: { db }, now }: OperationParts): UsageImportOperations {
  return {
    async importFiles({ entity }, given) {
      const { rows, unused } = readTables(given);
      const days = readDays(rows, given, now());
      const dates = [...days.keys()].toSorted();
      const named = [...days.values()].flat().flatMap(({ identity }) => identity?.value.toLowerCase() ?? []);
      const imported = {
        rows: rows.length,
        days: days.size,
        from: dates[0] ?? null,
        to: dates.at(-1) ?? null,
        people: new Set(named).size,
        unused_columns: unused,
        is_dry_run: given.isDryRun,
      };
      const place = { source: 'import', llm_token_id: null, tools: [given.tool] } as const;
      const removedFrom = (at: Database) => countUnnamed(at, entity.id, place, days);
      if (given.isDryRun) return { ...imported, ...(await removedFrom(db)) };
      return inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entity.id);
        const removed = await removedFrom(trx);
        for (const [used_on, usages] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          await replaceCollectedDay(trx, entity.id, { ...place, used_on }, usages, now());
        }
        return { ...imported, ...removed };
      });
    },
  };
}

const MOST_NAMED = 10;
const LONGEST_SHOWN = 40;

/** All rows are good, or none is stored; every bad one is named, up to a number. */
function readDays(rows: readonly PlacedRow[], given: UsageFiles, now: Date): Map<string, CollectedUsage[]> {
  const days = new Map<string, CollectedUsage[]>();
  const bad: string[] = [];
  for (const { row, number, prefix } of rows) {
    try {
      const { day, usage } = readUsage(row, given, number, now);
      const usages = days.get(day);
      if (usages === undefined) days.set(day, [usage]);
      else usages.push(usage);
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      bad.push(`${prefix}${error.message}`);
    }
  }
  if (bad.length === 0) return requireAccepted(days);
  throw refused(
    `${bad.length} of ${counted(rows.length, 'row')} cannot be read, so nothing was stored: ${listBad(bad)}`,
  );
}

const listBad = (bad: readonly string[]): string =>
  `${bad.slice(0, MOST_NAMED).join('; ')}${bad.length > MOST_NAMED ? `; and ${bad.length - MOST_NAMED} more` : ''}`;

/** As for submitted usage, of the sums: rows of a day and person may part what was suggested from what was accepted. */
function requireAccepted(days: Map<string, CollectedUsage[]>): Map<string, CollectedUsage[]> {
  const bad = [...days].flatMap(([day, usages]) =>
    mergeUsages(usages).flatMap((usage) =>
      listOverAccepted(usage, day).map(
        ({ field, message }) => `${usage.identity?.value ?? 'nobody'}: ${field}: ${message}`,
      ),
    ),
  );
  if (bad.length === 0) return days;
  throw refused(`more was accepted than suggested, so nothing was stored: ${listBad(bad)}`);
}

type FileRow = Readonly<Record<string, string>>;

interface PlacedRow {
  readonly row: FileRow;
  readonly number: number;
  /** Names the file where there are several. */
  readonly prefix: string;
}

interface Table {
  readonly rows: readonly FileRow[];
  /** The names of its columns. */
  readonly columns: readonly string[];
}

function readTables({ files, columns }: UsageFiles): {
  readonly rows: readonly PlacedRow[];
  readonly unused: readonly string[];
} {
  const unknown = Object.keys(columns).find((name) => !IMPORT_COLUMNS.some((known) => known === name));
  if (unknown !== undefined)
    throw refused(`--map: "${unknown}" is no count; accepted are ${IMPORT_COLUMNS.join(', ')}`);
  const read = files.map((file, index) => {
    const prefix = files.length === 1 ? '' : `${file.name}: `;
    // Rows of files add up: one that is given twice would count twice.
    const same = files.slice(0, index).find(({ text }) => text === file.text);
    if (same !== undefined) throw refused(`${file.name} holds the same as ${same.name}; leave one of them out`);
    const table = readTable(file, prefix);
    const rows = table.rows.map((row, place): PlacedRow => ({ row, number: place + 1, prefix }));
    return { rows, unused: findUnused(table, { format: file.format, map: columns, prefix }) };
  });
  return { rows: read.flatMap(({ rows }) => rows), unused: [...new Set(read.flatMap(({ unused }) => unused))] };
}

function readTable({ text, format }: UsageFile, prefix: string): Table {
  try {
    return format === 'csv' ? parseCsv(text) : readJson(text);
  } catch (cause) {
    throw new StrataError(
      'invalid_parameter',
      `${prefix}the file is not ${format}: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    );
  }
}

/** A day that the file names is replaced: without a count that is read, what is stored would be gone. */
function findUnused(
  { rows, columns }: Table,
  {
    format,
    map,
    prefix,
  }: { readonly format: UsageFile['format']; readonly map: UsageFiles['columns']; readonly prefix: string },
): readonly string[] {
  if (columns.length === 0 && rows.length === 0) {
    if (format === 'json') return [];
    throw refused(`${prefix}the file is empty; expected a line of column names, and a row for each day and person`);
  }
  const missing = Object.values(map).find((name) => !columns.includes(name));
  if (missing !== undefined && columns.length > 0) {
    throw refused(`${prefix}the file has no column "${missing}"; it has ${listNames(columns)}`);
  }
  const columnOf = (name: string): string => map[name] ?? name;
  const read = new Set(IMPORT_COLUMNS.map(columnOf));
  const unused = columns.filter((name) => !read.has(name));
  const counts = COUNTS.map(columnOf).filter((name) => columns.includes(name));
  const isCounted = rows.length === 0 || rows.some((row) => counts.some((name) => (row[name] ?? '').trim() !== ''));
  if (counts.length > 0 && isCounted) return unused;
  throw refused(
    `${prefix}the file has no count that can be read, so nothing was stored; columns that nothing reads: ${listNames(unused) || 'none'}; ` +
      `a count is one of ${COUNTS.join(', ')}, by this name or with --map lines_added=<column>`,
  );
}

const listNames = (names: readonly string[]): string =>
  [
    ...names.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_SHOWN)),
    ...(names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : []),
  ].join(', ');

function readJson(text: string): Table {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('expected a list of objects');
  const rows = value.map((each: unknown) => {
    if (typeof each !== 'object' || each === null) throw new Error('expected a list of objects');
    return Object.fromEntries(Object.entries(each).map(([name, cell]) => [name, cell === null ? '' : String(cell)]));
  });
  return { rows, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))] };
}

interface DayUsage {
  readonly day: string;
  readonly usage: CollectedUsage;
}

/** The UTC day, by the rules of submitted usage; a text in words, which could be misread, is not taken. */
function readDay(text: string, number: number, now: Date): string {
  const time = text.length > LONGEST_SHOWN ? undefined : readIsoTime(text, 'UTC');
  if (time === undefined || time === null || !isAcceptedInstant(time, now)) {
    throw refused(
      `row ${number}: "${text.slice(0, LONGEST_SHOWN)}" is no date ${ACCEPTED_DATES}, such as 2026-10-05 or ` +
        '2026-10-05T23:30:00-05:00; map the column with --map date=<column>',
    );
  }
  requirePastDay({ [`row ${number}: date`]: time }, now);
  return time.toISOString().slice(0, 10);
}

const PLAIN_NUMBER = /^(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** A comma that does not part thousands may be a decimal one: 0,125 is an eighth somewhere. */
const THOUSANDS = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;

function readUsage(row: FileRow, { tool, columns }: UsageFiles, number: number, now: Date): DayUsage {
  const cell = (name: string): string => ((columns[name] ?? name) in row ? row[columns[name] ?? name]!.trim() : '');
  const day = readDay(cell('date'), number, now);
  const kind = Object.keys(IDENTITIES).find((name) => cell(name) !== '');
  const numberIn = (name: string, most: number): number | null => {
    const text = cell(name);
    if (text === '') return null;
    const value = PLAIN_NUMBER.test(text) || THOUSANDS.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN;
    if (value >= 0 && value <= most) return value;
    const column = columns[name] === undefined ? name : `${name} (column ${columns[name]})`;
    throw refused(
      `row ${number}: ${column}: "${text.slice(0, LONGEST_SHOWN)}" is not accepted; expected a number from 0 to ${most}, ` +
        'such as 1234567.89 or 1,234,567.89',
    );
  };
  const { model, provider } = usageModel(tool);
  const cents = numberIn('cents_cost', MOST_CENTS);
  const counts = Object.fromEntries(
    ACTIVITY_COUNTS.map((name) => {
      const value = numberIn(name, MOST_OF[name]);
      return [name, value === null ? null : Math.round(value)];
    }),
  );
  return {
    day,
    usage: {
      ...counts,
      ai_provider_em: provider === 'custom' ? 'other' : provider,
      tool_em: tool,
      llm_model_name: cell('model') === '' ? model : usageModel(cell('model')).model,
      identity: kind === undefined ? null : { kind_em: IDENTITIES[kind]!, value: cell(kind) },
      cost_microcents: cents === null ? null : Math.round(cents * MICROCENTS_PER_CENT),
    },
  };
}
