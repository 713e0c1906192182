// `node --import ./bench/typescript.mjs bench/x.ts` runs TypeScript sources directly: types are stripped
// while loading. Node 20 cannot do that by itself.
import { register } from 'node:module';

const loader = `
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, {
    filename: fileURLToPath(url),
    sourceMaps: 'inline',
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  return { format: 'module', source: code, shortCircuit: true };
}`;
// A file of its own would have to be resolved from here; as data it needs a base for its bare imports.
const withBase = loader.replace("'@swc/core'", JSON.stringify(import.meta.resolve('@swc/core')));
register(`data:text/javascript,${encodeURIComponent(withBase)}`, import.meta.url);
