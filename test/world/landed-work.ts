// A repo whose history and whose pull requests at GitHub belong together: landed by merge, squash and rebase, with lines
// that say otherwise than the host does, so that only the host's word can lead to the right answer.
import type { Company, CompanyRepo, Deployed, Issue, Person, Pull } from './company/company.ts';
import { type GoldenRepo, goldenRepo } from './golden-repo.ts';

const at = (day: number, hour = 12): string => new Date(Date.UTC(2026, 8, day, hour)).toISOString();
const lines = (word: string, count = 8): string =>
  Array.from(
    { length: count },
    (_, index) => `export const ${word}${index} = compute('${word}', ${index * 7});\n`,
  ).join('');

const person = (id: number, login: string, isBot = false): Person => ({
  id,
  login,
  name: `${login[0]!.toUpperCase()}${login.slice(1)} Example`,
  email: `${login.replace('[bot]', '')}@example.com`,
  isBot,
});

export const ADA = person(11, 'ada');
export const GRACE = person(12, 'grace');
export const LINUS = person(13, 'linus');
/** Writes issues and reviews, and never commits. */
export const MARGARET = person(14, 'margaret');
/** An agent that commits under the address of its account. */
export const AGENT: Person = {
  ...person(198_982_749, 'copilot'),
  name: 'Copilot',
  email: '198982749+copilot@users.noreply.github.com',
};
export const REVIEWER = person(15, 'coderabbitai[bot]', true);

const sign = ({ name, email }: Person): string => `${name} <${email}>`;

export interface LandedWork {
  readonly company: Company;
  readonly repo: CompanyRepo;
  readonly git: GoldenRepo;
  pull(number: number): Pull;
}

function buildHistory(): GoldenRepo {
  const commit = (by: Person, day: number, path: string, text: string, message: string, hour = 12) => ({
    author: sign(by),
    committer: sign(by),
    at: at(day, hour),
    message: `${message}\n`,
    files: { [path]: text },
  });
  return (
    goldenRepo('main')
      .commit('start', commit(ADA, 1, 'src/start.ts', lines('start'), 'Start'))
      // The lines that the first source of the squash adds as well: they would be taken for a copy of this.
      .commit('twin', commit(LINUS, 2, 'src/lexer.ts', lines('lexer'), 'Bring the lexer, see #3'))
      .branch('feat/parser', 'start')
      .commit('parser 1', commit(ADA, 3, 'src/parser.ts', lines('parser'), 'Write a parser'))
      .commit('parser 2', commit(ADA, 3, 'src/parser-test.ts', lines('check'), 'Test the parser', 15))
      .branch('2-faster-lexer', 'start')
      .commit('lexer 1', commit(GRACE, 4, 'src/lexer.ts', lines('lexer'), 'Try a table'))
      .commit('lexer 2', commit(GRACE, 4, 'src/table.ts', lines('table'), 'Drop the table', 16))
      .branch('rebased', 'start')
      .commit('tidy 1', commit(LINUS, 5, 'src/tidy.ts', lines('tidy'), 'WEB-7 tidy up'))
      .commit('tidy 2', commit(LINUS, 5, 'src/order.ts', lines('order'), 'Put in order', 17))
      .branch('issue-3', 'start')
      .commit('sign-in 1', commit(ADA, 8, 'src/sign-in.ts', lines('sign'), 'Look at it'))
      .commit('sign-in 2', commit(ADA, 9, 'src/sign-in-2.ts', lines('signature'), 'Look again'))
      .branch('wip', 'start')
      .commit('open', commit(GRACE, 9, 'src/open.ts', lines('open'), 'Begin something'))
      .branch('copilot/one', 'start')
      .commit('agent 1', commit(AGENT, 10, 'src/agent-1.ts', lines('agent'), 'Do as requested'))
      .branch('copilot/two', 'start')
      .commit('agent 2', commit(AGENT, 11, 'src/agent-2.ts', lines('robot'), 'Do as assigned'))
      .branch('copilot/three', 'start')
      .commit('agent 3', commit(AGENT, 12, 'src/agent-3.ts', lines('machine'), 'Do as merged'))
      .branch('copilot/four', 'start')
      .commit('agent 4', commit(AGENT, 13, 'src/agent-4.ts', lines('alone'), 'Do it alone'))
      .switch('main')
      .merge('merged', ['parser 2'], {
        author: sign(ADA),
        at: at(6),
        take: { 'src/parser.ts': 'parser 2', 'src/parser-test.ts': 'parser 2' },
        message: 'Merge pull request #4 from feat/parser\n',
      })
      .tag('v1.0.0', 'merged')
      .commit('squashed', commit(GRACE, 7, 'src/fast.ts', lines('fast', 12), 'Faster lexer (#5)'))
      .commit('landed 1', {
        ...commit(LINUS, 8, 'src/other.ts', lines('other'), 'WEB-7 tidy up'),
        authored: at(5),
        committed: at(8),
      })
      .commit('landed 2', {
        ...commit(LINUS, 8, 'src/another.ts', lines('another'), 'Put in order', 17),
        authored: at(5, 17),
        committed: at(8),
      })
      .build()
  );
}

export function buildLandedWork(): LandedWork {
  const git = buildHistory();
  let nextId = 5_000;
  const id = () => {
    nextId += 1;
    return nextId;
  };
  const pullOf = (
    number: number,
    author: Person,
    commits: readonly (readonly [label: string, by: Person, at: string])[],
    more: Partial<Pull>,
  ): Pull => ({
    id: id(),
    number,
    title: `Change ${number}`,
    author,
    branch: `work/${number}`,
    base: 'main',
    createdAt: at(number - 1, 18),
    updatedAt: more.mergedAt ?? at(number, 20),
    isDraft: false,
    closedAt: more.mergedAt ?? null,
    mergedAt: null,
    mergedBy: null,
    mergeMethod: null,
    mergeSha: null,
    commits: commits.map(([label, by, when]) => ({ sha: git.sha(label), at: when, by })),
    reviews: [],
    comments: [],
    events: [],
    resolved: new Set(),
    labels: [],
    assignees: [],
    closes: [],
    ...more,
  });
  const issueOf = (number: number, title: string, labels: string[]): Issue => ({
    id: id(),
    number,
    title,
    by: MARGARET,
    assignee: null,
    labels,
    createdAt: at(1, 10 + number),
    updatedAt: at(1, 10 + number),
    closedAt: null,
    isPlanned: true,
    events: [],
  });
  const deployed = (label: string, environment: string, when: string): Deployed => ({
    id: id(),
    sha: git.sha(label),
    environment,
    createdAt: when,
    finishedAt: new Date(Date.parse(when) + 300_000).toISOString(),
    state: 'success',
    by: LINUS,
  });
  const repo: CompanyRepo = {
    id: 77,
    name: 'engine',
    issues: [
      issueOf(1, 'The parser crashes', ['bug']),
      issueOf(2, 'A faster lexer', []),
      issueOf(3, 'Nobody can sign in', ['bug', 'sev1']),
    ],
    pulls: [
      pullOf(
        4,
        ADA,
        [
          ['parser 1', ADA, at(3)],
          ['parser 2', ADA, at(3, 15)],
        ],
        {
          branch: 'feat/parser',
          closes: [1],
          reviews: [
            { id: id(), by: REVIEWER, state: 'commented', at: at(5, 9) },
            { id: id(), by: AGENT, state: 'commented', at: at(5, 10) },
            { id: id(), by: MARGARET, state: 'approved', at: at(5, 15) },
          ],
          mergedAt: at(6),
          mergedBy: LINUS,
          mergeMethod: 'merge',
          mergeSha: git.sha('merged'),
        },
      ),
      pullOf(
        5,
        GRACE,
        [
          ['lexer 1', GRACE, at(4)],
          ['lexer 2', GRACE, at(4, 16)],
        ],
        {
          branch: '2-faster-lexer',
          labels: ['Claude-Code-Assisted'],
          mergedAt: at(7),
          mergedBy: LINUS,
          mergeMethod: 'squash',
          mergeSha: git.sha('squashed'),
        },
      ),
      pullOf(
        6,
        LINUS,
        [
          ['tidy 1', LINUS, at(5)],
          ['tidy 2', LINUS, at(5, 17)],
        ],
        { branch: 'rebased', mergedAt: at(8), mergedBy: ADA, mergeMethod: 'rebase', mergeSha: git.sha('landed 2') },
      ),
      pullOf(7, GRACE, [['open', GRACE, at(9)]], {
        branch: 'wip',
        title: 'Outage: begin something',
        createdAt: at(9, 18),
      }),
      // The agent's work: requested by a person, assigned to one, merged by one, and by nobody known.
      pullOf(8, GRACE, [['agent 1', AGENT, at(10)]], { branch: 'copilot/one', assignees: [LINUS] }),
      pullOf(9, AGENT, [['agent 2', AGENT, at(11)]], { branch: 'copilot/two', assignees: [AGENT, LINUS] }),
      pullOf(10, AGENT, [['agent 3', AGENT, at(12)]], {
        branch: 'copilot/three',
        closedAt: at(20),
        mergedAt: at(20),
        mergedBy: ADA,
        mergeMethod: 'merge',
        mergeSha: 'd'.repeat(40),
      }),
      pullOf(11, AGENT, [['agent 4', AGENT, at(13)]], { branch: 'copilot/four' }),
    ],
    deployments: [
      deployed('start', 'production', at(1, 13)),
      // A tag stands on this commit as well, from an hour before.
      deployed('merged', 'Production', at(6, 13)),
      deployed('merged', 'production', at(7, 9)),
      deployed('squashed', 'staging', at(7, 10)),
      { ...deployed('squashed', 'production', at(7, 11)), state: 'failure' },
    ],
    runs: [
      {
        id: id(),
        name: 'Release',
        branch: 'main',
        sha: git.sha('squashed'),
        createdAt: at(7, 13),
        finishedAt: at(7, 14),
        attempt: 1,
        by: LINUS,
      },
    ],
  };
  return {
    company: {
      organization: 'works',
      organizationId: 70,
      people: [ADA, GRACE, LINUS, MARGARET, REVIEWER],
      repos: [repo],
      teams: [{ id: 71, slug: 'makers', members: [ADA, MARGARET, AGENT] }],
    },
    repo,
    git,
    pull: (number) => repo.pulls.find((pull) => pull.number === number)!,
  };
}
