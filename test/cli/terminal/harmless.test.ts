import { expect, test } from 'vitest';
import { harmless } from '../../../src/cli/terminal/harmless.ts';
import { paint } from '../../../src/cli/terminal/text.ts';
import { csvCell } from '../../../src/kit/text/text-table.ts';

test.each([
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['\u001b[8mhidden', '\\u001b[8mhidden'],
  ['over\rwritten\b', 'over\\u000dwritten\\u0008'],
  ['\u009b2J', '\\u009b2J'],
  ['evil\u202etxt.exe', 'evil\\u202etxt.exe'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
])('what a terminal would obey is shown: %j', (text, shown) => expect(harmless(text)).toBe(shown));

test('our own colours get through', () => {
  const { strong, heading, faint, chart } = paint(true);
  for (const colour of [strong, heading, faint, chart]) expect(harmless(colour('x'))).toBe(colour('x'));
});

test.each([
  ['=cmd()', "'=cmd()"],
  ['+1', "'+1"],
  ['@a', "'@a"],
  ['-a,b', '"\'-a,b"'],
  ['say "x"', '"say ""x"""'],
  ['plain/path.ts', 'plain/path.ts'],
])('a cell of CSV is no formula: %j', (text, cell) => expect(csvCell(text)).toBe(cell));
