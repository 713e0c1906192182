// Which issues a merge request of GitLab closes.
import { expect, test } from 'vitest';
import { readClosedKeys } from '../../../src/connectors/hosts/gitlab/read-closed-keys.ts';

const SITE = 'https://example.com/gitlab';
const request = { project: 'works/shop', webUrl: `${SITE}/works/shop/-/merge_requests/3` };
const closedBy = (description: string) => readClosedKeys({ ...request, title: 'A change', description });

test.each([
  ['Closes #4', ['works/shop#4']],
  ['Closes #4, #6 and #7', ['works/shop#4', 'works/shop#6', 'works/shop#7']],
  ['Closes #4, and #6, works/till#8', ['works/shop#4', 'works/shop#6', 'works/till#8']],
  ['Closes #4 , #5  and  #6', ['works/shop#4', 'works/shop#5', 'works/shop#6']],
  ['This fixes issue #4 and resolves: issues #5 #6', ['works/shop#4', 'works/shop#5', 'works/shop#6']],
  [`Implements ${SITE}/works/deep/shop/-/issues/9`, ['works/deep/shop#9']],
  [`Closes ${SITE}/works/shop/-/work_items/9#note_12, #3`, ['works/shop#9', 'works/shop#3']],
  ['Closes https://elsewhere.example/works/shop/issues/9, #3', ['works/shop#3']],
  ['Resolves WEB-7 and WEB-8', ['WEB-7', 'WEB-8']],
  ['Closes #4, see #5', ['works/shop#4']],
  ['Related to #4, closes\n#5, closes the door', []],
  ['Encloses #4', []],
])('%j', (text, keys) => {
  expect(closedBy(text)).toEqual(keys);
});

const MUCH = 1_000_000;
test.each([
  ['spaces behind an issue', `closes #1${' '.repeat(MUCH)}x`],
  ['spaces behind a comma', `closes #1,${' '.repeat(MUCH)}x`],
  ['spaces behind the word', `closes${' '.repeat(MUCH)}x`],
  ['spaces behind "issue"', `closes issue${' '.repeat(MUCH)}x`],
  ['a long path', `closes ${'a/'.repeat(MUCH / 2)}`],
  ['a long address', `closes ${SITE}/${'a/'.repeat(MUCH / 2)}`],
  ['many words', 'closes '.repeat(MUCH / 7)],
])('a description with very many %s is read at once', (_, text) => {
  const startedAt = performance.now();
  closedBy(text);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
