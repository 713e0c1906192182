// Compiles src/ and web/ to dist/ when dist/ is missing or older than the sources, so that `npm ci`,
// `npx strata` and `npm start` never need a build step done by hand.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist', '.built');

/** Every command of a checkout looks at each source first: paths are put together by hand, and entries are numbers. */
function newestChange(path) {
  const found = statSync(path);
  let newest = found.mtimeMs;
  if (found.isDirectory()) {
    for (const name of readdirSync(path)) newest = Math.max(newest, newestChange(`${path}/${name}`));
  }
  return newest;
}

export function isBuildStale() {
  if (!existsSync(join(root, 'src'))) return false; // an installed package ships dist/ only
  if (!existsSync(stampFile)) return true;
  const builtAt = statSync(stampFile).mtimeMs;
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'package.json'].map((f) => statSync(join(root, f)).mtimeMs);
  return Math.max(...['src', 'kernel', 'web'].map((folder) => newestChange(join(root, folder))), ...settings) > builtAt;
}

/** Takes a part of the last build over when none of its sources is newer: a kernel takes seconds, src/ does not. */
function reuse(part, sources, folder) {
  const built = join(root, 'dist', part);
  if (process.argv.includes('--force') || !existsSync(built)) return false;
  const changed = [
    ...sources.map((each) => newestChange(join(root, each))),
    statSync(join(root, 'package.json')).mtimeMs,
  ];
  if (Math.max(...changed) >= statSync(built).mtimeMs) return false;
  cpSync(built, join(folder, part), { recursive: true, preserveTimestamps: true });
  return true;
}

/** Folders of kernel/ that are compiled to WebAssembly. */
const KERNELS = ['packs', 'classify', 'duplicates'];

function buildKernels(folder) {
  const compiler = join(root, 'node_modules', 'assemblyscript', 'bin', 'asc.js');
  const flags = ['--runtime', 'stub', '-O3', '--noAssert', '--importMemory', '--enable', 'simd'];
  for (const name of KERNELS) {
    const source = join('kernel', name, 'index.ts');
    const part = join('engine', 'kernels', `${name}.wasm`);
    if (reuse(part, ['kernel'], folder)) continue;
    const target = join(folder, part);
    const result = spawnSync(process.execPath, [compiler, source, ...flags, '--outFile', target], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (result.status === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    console.error(`strata: the build of ${source} failed; the errors are above.`);
    process.exit(1);
  }
}

function bundle(folder) {
  const result = spawnSync(process.execPath, [join(root, 'bin', 'bundle.mjs'), folder], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (result.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error('strata: the bundle of src/ failed; the errors are above.');
  process.exit(1);
}

/** The page: bundled, with hashed names. The service compresses and keeps it in memory. */
function buildPage(folder) {
  const bundler = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const flags = [
    'build',
    'web',
    '--config',
    join('web', 'vite.config.ts'),
    '--outDir',
    join(folder, 'web'),
    '--logLevel',
    'warn',
  ];
  const result = spawnSync(process.execPath, [bundler, ...flags], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // Whatever the shell or a test runner says: with another value Vite bundles React for development.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (result.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error('strata: the build of web/ failed; the errors are above.');
  process.exit(1);
}

/**
 * Builds into a temporary folder and swaps it in, so that a running process never sees half a build.
 * Types are checked by `npm run typecheck`, not here: starting the service must not wait for it.
 */
export function build() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    console.error('strata: dist/ is missing and TypeScript is not installed. Run `npm ci` (without --omit=dev) first.');
    process.exit(1);
  }
  const startedAt = new Date();
  const fresh = join(root, `dist.${process.pid}`);
  const old = join(root, `dist.${process.pid}.old`);
  mkdirSync(fresh, { recursive: true });
  const result = spawnSync(
    process.execPath,
    [compiler, '-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', fresh],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error('strata: the build failed; the errors are above.');
    process.exit(1);
  }
  bundle(fresh);
  buildKernels(fresh);
  buildPage(fresh);
  writeFileSync(join(fresh, '.built'), '');
  utimesSync(join(fresh, '.built'), startedAt, startedAt);
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old);
  renameSync(fresh, join(root, 'dist'));
  try {
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    // Of another user who ran commands here: the new build stands all the same.
    console.error(`strata: the former build is left at ${old}: ${error.message}`);
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  if (process.argv.includes('--force') || isBuildStale()) build();
}
