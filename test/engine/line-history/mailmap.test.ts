// The mailmap against `git check-mailmap`.
import { afterAll, expect, test } from 'vitest';
import { parseMailmap } from '../../../src/engine/line-history/mailmap.ts';
import { goldenRepo } from '../../support/golden-repo.ts';

const MAILMAP = `# comment <not@a.rule>
Proper Name <plain@x.org>
<new@x.org> <old@x.org>
Joe R. Developer <joe@x.org> <Joe@Old.org>
Jane Doe <jane@x.org> Jane <shared@x.org>
Other Person <other@x.org> other <shared@x.org>
 Spaced Name   <spaced@x.org>  # a comment
Fallback <fall@x.org> <shared@x.org>
broken line
`;
const PEOPLE = [
  'anyone <plain@x.org>',
  'Anyone <PLAIN@X.ORG>',
  'kept <old@x.org>',
  'joe <joe@old.org>',
  'jane <shared@x.org>',
  'OTHER <shared@x.org>',
  'nobody <shared@x.org>',
  'x <spaced@x.org>',
  'not mapped <not@a.rule>',
  'unknown <unknown@x.org>',
];

const repo = goldenRepo()
  .commit('root', { files: { '.mailmap': MAILMAP } })
  .build();
afterAll(() => repo.cleanup());

test.each(PEOPLE)('%s becomes who git says', (person) => {
  const [, name, email] = /^(.*) <(.*)>$/.exec(person)!;
  const mapped = parseMailmap(MAILMAP)({ name: name!, email: email! });
  expect(`${mapped.name} <${mapped.email}>`).toBe(repo.git('check-mailmap', person));
});
