// The one logger of a process: JSON lines, or readable text on a terminal. Every finished line passes a
// filter that blanks what looks like a secret, so that no field, message or stack can leak one.
import { type DestinationStream, type Logger, pino } from 'pino';
import { packageOnUse } from './packages/package-on-use.ts';
import { harmless } from './text/harmless.ts';

export const BLANK = '[redacted]';

const SECRET_NAME = String.raw`[\w-]*(?:token|secret|password|passwd|pwd|authorization|api[_-]?key|private[_-]?key|cookie)`;
// name=value, name: value and "name":"value", also inside a string that is itself quoted. Backslashes are
// those of such a string; the opening and closing quotes are kept, so that the line stays valid JSON.
const NAMED = new RegExp(
  String.raw`\b(${SECRET_NAME}(?:\\*["'])?\s*[=:]\s*)(?:(\\*)(["'])(?:(?!\2\3)[^]|\\\\)*?(\2\3)|[^\s&;,"'}\]\\]+)`,
  'gi',
);
const SHAPED: readonly [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${BLANK}`],
  [/\b(?:strata_|gh[pousr]_|github_pat_|glpat-|ATATT|ATBB|sk-|xox[abprs]-)[\w.=-]{8,}/g, BLANK],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]*:[^\s/@"'\\]*@/gi, `$1${BLANK}@`],
];

// A cheap look first: hardly any line holds one.
const SUSPECT =
  /token|secret|passw|pwd|authorization|key|cookie|bearer|basic|strata_|gh[pousr]_|_pat_|glpat|AT[AB]|sk-|xox|:\/\//i;

export function blankSecrets(line: string): string {
  if (!SUSPECT.test(line)) return line;
  const shaped = SHAPED.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
  return shaped.replace(NAMED, (_, name: string, slashes: string | undefined, quote: string | undefined) => {
    const edge = quote === undefined ? (name.endsWith('":') ? '"' : '') : `${slashes}${quote}`;
    return `${name}${edge}${BLANK}${edge}`;
  });
}

/** Only what helps: drivers put statements, parameters and rows on their errors. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.constructor.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** Of the readable text. */
  readonly isColored?: boolean;
  readonly destination: { write(text: string): unknown };
}

const prettyPrinter = packageOnUse('pino-pretty');

const showObeyed = (_name: string, value: unknown): unknown => (typeof value === 'string' ? harmless(value) : value);

export function createLog({ level, format, isColored = true, destination }: LogOptions): Logger {
  // Made for the first line: most commands write none.
  let made: ReturnType<ReturnType<typeof prettyPrinter>['prettyFactory']> | null = null;
  const pretty = (line: object): string => {
    made ??= prettyPrinter().prettyFactory({ colorize: isColored, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
    return made(line);
  };
  // On a terminal names and messages of others are shown, not obeyed; the colours come after that.
  const toText = format === 'pretty' ? (line: string) => pretty(JSON.parse(line, showObeyed)) : String;
  const filtered: DestinationStream = { write: (line) => void destination.write(toText(blankSecrets(line))) };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Requests and replies are never written whole: their headers and addresses hold secrets.
      serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    },
    filtered,
  );
}
