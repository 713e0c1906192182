// The hashes of a file's lines are those of the file alone, whichever file was hashed before it in the same memory.
import { expect, test } from 'vitest';
import { dropClassifyKernel } from '../../../src/engine/judge/classify-kernel.ts';
import { hashFileLines } from '../../../src/engine/judge/hash-lines.ts';
import { createRandom } from '../../world/random-history.ts';

const LINES = [
  '',
  '\n',
  '}\n',
  '\t\n',
  'one line\n',
  'a line that is longer than sixteen bytes\n',
  'x = 1\r\n',
  '// no\n',
];

test.each([3, 4, 5])('random edits %i: a file has the same hashes behind any other as in fresh memory', (seed) => {
  const random = createRandom(seed);
  const lines = Array.from({ length: 40 }, () => LINES[random(LINES.length)]!);
  for (let version = 0; version < 60; version++) {
    for (let edits = random(4); edits > 0; edits--) {
      const at = random(lines.length + 1);
      const added = Array.from({ length: random(5) }, () => LINES[random(LINES.length)]!);
      lines.splice(at, random(5), ...added);
    }
    const size = random(30) === 0 ? 300 : 1;
    const text = lines.join('').repeat(size) + (random(3) === 0 ? 'no line feed' : '');
    const bytes = Buffer.from(text);
    const behind = hashFileLines(bytes);
    dropClassifyKernel();
    const alone = hashFileLines(bytes);
    expect(Buffer.compare(Buffer.from(behind.buffer), Buffer.from(alone.buffer)), text).toBe(0);
    expect(alone.length).toBe(text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0));
    // Each line has the hash that it has by itself.
    if (version % 10 === 0 && size === 1) {
      const single = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      expect([...alone]).toEqual(single.flatMap((line) => [...hashFileLines(Buffer.from(line))]));
    }
  }
});
