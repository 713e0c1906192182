// The engine's operations against a plain second reading of the rules, on made histories full of the edits that the
// rules tell apart. `npm run bench:operations` does the same on real repositories.
import { afterAll, expect, test } from 'vitest';
import { compareOperations } from '../../oracles/compare-operations.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'total', 'price', 'amount', 'client', 'request', 'answer'];
const PATHS = ['src/a.js', 'src/b.py', 'src/c.go', 'lib/d.rb', 'include/e.h', 'data/f.json', 'docs/g.md'];

function madeHistory(seed: number, commits: number): GoldenRepo {
  const random = createRandom(seed);
  const name = () => NAMES[random(NAMES.length)]!;
  const line = (): string =>
    [
      () => '',
      () => '}',
      () => '} else {',
      () => `// ${name()} comes before ${name()}`,
      () => `import ${name()} from './${name()}'`,
      () => `const ${name()} = require('${name()}');`,
      () => `${' '.repeat(random(3) * 2)}${name()}(${name()}, ${name()});`,
      () => `const ${name()} = ${name()}.${name()}(${name()}, ${random(4)});`,
      () => `return ${name()}`,
      () => `throw new Error('the ${name()} of the ${name()} is not the ${name()} that was expected here');`,
    ][random(10)]!();
  const lines = (count: number) => Array.from({ length: count }, line);
  const files = new Map(PATHS.map((path) => [path, lines(10 + random(20))]));
  const edits: ((text: string[]) => string[])[] = [
    (text) => text.toSpliced(random(text.length), 0, ...lines(1 + random(6))),
    (text) => text.toSpliced(random(text.length), 1 + random(4)),
    (text) => text.map((each) => (random(4) === 0 ? each.replaceAll(name(), name()) : each)),
    (text) => text.map((each) => (each.endsWith(')') || random(3) > 0 ? each : each.replace(/;?$/, ';'))),
    (text) => text.map((each) => (random(5) === 0 ? `  ${each}` : each)),
    (text) => text.map((each) => (random(6) === 0 ? `if (${name()}) ${each}` : each)),
    (text) => {
      const block = text.slice(random(text.length)).slice(0, 1 + random(5));
      return text.toSpliced(random(text.length), 0, ...block);
    },
    (text) => {
      const at = random(text.length);
      return [...text.slice(at), ...text.slice(0, at)];
    },
    (text) => text.flatMap((each) => (random(4) === 0 ? each.split(/(?<=[(,]) ?/) : [each])),
  ];
  const builder = goldenRepo('main');
  for (let number = 0; number < commits; number++) {
    const changed: Record<string, string> = {};
    for (const path of PATHS) {
      if (number > 0 && random(2) === 0) continue;
      const text = edits[random(edits.length)]!(edits[random(edits.length)]!(files.get(path)!)).slice(0, 60);
      files.set(path, text.length === 0 ? lines(8) : text);
      changed[path] = `${files.get(path)!.join('\n')}\n`;
    }
    builder.commit(`c${number}`, { files: changed });
  }
  return builder.build();
}

const repos: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of repos) repo.cleanup();
});

test('operations of made histories are those of the plain reading on 99 of 100 lines', () => {
  const compared = [1, 2, 3, 4].flatMap((seed) => {
    const repo = madeHistory(seed, 40);
    repos.push(repo);
    return compareOperations(repo.path, repo.git('rev-list', 'main').split('\n'));
  });
  expect(compared.length).toBeGreaterThan(8000);
  // Every operation must be there, or the share says little.
  expect(new Set(compared.map(({ plain }) => plain)).size).toBe(7);
  const differing = compared.filter(({ engine, plain }) => engine !== plain);
  expect(differing.length / compared.length, JSON.stringify(differing.slice(0, 3))).toBeLessThan(0.01);
});
