// Joins the compiled modules into few files, which Node loads in a fraction of the time: bundle/main.js with what its
// commands load when they run, and a file for each kind of thread, because every thread of an analysis loads its own anew.
// Installed packages stay outside, but for those that commands wait for: of hundreds of small files Node looks for each.
//
//   node bin/bundle.mjs DIST
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [dist] = process.argv.slice(2);
/** Each is plain JavaScript that reads no files and is used by no package that stays outside. */
const INSIDE = [
  'commander',
  'kysely',
  'luxon',
  'zod',
  ...['markdown-it', 'entities', 'linkify-it', 'mdurl', 'punycode.js', 'uc.micro'],
];
const isInside = (id) => INSIDE.some((name) => id === name || id.startsWith(`${name}/`));
const isOutside = (id) => !isInside(id) && !/^[./]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id);
const entries = {
  main: 'main.js',
  'engine-worker': join('engine', 'walk', 'worker.js'),
  'engine-tree': join('engine', 'walk', 'tree', 'tree-worker.js'),
};

for (const [name, file] of Object.entries(entries)) {
  const bundle = await rolldown({
    input: { [name]: join(dist, file) },
    platform: 'node',
    external: isOutside,
  });
  await bundle.write({
    dir: join(dist, 'bundle'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: name === 'main',
  });
}
