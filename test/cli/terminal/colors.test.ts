// Colours as programs decide about them: by the kind of stream and by what the user says.
import { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { isColored } from '../../../src/cli/terminal/text.ts';

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
