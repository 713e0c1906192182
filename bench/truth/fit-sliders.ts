// Finds the table of kernel/diff/split-cost.ts by watching git: builds sliders (a block of lines that is repeated, so
// that the added copy can stand in several places), asks the git program where it puts each, and fits whole numbers
// to what it chose, with a perceptron. Prints the weights and how often they choose otherwise on sliders not fitted.
//
//   node --import ./bench/typescript.mjs bench/truth/fit-sliders.ts [--sliders 30000] [--seed 5] [--rounds 6000]
import { parseArgs } from 'node:util';
import { gitHunks, type TextPair } from '../../test/oracles/hunks.ts';
import { createRandom } from '../../test/world/random-history.ts';

const { values } = parseArgs({
  options: {
    sliders: { type: 'string', default: '30000' },
    seed: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '6000' },
  },
});
const random = createRandom(Number(values.seed));

/** What a split between two lines may cost, a weight each; the last one is for the less indented of two places. */
const FEATURES = [
  'first line of all',
  'end of the file',
  'blank line around',
  'blank line behind',
  'deeper',
  'deeper, with blank',
  'shallower before deeper',
  'shallower before deeper, with blank',
  'shallower',
  'shallower, with blank',
  'sign of the depth',
] as const;
const DEPTH_SIGN = FEATURES.length - 1;

interface Place {
  readonly features: readonly number[];
  readonly depth: number;
}
interface Slider {
  /** From the topmost to the lowest. */
  readonly places: readonly Place[];
  readonly chosen: number;
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
const randomLine = (): string =>
  random(4) === 0 ? '' : `${' '.repeat(random(random(2) + 2) * 2 + random(2))}line${lineNumber++}`;
const randomLines = (most: number): string[] => Array.from({ length: random(most) }, randomLine);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

function makeSliders(count: number): Slider[] {
  const made = Array.from({ length: count }, () => {
    const [head, block, tail] = [randomLines(4), [randomLine(), ...randomLines(6)], randomLines(4)];
    return { head, block, after: [...head, ...block, ...block, ...tail], before: [...head, ...block, ...tail] };
  });
  const hunks = gitHunks(made.map(({ before, after }): TextPair => [text(before), text(after)]));
  const sliders: Slider[] = [];
  for (const [number, { after, block }] of made.entries()) {
    const [, , from = 0, size = 0] = hunks[number]!;
    if (hunks[number]!.length !== 4 || size !== block.length) continue;
    let [top, bottom] = [from, from];
    while (top > 0 && after[top - 1] === after[top + size - 1]) top--;
    while (bottom + size < after.length && after[bottom] === after[bottom + size]) bottom++;
    const indents = after.map(indentOf);
    const places = Array.from({ length: bottom - top + 1 }, (_, i) => placeAt(indents, top + i, top + i + size));
    sliders.push({ places, chosen: from - top });
  }
  return sliders;
}

/** How much worse a place is than another. */
function difference(a: Place, b: Place, weights: readonly number[]): number {
  let sum = weights[DEPTH_SIGN]! * Math.sign(a.depth - b.depth);
  for (let i = 0; i < DEPTH_SIGN; i++) sum += weights[i]! * (a.features[i]! - b.features[i]!);
  return sum;
}

/** From top to bottom, the next place is taken unless it is worse. */
function choose({ places }: Slider, weights: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < places.length; i++) if (difference(places[i]!, places[best]!, weights) <= 0) best = i;
  return best;
}

function fitWeights(sliders: readonly Slider[], rounds: number): number[] {
  const weights = FEATURES.map(() => 0);
  let best = [...weights];
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && fewest > 0; round++) {
    let wrong = 0;
    for (const slider of sliders) {
      const choice = choose(slider, weights);
      if (choice === slider.chosen) continue;
      wrong++;
      const [good, bad] = [slider.places[slider.chosen]!, slider.places[choice]!];
      for (let i = 0; i < DEPTH_SIGN; i++) weights[i]! -= good.features[i]! - bad.features[i]!;
      weights[DEPTH_SIGN]! -= Math.sign(good.depth - bad.depth);
    }
    if (wrong < fewest) {
      fewest = wrong;
      best = [...weights];
      console.log(`round ${round}: ${wrong} of ${sliders.length} otherwise; ${weights.join(' ')}`);
    }
  }
  return best;
}

const sliders = makeSliders(Number(values.sliders));
const weights = fitWeights(sliders, Number(values.rounds));
for (const [i, name] of FEATURES.entries()) console.log(`${weights[i]}`.padStart(6), name);
const others = makeSliders(Number(values.sliders));
const wrong = others.filter((slider) => choose(slider, weights) !== slider.chosen).length;
console.log(`${wrong} of ${others.length} sliders that were not fitted are put elsewhere`);
