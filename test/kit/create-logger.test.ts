import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, type LogOptions } from '../../src/kit/create-logger.ts';

const SECRET = `strata_${'x1'.repeat(21)}y`;

function logged(options: Partial<LogOptions>, write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  write(createLogger({ level: 'info', format: 'json', isTerminal: false, destination, ...options }));
  return text;
}

describe('logs', () => {
  it('are one JSON object per line where no terminal is', () => {
    const text = logged({ format: 'auto' }, (logger) => logger.info({ trace_identifier: 'abc' }, 'served'));
    expect(JSON.parse(text)).toMatchObject({ level: 30, msg: 'served', trace_identifier: 'abc' });
  });

  it('are words on a terminal', () => {
    const text = logged({ format: 'auto', isTerminal: true }, (logger) => logger.warn({ jobs: 3 }, 'stopping'));
    expect(text).toMatch(/WARN.*stopping/);
    expect(text).toMatch(/jobs.*3/);
  });

  it('leave out what is below the level', () => {
    expect(logged({ level: 'warn' }, (logger) => logger.info('hush'))).toBe('');
  });

  it.each(['json', 'pretty'] as const)('hold no secret, wherever it stands (%s)', (format) => {
    const text = logged({ format }, (logger) => {
      logger.info({ token: SECRET }, 'a');
      logger.info({ req: { headers: { authorization: `Bearer ${SECRET}` } } }, 'b');
      logger.info({ url: `/x?api_token=${SECRET}` }, `c ${SECRET}`);
      logger.error(new Error('cannot reach postgres://me:hunter2@db/strata'));
      logger.error({ err: new Error('x', { cause: new Error(`postgresql://me:hunter2@db ${SECRET}`) }) }, 'd');
    });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('hunter2');
    expect(text).toContain('strata_***');
    expect(text).toContain('postgres://me:***@db/strata');
  });
});
