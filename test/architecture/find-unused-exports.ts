// Code that nothing calls, and code that only tests call: exports which their own file does not use and
// no other file of the program imports. What its own file uses may be exported for a test.
import { dirname, posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

export interface UnusedExport {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export function findUnusedExports(files: ReadonlyMap<string, SourceFile>): UnusedExport[] {
  const isProgram = (path: string): boolean => !/^(test|bench)\//.test(path);
  const taken = takenNames([...files].filter(([path]) => isProgram(path)));
  const takenByTests = takenNames([...files].filter(([path]) => !isProgram(path)));
  return [...files]
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, { exports }]) =>
      exports
        .filter(({ name, isUsedHere }) => !isUsedHere && !taken.has(path, name))
        .map(({ name, line }) => ({
          path,
          line,
          text: `exports ${name}, which ${takenByTests.has(path, name) ? 'only tests import' : 'no file imports'}`,
        })),
    );
}

function takenNames(files: readonly (readonly [string, SourceFile])[]): { has(path: string, name: string): boolean } {
  const names = new Set<string>();
  const whole = new Set<string>();
  for (const [path, { imports }] of files) {
    for (const { specifier, names: taken } of imports) {
      if (!specifier.startsWith('.')) continue;
      // Child processes of tests and the command import what was compiled.
      const target = posix.join(dirname(path), specifier).replace(/^dist\/(?:bundle\/)?(.*)\.js$/, 'src/$1.ts');
      if (taken === undefined) whole.add(target);
      else for (const name of taken) names.add(`${target}#${name}`);
    }
  }
  return { has: (path, name) => whole.has(path) || names.has(`${path}#${name}`) };
}
