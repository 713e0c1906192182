// Which branches of a repo count: patterns of names to count, and of names to leave out, which begin with `!`.
//
//   []                      every branch but those that share no commit with the default branch
//   ['!dependabot/**']      the same, without dependabot's
//   ['main', 'release/*']   these alone, whatever they share
//
// The default branch always counts.

/** Why a branch does not count. */
export const LEFT_OUT_REASONS = ['orphan', 'pattern'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export const BRANCH_PATTERN_RULE =
  'a list of branch patterns: `*` stands for any characters but `/`, `**` for any, `?` for one; with `!` in front for branches to leave out';

const MARK = '!';
/** What git refuses in the name of a branch, wildcards aside. */
const REFUSED = /[\s~^:\\[\]{}]|\.\.|@\{|\/\/|^\/|\/$/;

export function isBranchPattern(pattern: string): boolean {
  const name = pattern.startsWith(MARK) ? pattern.slice(MARK.length) : pattern;
  return name !== '' && !name.startsWith(MARK) && !REFUSED.test(name);
}

export interface BranchRule {
  /** Null when the branch counts. */
  judge(branch: {
    readonly name: string;
    readonly isDefault: boolean;
    readonly isOrphan: boolean;
  }): LeftOutReason | null;
}

export function createBranchRule(patterns: readonly string[]): BranchRule {
  const counted = patterns.filter((pattern) => !pattern.startsWith(MARK)).map(toExpression);
  const leftOut = patterns
    .filter((pattern) => pattern.startsWith(MARK))
    .map((pattern) => toExpression(pattern.slice(MARK.length)));
  return {
    judge({ name, isDefault, isOrphan }) {
      if (isDefault) return null;
      if (leftOut.some((pattern) => pattern.test(name))) return 'pattern';
      if (counted.length > 0) return counted.some((pattern) => pattern.test(name)) ? null : 'pattern';
      return isOrphan ? 'orphan' : null;
    },
  };
}

const WILDCARDS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' };

function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*|\*|\?)/);
  return new RegExp(`^${parts.map((part) => WILDCARDS[part] ?? part.replace(/[.+$|()]/g, '\\$&')).join('')}$`, 'u');
}
