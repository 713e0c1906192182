// Keys of issues in messages, titles and names of branches.
import { expect, test } from 'vitest';
import { findBranchMentions, findMentions } from '../../../src/domain/work/issue-mentions.ts';

test.each([
  ['WEB-7 tidy up', ['web-7']],
  ['fix(web-7): (WEB-8), [api_2-19]', ['web-7', 'web-8', 'api_2-19']],
  ['closes #6, #7 and works/engine#8', ['works/engine#8', '#6', '#7']],
  ['group/deeper/repo#9 and AB#12', ['group/deeper/repo#9', 'ab#12']],
  ['GH-5: do it', ['gh-5', '#5']],
  ['see https://github.com/works/engine/issues/6', ['works/engine#6']],
  ['https://gitlab.com/a/b/c/-/issues/14', ['a/b/c#14']],
  ['https://dev.azure.com/o/p/_workitems/edit/31', ['ab#31']],
  ['https://x.atlassian.net/browse/WEB-12', ['web-12']],
  ['Merge pull request #4 from x', ['#4']],
  ['&#39; and a#5 and v1-2 and 12-34 and colour #fff', ['v1-2']],
  ['', []],
])('in %j', (text, keys) => {
  expect(findMentions(text).sort()).toEqual([...keys].sort());
});

test.each([
  ['feat/WEB-7-login', ['web-7']],
  ['feature/WEB-7_login', ['web-7']],
  ['feature_WEB-7', ['feature_web-7', 'web-7']],
  ['feature_MY_PROJ-7', ['feature_my_proj-7', 'my_proj-7']],
  ['MY_PROJ-7', ['my_proj-7']],
  ['my_proj-7', ['my_proj-7']],
  ['Some_words_before_a_long_name_of_WEB-7_too', ['web-7']],
  ['2-faster-lexer', ['#2']],
  ['ada/31-parser', ['#31']],
  ['issue-6', ['issue-6', '#6']],
  ['gh-7/more', ['gh-7', '#7']],
  ['release/2026', []],
  ['v2-1', ['v2-1']],
  ['2026-11-16', []],
])('of the branch %j', (name, keys) => {
  expect(findBranchMentions(name).sort()).toEqual([...keys].sort());
});

test('a list of changes is not work on all of them', () => {
  expect(findMentions(Array.from({ length: 51 }, (_, index) => `#${index}`).join(' '))).toEqual([]);
});
