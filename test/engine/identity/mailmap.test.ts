import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMailmap } from '../../../src/engine/identity/mailmap.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const SEED = Number(process.env.SEED ?? 11);
const repo = goldenRepo().build();

/** What `git check-mailmap` makes of each identity. */
function gitMaps(mailmap: string, identities: readonly { name: string; email: string }[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'strata-mailmap-'));
  try {
    writeFileSync(join(folder, 'mailmap'), mailmap);
    const contacts = identities.map(({ name, email }) => `${name} <${email}>`);
    return repo.git('-c', `mailmap.file=${join(folder, 'mailmap')}`, 'check-mailmap', ...contacts).split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function oursMaps(mailmap: string, identities: readonly { name: string; email: string }[]): string[] {
  const map = parseMailmap(mailmap);
  return identities.map((identity) => {
    const { name, email } = map.apply(identity);
    return `${name} <${email}>`;
  });
}

const PEOPLE = ['Ada', 'ada', 'Ada L', 'Bo', 'nobody'].flatMap((name) =>
  ['ada@x.org', 'ADA@x.org', 'bo@x.org', 'old@x.org'].map((email) => ({ name, email })),
);

test('the four line forms are applied as git applies them', () => {
  const mailmap = [
    '# people',
    'Ada Lovelace <ada@x.org>',
    '<bo@y.org> <bo@x.org>',
    'Old One <new@x.org> <old@x.org>',
    'Ada The Second <ada2@x.org> Ada L <old@x.org>',
    'broken line without an address',
    'empty <>',
    '',
    '   Bo Byte   <bo@y.org>    BO   <ADA@X.ORG>  # trailing',
  ].join('\n');
  expect(oursMaps(mailmap, PEOPLE)).toEqual(gitMaps(mailmap, PEOPLE));
});

test(`random mailmaps are applied as git applies them (seed ${SEED})`, () => {
  const name = fc.constantFrom('', 'Ada', 'ADA', 'Ada L', 'Bo B', '  Bo ');
  const email = fc.constantFrom(
    '<ada@x.org>',
    '<Ada@X.org>',
    '<bo@x.org>',
    '<old@x.org>',
    '<new@y.org>',
    '<>',
    '<open',
    '',
  );
  const line = fc.oneof(
    fc.tuple(name, email).map(([n, e]) => `${n} ${e}`),
    fc.tuple(name, email, name, email).map(([n1, e1, n2, e2]) => `${n1} ${e1} ${n2} ${e2}`),
    fc.constantFrom('# note', '', ' # indented <ada@x.org>'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const mailmap = `${lines.join('\n')}\n`;
      expect(oursMaps(mailmap, PEOPLE)).toEqual(gitMaps(mailmap, PEOPLE));
    }),
    { seed: SEED, numRuns: 150 },
  );
});

test('a line that goes on without an address costs no more than its length', () => {
  const startedAt = performance.now();
  const { size } = parseMailmap([' '.repeat(200_000), '\t <'.repeat(50_000), 'a '.repeat(100_000)].join('\n'));
  expect(size).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
