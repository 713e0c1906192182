#!/usr/bin/env node
// The `strata` command. In a checkout it rebuilds dist/ first when the sources are newer; an installed package has none.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../src', import.meta.url))) {
  const { build, isBuildStale } = await import('./build.mjs');
  if (isBuildStale()) build();
}
const { main } = await import('../dist/bundle/main.js');
await main(process.argv.slice(2));
