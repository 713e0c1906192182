// Colours as programs decide about them: by the kind of stream and by what the user says.
import { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { isColored } from '../../../src/cli/terminal/text.ts';
import { createLog } from '../../../src/kit/create-log.ts';

const terminalOf = (environment: Record<string, string>) => ({
  isTTY: true as const,
  hasColors: () => WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, environment),
});

test.each([
  [{ TERM: 'xterm-256color' }, true],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('a terminal with %j has colours: %s', (environment, expected) => {
  expect(isColored(terminalOf(environment))).toBe(expected);
});

test('a pipe has none', () => expect(isColored({})).toBe(false));

test.each([true, false])('a log that is read on a terminal has colours: %s', (isColored) => {
  let text = '';
  const destination = { write: (part: string) => (text += part) };
  createLog({ level: 'info', format: 'pretty', isColored, destination }).info('ready');
  expect(text).toContain('ready');
  expect(text.includes('\u001b')).toBe(isColored);
});
