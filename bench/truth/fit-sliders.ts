// Holds the table of kernel/diff/split-cost.ts against git: builds sliders, groups of removed lines that can stand in two
// places, asks the git program where it puts each, and says how many of the choices the table would make otherwise. With
// `--write` it writes what was seen as an integer program in the LP format, which any solver reads: the table is its
// solution, the whole numbers of the least sum that agree with every choice.
//
//   node --import ./bench/typescript.mjs bench/truth/fit-sliders.ts [--sliders 180000] [--seed 5] [--write FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gitHunks, type TextPair } from '../../test/oracles/hunks.ts';
import { createRandom } from '../../test/world/random-history.ts';

const { values } = parseArgs({
  options: {
    sliders: { type: 'string', default: '180000' },
    seed: { type: 'string', default: '5' },
    write: { type: 'string' },
  },
});
const random = createRandom(Number(values.seed));

/** What a split between two lines may cost, and what it costs by the table; the last one is for the less indented of two places. */
const FEATURES = [
  ['first line of all', 1],
  ['end of the file', -3],
  ['blank line around', -30],
  ['blank line behind', 6],
  ['deeper', -4],
  ['deeper, with blank', 10],
  ['shallower before deeper', 24],
  ['shallower before deeper, with blank', 17],
  ['shallower', 23],
  ['shallower, with blank', 17],
  ['sign of the depth', 60],
] as const;
const DEPTH_SIGN = FEATURES.length - 1;

interface Place {
  readonly features: readonly number[];
  readonly depth: number;
}
const indentOf = (line: string): number => (line.trim() === '' ? -1 : line.length - line.trimStart().length);

/** What there is to see where a file is split before a line. */
function addSplit(indents: readonly number[], at: number, features: number[]): number {
  let above = at - 1;
  while (above >= 0 && indents[above] === -1) above--;
  let line = at;
  while (line < indents.length && indents[line] === -1) line++;
  const blanksBehind = line - at;
  const blanks = blanksBehind + at - 1 - above;
  const isEnd = line === indents.length;
  if (above < 0 && !isEnd && at === 0) features[0]! += 1;
  if (at === indents.length) features[1]! += 1;
  features[2]! += blanks;
  features[3]! += blanksBehind;
  if (isEnd) return -1;
  const depth = indents[line]!;
  if (above < 0) return depth;
  const withBlank = blanks > 0 ? 1 : 0;
  if (depth > indents[above]!) features[4 + withBlank]! += 1;
  if (depth < indents[above]!) {
    let below = line + 1;
    while (below < indents.length && indents[below] === -1) below++;
    const opens = blanksBehind === 0 && below < indents.length && indents[below]! > depth;
    features[(opens ? 6 : 8) + withBlank]! += 1;
  }
  return depth;
}

function placeAt(indents: readonly number[], from: number, to: number): Place {
  const features = FEATURES.map(() => 0);
  const depth = addSplit(indents, from, features) + addSplit(indents, to, features);
  return { features, depth };
}

let lineNumber = 0;
const INDENTS = [0, 0, 1, 2, 2, 4, 6];
const randomLine = (blankOneIn: number): string =>
  random(blankOneIn) === 0 ? '' : `${' '.repeat(INDENTS[random(INDENTS.length)]!)}line${lineNumber++}`;
const randomLines = (most: number, blankOneIn: number): string[] =>
  Array.from({ length: random(most) }, () => randomLine(blankOneIn));
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** By how the lower place differs from the upper one: whether git takes it. */
function compareSliders(count: number, seen: Map<string, boolean>): void {
  const made = Array.from({ length: count }, () => {
    const blankOneIn = 2 + random(3);
    const [head, tail] = [randomLines(5, blankOneIn), randomLines(5, blankOneIn)];
    const body = [randomLine(blankOneIn), ...randomLines(5, blankOneIn), randomLine(blankOneIn)];
    const same = randomLine(4);
    return { before: [...head, same, ...body, same, ...tail], after: [...head, same, ...tail], size: body.length + 1 };
  });
  const hunks = gitHunks(made.map(({ before, after }): TextPair => [text(before), text(after)]));
  for (const [number, { before, size }] of made.entries()) {
    const [from = 0, removed, , added] = hunks[number]!;
    if (hunks[number]!.length !== 4 || removed !== size || added !== 0) continue;
    let [top, bottom] = [from, from];
    while (top > 0 && before[top - 1] === before[top + size - 1]) top--;
    while (bottom + size < before.length && before[bottom] === before[bottom + size]) bottom++;
    if (bottom !== top + 1) continue;
    const indents = before.map(indentOf);
    const [upper, lower] = [placeAt(indents, top, top + size), placeAt(indents, bottom, bottom + size)];
    const difference = lower.features.map((feature, i) => feature - upper.features[i]!);
    difference[DEPTH_SIGN] = Math.sign(lower.depth - upper.depth);
    const key = difference.join(' ');
    const isLower = from === bottom;
    if ((seen.get(key) ?? isLower) !== isLower)
      throw new Error(`git chose differently between places that differ by ${key}`);
    seen.set(key, isLower);
  }
}

/** The lower place is taken unless it is worse. */
const isLowerByTable = (difference: readonly number[]): boolean =>
  difference.reduce((sum, feature, i) => sum + feature * FEATURES[i]![1], 0) <= 0;

/** A weight is the difference of two numbers that are not negative, whose sum is to be small. */
function integerProgram(seen: ReadonlyMap<string, boolean>): string {
  const names = FEATURES.flatMap((_, i) => [`p${i}`, `m${i}`]);
  const rows = [...seen].map(([key, isLower]) => {
    const terms = key
      .split(' ')
      .flatMap((feature, i) => (feature === '0' ? [] : `+ ${feature} p${i} - ${feature} m${i}`));
    return ` ${terms.join(' ').replaceAll('+ -', '- ').replaceAll('- -', '+ ')} ${isLower ? '<= 0' : '>= 1'}`;
  });
  return ['Minimize', ` ${names.join(' + ')}`, 'Subject To', ...rows, 'General', ` ${names.join(' ')}`, 'End', ''].join(
    '\n',
  );
}

const seen = new Map<string, boolean>();
const AT_ONCE = 30_000;
for (let left = Number(values.sliders); left > 0; left -= AT_ONCE) compareSliders(Math.min(left, AT_ONCE), seen);
const otherwise = [...seen].filter(([key, isLower]) => isLowerByTable(key.split(' ').map(Number)) !== isLower);
for (const [name, cost] of FEATURES) console.log(`${cost}`.padStart(6), name);
console.log(`${otherwise.length} of ${seen.size} different choices of git are made otherwise by the table`);
if (values.write !== undefined) writeFileSync(values.write, integerProgram(seen));
