// Holds the built page against its budgets: what the browser loads first, each page after that, and all of
// it. Sizes are of gzip at its best, as a proxy would send it; the service itself sends brotli.
//
//   npm run bundle:check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const KILOBYTE = 1_000;
const BUDGETS = { entryScript: 170, entryStyle: 15, laterChunk: 40, everything: 600 } as const;

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'),
);
const weigh = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / KILOBYTE;

/** A chunk with everything that has to be there before it runs. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of manifest[name]?.imports ?? []) filesOf(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true);
if (entry === undefined) throw new Error('the manifest names no entry: run npm run build first');
const first = [...filesOf(entry)].map((name) => manifest[name]!);
const scripts = new Set(first.map(({ file }) => file));
const styles = new Set(first.flatMap(({ css }) => css ?? []));
const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + weigh(file), 0);

const later = Object.values(manifest)
  .map(({ file }) => file)
  .filter((file) => file.endsWith('.js') && !scripts.has(file));
const everything = readdirSync(join(folder, 'assets')).map((file) => join('assets', file));

const rows: readonly (readonly [string, number, number])[] = [
  ['first script', sum(scripts), BUDGETS.entryScript],
  ['first styles', sum(styles), BUDGETS.entryStyle],
  ...later.map((file) => [`later: ${file.replace('assets/', '')}`, weigh(file), BUDGETS.laterChunk] as const),
  ['everything', sum(everything), BUDGETS.everything],
];
let isOver = false;
for (const [name, size, most] of rows) {
  if (size > most) isOver = true;
  console.log(
    `${size > most ? 'OVER ' : 'ok   '} ${size.toFixed(1).padStart(7)} of ${String(most).padStart(3)} kB  ${name}`,
  );
}
process.exitCode = isOver ? 1 : 0;
