// The bar as a terminal shows it: what is written is played back on one line.
import { expect, test, vi } from 'vitest';
import { createProgressBar } from '../../../src/cli/terminal/progress-bar.ts';

/** The line after everything that was written. */
function shownAfter(written: readonly string[]): string {
  const line: string[] = [];
  let at = 0;
  for (const letter of written.join('')) {
    if (letter === '\r') at = 0;
    else line[at++] = letter;
  }
  return line.join('').trimEnd();
}

test.each([
  [60, `${'█'.repeat(15)}${'░'.repeat(15)} 5000 of 10000 commits`],
  [40, `${'█'.repeat(9)}${'░'.repeat(8)} 5000 of 10000 commits`],
  [25, '5000 of 10000 commits'],
  [10, '5000 of 1'],
])('a bar stays in its row on a terminal of %i columns', (columns, shown) => {
  const written: string[] = [];
  const stream = {
    isTTY: true,
    columns,
    write: (part: string | Uint8Array) => written.push(String(part)) > 0,
  } as const;
  createProgressBar(stream).show(5_000, 10_000);
  expect(shownAfter(written)).toBe(shown);
  expect(shown.length).toBeLessThan(columns);
});

test('a bar replaces the one before, and leaves nothing, without escape sequences', () => {
  const written: string[] = [];
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const bar = createProgressBar({ isTTY: true, write: (part) => written.push(String(part)) > 0 });
  bar.show(900, 1000);
  now.mockReturnValue(2_000);
  bar.show(1, 2);
  now.mockRestore();
  expect(shownAfter(written)).toBe(`${'█'.repeat(15)}${'░'.repeat(15)} 1 of 2 commits`);
  bar.close();
  expect(shownAfter(written)).toBe('');
  expect(written.join('')).not.toContain('\u001b');
});
