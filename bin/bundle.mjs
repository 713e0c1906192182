// Joins the compiled modules into few files, which Node loads in a fraction of the time: bundle/main.js with what its
// commands load when they run, and a file for each kind of thread, because every thread of an analysis loads its own anew.
// Installed packages stay outside, but for the one that reads the command line: every command waits for it.
//
//   node bin/bundle.mjs DIST
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [dist] = process.argv.slice(2);
const isOutside = (id) => id !== 'commander' && !/^[./]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id);
const entries = {
  main: 'main.js',
  'engine-worker': join('engine', 'walk', 'worker.js'),
  'engine-tree': join('engine', 'walk', 'tree-worker.js'),
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
