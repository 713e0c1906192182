import { describe, expect, test } from 'vitest';
import { checkEntitySetting, parseEntitySetting } from '../../../src/domain/access/entity-settings.ts';
import { createBranchRule } from '../../../src/domain/repos/branch-patterns.ts';

const judge = (patterns: readonly string[], name: string, isOrphan = false) =>
  createBranchRule(patterns).judge({ name, isDefault: name === 'main', isOrphan });

describe('which branches count', () => {
  test('without patterns all but orphans', () => {
    expect(judge([], 'topic')).toBe(null);
    expect(judge([], 'gh-pages', true)).toBe('orphan');
  });

  test('patterns to leave out leave the others as they are', () => {
    expect(judge(['!dependabot/**'], 'dependabot/npm/left-pad')).toBe('pattern');
    expect(judge(['!dependabot/**'], 'topic')).toBe(null);
    expect(judge(['!dependabot/**'], 'gh-pages', true)).toBe('orphan');
  });

  test('patterns to count name the only ones that do, orphans among them', () => {
    expect(judge(['release/*'], 'release/1.x')).toBe(null);
    expect(judge(['release/*'], 'release/1.x/fix')).toBe('pattern');
    expect(judge(['release/*'], 'topic')).toBe('pattern');
    expect(judge(['**'], 'gh-pages', true)).toBe(null);
    expect(judge(['release/*', '!release/0.?'], 'release/0.9')).toBe('pattern');
    expect(judge(['release/*', '!release/0.?'], 'release/0x9')).toBe(null);
  });

  test('the default branch counts whatever the patterns say', () => {
    expect(judge(['!**'], 'main')).toBe(null);
  });

  test('what stands for itself in a name stands for itself in a pattern', () => {
    expect(judge(['fix/a+b(1).x$|y-z'], 'fix/a+b(1).x$|y-z')).toBe(null);
    expect(judge(['v1.x'], 'v1-x')).toBe('pattern');
  });
});

describe('the setting', () => {
  test('takes a comma list', () => {
    expect(parseEntitySetting('branches', 'main, release/*, !release/0.*')).toEqual([
      'main',
      'release/*',
      '!release/0.*',
    ]);
  });

  test.each(['', '!', '!!x', 'a b', 'a..b', '[ab]', '/x', 'x/', 'a\\b', '{a,b}'])(
    'refuses %j and says what it takes',
    (bad) => {
      expect(() => checkEntitySetting('branches', ['main', bad])).toThrow(
        /see 1\); accepted is a list of branch patterns/,
      );
    },
  );
});
