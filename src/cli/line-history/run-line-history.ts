// What `strata line-history` does: tells how one line of code came to be, newest change first.
import { ACCEPTED_DATES, isAcceptedDate } from '../../domain/calendar/accepted-dates.ts';
import { StrataError } from '../../domain/errors.ts';
import {
  type HistoryEnd,
  type LineHistory,
  type LineHistoryEntry,
  LineHistoryError,
  type LineHistoryOperation,
  type LineQuestion,
  type OpenLineHistory,
  openLineHistory,
} from '../../engine/line-history/index.ts';
import { tuneForAnalysis } from '../analyze/tune-v8.ts';
import { openOrExplain } from '../open-or-explain.ts';
import { plainText, shortenPath } from '../terminal/text.ts';
import { optionText, type VerbCall } from '../verb.ts';
import { pathsOfFile } from './paths-of-file.ts';

const FORMATS = ['table', 'json'] as const;

export async function runLineHistory(call: VerbCall): Promise<void> {
  const repoPath = call.args[0] ?? '';
  const format = oneOf('--format', optionText(call, 'format') ?? 'table', FORMATS);
  const question = readQuestion(call);
  const environment = call.parts.childEnvironment();
  tuneForAnalysis();
  const history = await openOrExplain(repoPath, () => openLineHistory(repoPath, { environment, readsPacks: true }));
  try {
    const sha = await findSha(history, optionText(call, 'sha') ?? 'HEAD');
    const found = await firstFound(pathsOfFile(repoPath, question.path), (path) =>
      history.history({ ...question, path, sha }),
    );
    if (format === 'json') call.out(JSON.stringify({ line_history: found.line_history }, null, 2));
    else for (const line of describeHistory(found)) call.out(line);
  } catch (error) {
    if (!(error instanceof LineHistoryError)) throw error;
    throw new StrataError(error.parameter === null ? 'unprocessable' : 'invalid_parameter', asFlags(error.message));
  } finally {
    history.close();
  }
}

/** Where no path names a file, what is said of the first. */
async function firstFound<T>(paths: readonly string[], find: (path: string) => Promise<T>): Promise<T> {
  let first: LineHistoryError | null = null;
  for (const path of paths) {
    try {
      return await find(path);
    } catch (error) {
      if (!(error instanceof LineHistoryError) || error.code !== 'unknown_file') throw error;
      first ??= error;
    }
  }
  throw first;
}

const SHA = /^[0-9a-f]{4,64}$/i;

/** A sha or its beginning is left to the engine, which says what is wrong with it. */
async function findSha(history: OpenLineHistory, name: string): Promise<string> {
  const sha = SHA.test(name) ? name : await history.resolve(name);
  if (sha !== null) return sha;
  const accepted = 'a sha or at least four of its digits, a branch, a tag or HEAD';
  throw new StrataError('invalid_parameter', `--sha: ${JSON.stringify(name)} is no commit here; expected ${accepted}`);
}

function readQuestion(call: VerbCall): Omit<LineQuestion, 'sha'> {
  const maxHops = optionText(call, 'maxHops');
  const earliest = optionText(call, 'earliest');
  return {
    path: optionText(call, 'file')!,
    lineNumber: wholeNumber('--line', optionText(call, 'line')!),
    side: call.options.before ? 'before' : 'after',
    ...(maxHops === undefined ? {} : { maxHops: wholeNumber('--max-hops', maxHops) }),
    ...(earliest === undefined ? {} : { earliest: dateOf('--earliest', earliest) }),
  };
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StrataError('invalid_parameter', `${flag}: ${JSON.stringify(text)} is not a whole number`);
}

function dateOf(flag: string, text: string): Date {
  if (isAcceptedDate(text, new Date())) return new Date(`${text}T00:00:00Z`);
  const expected = `a date ${ACCEPTED_DATES} as YYYY-MM-DD`;
  throw new StrataError('invalid_parameter', `${flag}: ${JSON.stringify(text)} is not accepted; expected ${expected}`);
}

function oneOf<T extends string>(flag: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === text);
  if (found !== undefined) return found;
  throw new StrataError(
    'invalid_parameter',
    `${flag}: ${JSON.stringify(text)} is unknown; expected ${accepted.join(' or ')}`,
  );
}

/** The engine names parameters as the API does; here they are flags. */
function asFlags(message: string): string {
  return message.replace(/^(sha|file_path|line_number_(?:after|before)|max_hops): /, (_, name: string) =>
    name === 'sha' ? '--sha: ' : name === 'file_path' ? '--file: ' : name === 'max_hops' ? '--max-hops: ' : '--line: ',
  );
}

const OPERATION_WORDS: Record<LineHistoryOperation, string> = {
  operation_add: 'added',
  operation_chg: 'changed',
  operation_del: 'deleted',
  operation_move: 'moved',
  operation_find_replace: 'replaced',
  operation_copy_paste: 'copied',
};

const END_WORDS: Record<HistoryEnd, string> = {
  origin: 'The line begins here.',
  max_hops: 'There are older changes; --max-hops shows more.',
  earliest: 'There are older changes; --earliest reaches further back.',
  missing_object: 'This clone does not hold what came before.',
};

function describeHistory({ line_history, ended_by }: LineHistory): string[] {
  if (line_history.length === 0) return ['No change of this line is within the dates asked for.'];
  return [...line_history.flatMap((entry) => [...describeEntry(entry), '']), END_WORDS[ended_by]];
}

const PATH_WIDTH = 60;

function describeEntry(entry: LineHistoryEntry): string[] {
  const subject = entry.commit_message.split('\n', 1)[0]!;
  const who = `${entry.author.full_name || entry.author.email}${entry.authored_by_llm ? ' (AI)' : ''}`;
  const scope = [entry.containing_class_or_module, entry.scoped_function_name]
    .filter((part) => part !== null)
    .join('.');
  const facts = [
    placeOf(entry),
    scope === '' ? null : `in ${scope}`,
    entry.time_since_previous_change === null
      ? null
      : `${spanOf(entry.time_since_previous_change)} after the change before`,
    entry.churn === null ? null : 'churn',
  ].filter((part) => part !== null);
  return [
    `${entry.authored_at.slice(0, 10)}  ${entry.commit_sha.slice(0, 10)}  ${OPERATION_WORDS[entry.operation_em].padEnd(8)}  ${plainText(who)}: ${plainText(subject)}`,
    `            ${facts.map(plainText).join(', ')}`,
    `            │ ${plainText(entry.line_explanation.replaceAll('\t', '  '))}`,
  ];
}

function placeOf(entry: LineHistoryEntry): string {
  const place = (path: string | null, line: number | null): string => `${shortenPath(path ?? '', PATH_WIDTH)}:${line}`;
  const after = place(entry.code_file_path_after, entry.line_number_after);
  const before = place(entry.code_file_path_before, entry.line_number_before);
  if (entry.line_number_after === null) return before;
  if (entry.line_number_before === null || entry.code_file_path_before === entry.code_file_path_after) return after;
  return `${before} → ${after}`;
}

const SPANS = [
  ['year', 365 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function spanOf(seconds: number): string {
  const [unit, size] = SPANS.find(([, each]) => seconds >= each) ?? SPANS.at(-1)!;
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
