#!/usr/bin/env node
// The `strata` command. In a checkout it rebuilds dist/ first when the sources are newer; an installed package has none.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const at = (path) => new URL(`../${path}`, import.meta.url);
const args = process.argv.slice(2);

// Node 22.1 and newer keep compiled code for the next command. It lies within dist/, where only whoever may change the
// program may write: in a folder for temporary files anybody could lay down code. Where that is nobody, there is no cache.
module.enableCompileCache?.(fileURLToPath(at('dist/compiled')));

// Node has it from 21 on. Without it pg makes a Response to find out where it runs, and for that Node loads its whole HTTP
// client, which takes longer than all of pg.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };

/** The version is not part of a build: any build can say it. */
async function saysVersion() {
  if (!args.some((arg) => arg === '--version' || arg === '-V') || !existsSync(at('dist/bundle/main.js'))) return false;
  const { sayVersion } = await import('../dist/bundle/main.js');
  return sayVersion?.(args) === true;
}

if (!(await saysVersion())) {
  let rebuilt = '';
  if (existsSync(at('src'))) {
    const { build, isBuildStale } = await import('./build.mjs');
    if (isBuildStale()) {
      build();
      rebuilt = '?rebuilt';
    }
  }
  const { main } = await import(`../dist/bundle/main.js${rebuilt}`);
  await main(args);
}
