#!/usr/bin/env node
// The `strata` command. In a checkout it rebuilds dist/ first when the sources are newer.
import { build, isBuildStale } from './build.mjs';

if (isBuildStale()) build();
const { main } = await import('../dist/bundle/main.js');
await main(process.argv.slice(2));
