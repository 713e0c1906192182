// Structured logs: for people on a terminal, JSON elsewhere. Secrets are cut out before a line is made.
import { type DestinationStream, type Logger, pino } from 'pino';
import { build } from 'pino-pretty';

export type { Logger };

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'pretty' | 'json';
  readonly isTerminal: boolean;
  /** Where lines go; standard output when left out. */
  readonly destination?: DestinationStream;
}

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'api_token',
  'database_url',
  'connectionString',
];
/** Each secret at the top, one and two levels down: deep enough for `req.headers.authorization`. */
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

// A token or a database password can also stand inside a message, for example in a driver's error.
const SECRET_TEXT: readonly [RegExp, string][] = [
  [/strata_[A-Za-z0-9_-]{20,}/g, 'strata_***'],
  [/(postgres(?:ql)?:\/\/[^:@/\s]*):[^@/\s]+@/gi, '$1:***@'],
];

export const hideSecrets = (text: string): string =>
  SECRET_TEXT.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), text);

export function createLogger({ level, format, isTerminal, destination }: LogOptions): Logger {
  const pretty = format === 'pretty' || (format === 'auto' && isTerminal);
  const target = destination ?? process.stdout;
  const printer = pretty
    ? build({
        colorize: isTerminal,
        ignore: 'pid,hostname',
        translateTime: 'HH:MM:ss',
        sync: true,
        destination: target,
      })
    : target;
  const safe: DestinationStream = { write: (line) => printer.write(hideSecrets(line)) };
  return pino(
    { level, redact: { paths: SECRET_PATHS, censor: '***' }, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    safe,
  );
}
