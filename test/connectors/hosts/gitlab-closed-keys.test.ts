// Which issues a merge request of GitLab closes.
import { expect, test } from 'vitest';
import { readClosedKeys } from '../../../src/connectors/hosts/gitlab/read-closed-keys.ts';

test.each([
  ['Closes #4', ['works/shop#4']],
  ['Closes #4, #6 and #7', ['works/shop#4', 'works/shop#6', 'works/shop#7']],
  ['Closes #4, and #6, works/till#8', ['works/shop#4', 'works/shop#6', 'works/till#8']],
  ['This fixes issue #4 and resolves: issues #5 #6', ['works/shop#4', 'works/shop#5', 'works/shop#6']],
  ['Implements https://gitlab.example.com/works/deep/shop/-/issues/9', ['works/deep/shop#9']],
  ['Closes https://gitlab.example.com/works/shop/-/work_items/9, #3', ['works/shop#9', 'works/shop#3']],
  ['Resolves WEB-7 and WEB-8', ['WEB-7', 'WEB-8']],
  ['Closes #4, see #5', ['works/shop#4']],
  ['Related to #4, closes\n#5, closes the door', []],
  ['Encloses #4', []],
])('%j', (text, keys) => {
  expect(readClosedKeys(text, 'works/shop')).toEqual(keys);
});
