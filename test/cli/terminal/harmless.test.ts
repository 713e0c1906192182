import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paint, plainText } from '../../../src/cli/terminal/text.ts';
import { createLog } from '../../../src/kit/create-log.ts';
import { harmless } from '../../../src/kit/text/harmless.ts';
import { csvCell } from '../../../src/kit/text/text-table.ts';

test.each([
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['\u001b[8mhidden', '\\u001b[8mhidden'],
  ['over\rwritten\b', 'over\\u000dwritten\\u0008'],
  ['\u009b2J', '\\u009b2J'],
  ['evil\u202etxt.exe', 'evil\\u202etxt.exe'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['a,b\r\nc,d\r\n', 'a,b\r\nc,d\r\n'],
  ['{"name":"\u009b"}', '{"name":"\\u009b"}'],
])('what a terminal would obey is shown: %j', (text, shown) => expect(harmless(text)).toBe(shown));

test.each([
  ['\u001b[2Jgone', '?[2Jgone'],
  ['\u009b2J', '?2J'],
  ['\u0085next', '?next'],
  ['evil\u202etxt.exe', 'evil?txt.exe'],
])('a name in a table or chart holds nothing that a terminal would obey: %j', (text, shown) =>
  expect(plainText(text)).toBe(shown),
);

test('our own colours get through', () => {
  const { strong, heading, faint, chart } = paint(true);
  for (const colour of [strong, heading, faint, chart]) expect(harmless(colour('x'))).toBe(colour('x'));
});

test('the log on a terminal shows it too, wherever it stands', () => {
  let text = '';
  const log = createLog({ level: 'info', format: 'pretty', destination: { write: (line: string) => (text += line) } });
  const evil = 'a\u001b[2J\u009b2J\u202eb\rc';
  log.info({ name: evil, err: new Error(evil), deep: { list: [evil] } }, evil);
  expect(text.match(/a\\+u001b\[2J\\+u009b2J\\+u202eb\\+u000dc/g)?.length).toBeGreaterThanOrEqual(4);
  expect(text.replace(/\u001b\[\d{1,2}m/g, '')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test('everything that a command prints goes through one place, which shows it', () => {
  const writers = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /process\.std(?:out|err)\.write|\bconsole\./.test(readFileSync(path, 'utf8')));
  expect(writers).toEqual(['src/main.ts']);
  const printed = readFileSync('src/main.ts', 'utf8').match(/process\.std(?:out|err)\.write\(.*/g) ?? [];
  expect(printed.filter((line) => !line.includes('{harmless(line)}'))).toEqual([]);
  expect(printed).toHaveLength(2);
});

test.each([
  ['=cmd()', "'=cmd()"],
  ['+1', "'+1"],
  ['@a', "'@a"],
  ['-a,b', '"\'-a,b"'],
  ['say "x"', '"say ""x"""'],
  ['plain/path.ts', 'plain/path.ts'],
])('a cell of CSV is no formula: %j', (text, cell) => expect(csvCell(text)).toBe(cell));
