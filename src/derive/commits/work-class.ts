// Whether work is running cost or investment, from the words people use for it: the issue's type first, then
// the pull request's labels and title, then the commit's own prefix. What says nothing is unclassified.
export type WorkClass = 'opex' | 'capex';

export interface WorkSigns {
  readonly issues: readonly { readonly key: string; readonly type: string }[];
  readonly labels: readonly string[];
  readonly pullTitle: string | null;
  readonly subject: string;
}

export interface ClassOverride {
  readonly match: 'issue_key' | 'issue_type' | 'label' | 'commit_prefix';
  readonly value: string;
  readonly class: WorkClass;
}

const CLASS_OF_WORD: Readonly<Record<string, WorkClass>> = {
  bug: 'opex',
  bugfix: 'opex',
  build: 'opex',
  chore: 'opex',
  ci: 'opex',
  defect: 'opex',
  dependencies: 'opex',
  dependency: 'opex',
  deps: 'opex',
  doc: 'opex',
  docs: 'opex',
  documentation: 'opex',
  fix: 'opex',
  hotfix: 'opex',
  incident: 'opex',
  maintenance: 'opex',
  revert: 'opex',
  style: 'opex',
  support: 'opex',
  enhancement: 'capex',
  epic: 'capex',
  feat: 'capex',
  feature: 'capex',
  improvement: 'capex',
  'new feature': 'capex',
  perf: 'capex',
  refactor: 'capex',
  refactoring: 'capex',
  story: 'capex',
  test: 'capex',
  tests: 'capex',
  'user story': 'capex',
};

/** The type of a Conventional Commits subject: `feat(api)!: …` → feat. */
export const subjectPrefix = (subject: string): string | null =>
  /^([a-z]+)(?:\([^)]*\))?!?:\s/i.exec(subject)?.[1]?.toLowerCase() ?? null;

const classOfWord = (word: string | null): WorkClass | null =>
  word === null ? null : (CLASS_OF_WORD[word.toLowerCase().trim()] ?? null);

export interface WorkShares {
  readonly opex: number;
  readonly unclassified: number;
}

/** Thousandths of the work that are running cost, and of which nothing says what they are; issues share a commit equally. */
export function workShares(signs: WorkSigns, overrides: readonly ClassOverride[]): WorkShares {
  const chosen = (match: ClassOverride['match'], values: readonly (string | null)[]): WorkClass | null =>
    overrides.find(
      (each) => each.match === match && values.some((value) => value?.toLowerCase() === each.value.toLowerCase()),
    )?.class ?? null;
  const prefix = subjectPrefix(signs.subject);
  const fallback =
    chosen('label', signs.labels) ??
    chosen('commit_prefix', [prefix]) ??
    signs.labels.map(classOfWord).find((found) => found !== null) ??
    classOfWord(signs.pullTitle === null ? null : subjectPrefix(signs.pullTitle)) ??
    classOfWord(prefix);
  const classes =
    signs.issues.length === 0
      ? [fallback]
      : signs.issues.map(
          ({ key, type }) =>
            chosen('issue_key', [key]) ?? chosen('issue_type', [type]) ?? classOfWord(type) ?? fallback,
        );
  const shareOf = (wanted: WorkClass | null): number =>
    Math.round((1000 * classes.filter((found) => found === wanted).length) / classes.length);
  return { opex: shareOf('opex'), unclassified: shareOf(null) };
}
