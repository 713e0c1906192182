// Usage from a file, for tools whose providers have no call for it: CSV or JSON with a map from its columns to ours. A day
// that the file names is replaced as a whole, for the tool that it is of, so that a file can be read again.
import type { CollectedUsage } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import { ACTIVITY_COUNTS, type IdentityKind } from '../../domain/ai/usage-sources.ts';
import { StrataError } from '../../domain/errors.ts';
import { parseCsv } from '../../kit/parse-csv.ts';
import { replaceCollectedDay } from '../../storage/ai/collected-usages.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface UsageFile {
  readonly text: string;
  readonly format: 'csv' | 'json';
  readonly tool: string;
  /** Our name → the file's column. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface ImportedUsage {
  readonly rows: number;
  readonly days: number;
}

export interface UsageImportOperations {
  importFile(grant: Grant<'admin'>, file: UsageFile): Promise<ImportedUsage>;
}

const IDENTITIES: Readonly<Record<string, IdentityKind>> = { email: 'email', login: 'login', user_id: 'user_id' };
/** What a column can be. */
export const IMPORT_COLUMNS = ['date', 'model', 'cents_cost', ...Object.keys(IDENTITIES), ...ACTIVITY_COUNTS] as const;

const refused = (message: string): StrataError => new StrataError('invalid_parameter', message);

export function createUsageImportOperations({ store: { db }, now }: OperationParts): UsageImportOperations {
  return {
    async importFile({ entity }, file) {
      const rows = readRows(file);
      const days = new Map<string, CollectedUsage[]>();
      for (const [index, row] of rows.entries()) {
        const { day, usage } = readUsage(row, file, index + 1);
        days.set(day, [...(days.get(day) ?? []), usage]);
      }
      await db.transaction().execute(async (trx) => {
        await bumpDataVersion(trx, entity.id);
        for (const [used_on, usages] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          const place = { source: 'import', llm_token_id: null, used_on, tools: [file.tool] } as const;
          await replaceCollectedDay(trx, entity.id, place, usages, now());
        }
      });
      return { rows: rows.length, days: days.size };
    },
  };
}

type FileRow = Readonly<Record<string, string>>;

function readRows({ text, format, columns }: UsageFile): FileRow[] {
  const unknown = Object.keys(columns).find((name) => !IMPORT_COLUMNS.some((known) => known === name));
  if (unknown !== undefined)
    throw refused(`--map: "${unknown}" is no count; accepted are ${IMPORT_COLUMNS.join(', ')}`);
  let rows: FileRow[];
  try {
    rows = format === 'csv' ? parseCsv(text) : readJson(text);
  } catch (cause) {
    throw new StrataError(
      'invalid_parameter',
      `the file is not ${format}: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    );
  }
  for (const name of Object.values(columns)) {
    if (rows.length > 0 && !Object.hasOwn(rows[0]!, name)) {
      throw refused(`the file has no column "${name}"; it has ${Object.keys(rows[0]!).join(', ')}`);
    }
  }
  return rows;
}

function readJson(text: string): FileRow[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('expected a list of objects');
  return value.map((each: unknown) =>
    Object.fromEntries(Object.entries(each as object).map(([name, cell]) => [name, cell === null ? '' : String(cell)])),
  );
}

function readUsage(row: FileRow, { tool, columns }: UsageFile, number: number): { day: string; usage: CollectedUsage } {
  const cell = (name: string): string => ((columns[name] ?? name) in row ? row[columns[name] ?? name]!.trim() : '');
  const day = /^\d{4}-\d{2}-\d{2}/.exec(cell('date'))?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day))) {
    throw refused(`row ${number}: "${cell('date').slice(0, 40)}" is no date; map the column with --map date=<column>`);
  }
  const kind = Object.keys(IDENTITIES).find((name) => cell(name) !== '');
  const numberIn = (name: string): number | null => {
    const text = cell(name);
    if (text === '') return null;
    const value = Number(text.replace(/,(?=\d{3})/g, ''));
    if (!Number.isFinite(value) || value < 0)
      throw refused(`row ${number}: "${text.slice(0, 40)}" is no count of ${name}`);
    return value;
  };
  const { model, provider } = usageModel(tool);
  const cents = numberIn('cents_cost');
  const counts = Object.fromEntries(
    ACTIVITY_COUNTS.map((name) => {
      const value = numberIn(name);
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
      cost_microcents: cents === null ? null : Math.round(cents * 1_000_000),
    },
  };
}
