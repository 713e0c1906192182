// Usage from a file, for tools whose providers have no call for it: CSV or JSON with a map from its columns to ours. A day
// that the file names is replaced as a whole, for the tool that it is of, so that a file can be read again.

import type { CollectedUsage } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import { listOverAccepted, MICROCENTS_PER_CENT, MOST_CENTS, MOST_OF } from '../../domain/ai/usage-limits.ts';
import { ACTIVITY_COUNTS, type IdentityKind } from '../../domain/ai/usage-sources.ts';
import { ACCEPTED_DATES, isAcceptedInstant } from '../../domain/calendar/accepted-dates.ts';
import { requirePastDay } from '../../domain/calendar/not-in-the-future.ts';
import { readIsoTime } from '../../domain/calendar/read-iso-time.ts';
import { StrataError } from '../../domain/errors.ts';
import { counted } from '../../kit/text/counted.ts';
import { mergeUsages, replaceCollectedDay } from '../../storage/ai/collected-usages.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { parseCsv } from './parse-csv.ts';

export interface UsageFile {
  readonly text: string;
  readonly format: 'csv' | 'json';
  readonly tool: string;
  /** Our name → the file's column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Reads and judges the file, and stores nothing. */
  readonly isDryRun: boolean;
}

export interface ImportedUsage {
  readonly rows: number;
  readonly days: number;
  /** First and last day; null for a file without rows. */
  readonly from: string | null;
  readonly to: string | null;
  /** People that the file names. */
  readonly people: number;
  /** Columns of the file that nothing reads. */
  readonly unused_columns: readonly string[];
  readonly is_dry_run: boolean;
}

export interface UsageImportOperations {
  importFile(grant: Grant<'admin'>, file: UsageFile): Promise<ImportedUsage>;
}

const IDENTITIES: Readonly<Record<string, IdentityKind>> = { email: 'email', login: 'login', user_id: 'user_id' };
/** What a column can be. */
const COUNTS = ['cents_cost', ...ACTIVITY_COUNTS] as const;
const IMPORT_COLUMNS = ['date', 'model', 'cents_cost', ...Object.keys(IDENTITIES), ...ACTIVITY_COUNTS] as const;

const refused = (message: string): StrataError => new StrataError('invalid_parameter', message);

export function createUsageImportOperations({ store: { db }, now }: OperationParts): UsageImportOperations {
  return {
    async importFile({ entity }, file) {
      const { rows, unused } = readTable(file);
      const days = readDays(rows, file, now());
      const dates = [...days.keys()].toSorted();
      const named = [...days.values()].flat().flatMap(({ identity }) => identity?.value.toLowerCase() ?? []);
      const imported = {
        rows: rows.length,
        days: days.size,
        from: dates[0] ?? null,
        to: dates.at(-1) ?? null,
        people: new Set(named).size,
        unused_columns: unused,
        is_dry_run: file.isDryRun,
      };
      if (file.isDryRun) return imported;
      await inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entity.id);
        for (const [used_on, usages] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          const place = { source: 'import', llm_token_id: null, used_on, tools: [file.tool] } as const;
          await replaceCollectedDay(trx, entity.id, place, usages, now());
        }
      });
      return imported;
    },
  };
}

const MOST_NAMED = 10;
const LONGEST_SHOWN = 40;

/** All rows are good, or none is stored; every bad one is named, up to a number. */
function readDays(rows: readonly FileRow[], file: UsageFile, now: Date): Map<string, CollectedUsage[]> {
  const days = new Map<string, CollectedUsage[]>();
  const bad: string[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      const { day, usage } = readUsage(row, file, index + 1, now);
      const usages = days.get(day);
      if (usages === undefined) days.set(day, [usage]);
      else usages.push(usage);
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      bad.push(error.message);
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

interface Table {
  readonly rows: readonly FileRow[];
  /** The names of its columns. */
  readonly columns: readonly string[];
}

function readTable(file: UsageFile): Pick<Table, 'rows'> & { readonly unused: readonly string[] } {
  const { text, format, columns: map } = file;
  const unknown = Object.keys(map).find((name) => !IMPORT_COLUMNS.some((known) => known === name));
  if (unknown !== undefined)
    throw refused(`--map: "${unknown}" is no count; accepted are ${IMPORT_COLUMNS.join(', ')}`);
  let table: Table;
  try {
    table = format === 'csv' ? parseCsv(text) : readJson(text);
  } catch (cause) {
    throw new StrataError(
      'invalid_parameter',
      `the file is not ${format}: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    );
  }
  return { rows: table.rows, unused: findUnused(table, file) };
}

/** A day that the file names is replaced: without a count that is read, what is stored would be gone. */
function findUnused({ rows, columns }: Table, { format, columns: map }: UsageFile): readonly string[] {
  if (columns.length === 0 && rows.length === 0) {
    if (format === 'json') return [];
    throw refused('the file is empty; expected a line of column names, and a row for each day and person');
  }
  const missing = Object.values(map).find((name) => !columns.includes(name));
  if (missing !== undefined && columns.length > 0) {
    throw refused(`the file has no column "${missing}"; it has ${listNames(columns)}`);
  }
  const columnOf = (name: string): string => map[name] ?? name;
  const read = new Set(IMPORT_COLUMNS.map(columnOf));
  const unused = columns.filter((name) => !read.has(name));
  const counts = COUNTS.map(columnOf).filter((name) => columns.includes(name));
  const isCounted = rows.length === 0 || rows.some((row) => counts.some((name) => (row[name] ?? '').trim() !== ''));
  if (counts.length > 0 && isCounted) return unused;
  throw refused(
    `the file has no count that can be read, so nothing was stored; columns that nothing reads: ${listNames(unused) || 'none'}; ` +
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

function readUsage(row: FileRow, { tool, columns }: UsageFile, number: number, now: Date): DayUsage {
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
