// Colours by token name; ui/tokens.css has their values for both themes. Marks differ by more than colour:
// lines by dash, stacks by hatches.
import type { Scheme, Series } from './chart-data.ts';

const CATEGORIES = 8;
const STEPS: Readonly<Record<Exclude<Scheme, 'categories'>, number>> = { degrees: 5, ages: 6 };

type Named = Pick<Series, 'name' | 'isRest'>;

export function seriesColor(index: number, count: number, scheme: Scheme, { name, isRest }: Named): string {
  if (isRest || /^(unknown|unclassified|no |not )/i.test(name)) return 'var(--series-rest)';
  if (scheme === 'categories') return `var(--series-${(index % CATEGORIES) + 1})`;
  const steps = STEPS[scheme];
  const step = count <= 1 ? steps : Math.min(steps, Math.round((index * (steps - 1)) / Math.max(1, count - 1)) + 1);
  return `var(--${scheme}-${step})`;
}

/** Undefined is a whole line. */
const DASHES = [undefined, '6 3', '2 3', '8 3 2 3', '12 4', '4 2', '1 3', '10 3 3 3'] as const;

/** One further with every round of the colours, so that no two lines have both in common. */
export const lineDash = (index: number): string | undefined =>
  DASHES[(index + Math.floor(index / CATEGORIES)) % DASHES.length];

/** Every second layer of a stack is hatched, so that neighbours differ in print and to the colour-blind. */
export const isHatched = (index: number): boolean => index % 2 === 1;
