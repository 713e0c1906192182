// The hosts that show a company, one row each: how its double is started and connected, and what of the company it can
// tell. Tests of all hosts walk these rows.
import type { Company, Person, Pull, PullComment, PullEvent, PullReview } from '../company/company.ts';
import { COMPANY_TOKEN, type GithubCompany, startGithubCompany } from '../company/github-company.ts';
import type { DoubleAnswer } from '../host-doubles/host-double.ts';
import { AZURE_COMPANY_TOKEN, startAzureCompany } from './azure-company.ts';
import { BITBUCKET_COMPANY_TOKEN, startBitbucketCompany } from './bitbucket-company.ts';
import { BITBUCKET_SERVER_COMPANY_TOKEN, startBitbucketServerCompany } from './bitbucket-server-company.ts';
import type { CompanyDouble } from './company-host.ts';
import { GITLAB_COMPANY_TOKEN, gitlabLogin, startGitlabCompany } from './gitlab-company.ts';

export type ToldReview = Pick<PullReview, 'state' | 'at' | 'by'>;

/** What a host can tell of a company, as plain rules over the company's own records. */
export interface Tells {
  login(person: Person): string;
  /** Whether its accounts lead to the people who commit: by an address, or by the commits of pull requests. */
  readonly tiesCommitters: boolean;
  /** When a pull request became ready; hosts that cannot tell have its creation. */
  openedAt(pull: Pull): string;
  reviews(pull: Pull): readonly ToldReview[];
  /** Kinds of events that it has; the landing of a pull request is one for some. */
  readonly events: readonly (PullEvent['kind'] | 'merged')[];
  method(pull: Pull): string | null;
  landing(pull: Pull): string | null;
  hasLabels: boolean;
  hasAssignees: boolean;
  closedKey(number: number, company: Company): string | null;
  commentId(pull: Pull, comment: PullComment): string;
  /** Whether a word in the conversation begins a thread. */
  hasConversationThreads: boolean;
  /** Whether a comment on a line names the commit that it was written on. */
  hasCommentCommit: boolean;
  /** Whether a comment on a line says on which side of the difference it is. */
  side(line: number): string;
  hasDeployments: boolean;
  hasRuns: boolean;
  /** Path and number of members of each team. */
  teams(company: Company): readonly { readonly slug: string; readonly members: number }[];
}

export interface CompanyHost<D extends CompanyDouble = CompanyDouble> {
  readonly name: string;
  start(company: Company, tokens: readonly string[]): Promise<D>;
  readonly token: string;
  /** Of provisioning, without address, token and entity. */
  readonly provision: Readonly<Record<string, string>>;
  /** Behind the double's address. */
  readonly path: string;
  readonly tells: Tells;
  /** How it says once, in the middle of the pull requests, that its quota is spent. */
  readonly spent: { readonly path: RegExp; readonly answer: DoubleAnswer; readonly seconds: number };
}

const readyAt = (pull: Pull): string => pull.events.find(({ kind }) => kind === 'ready')?.at ?? pull.createdAt;
const teamsOf = ({ teams }: Company, prefix = '') =>
  teams.map(({ slug, members }) => ({ slug: `${prefix}${slug}`, members: members.length }));
/** A single commit that was rebased looks like a squash, and is as good as one. */
const guessedMethod = ({ mergeMethod, commits }: Pull) =>
  mergeMethod === 'rebase' && commits.length === 1 ? 'squash' : mergeMethod;
const without = (...states: string[]) => ({
  reviews: (pull: Pull) => pull.reviews.filter(({ state }) => !states.includes(state)),
});
const leftOfFifths = (line: number): string => (line % 5 === 0 ? 'left' : 'right');

const GITHUB_TELLS: Tells = {
  login: ({ login }) => login,
  tiesCommitters: true,
  openedAt: readyAt,
  reviews: ({ reviews }) => reviews,
  events: ['closed', 'ready', 'review_requested'],
  method: guessedMethod,
  landing: ({ mergeSha }) => mergeSha,
  hasLabels: true,
  hasAssignees: true,
  closedKey: (number, { organization, repos }) => `${organization}/${repos[0]!.name}#${number}`,
  // Conversations and lines have ids of their own.
  commentId: (_, { id, place }) => `${place === null ? 'i' : 'r'}${id}`,
  hasConversationThreads: false,
  hasCommentCommit: true,
  side: () => 'right',
  hasDeployments: true,
  hasRuns: true,
  teams: (company) => teamsOf(company),
};

export const GITHUB: CompanyHost<GithubCompany> = {
  name: 'github',
  start: startGithubCompany,
  token: COMPANY_TOKEN,
  provision: { git_provider_em: 'github' },
  path: '',
  tells: GITHUB_TELLS,
  spent: {
    path: /\/graphql$/,
    answer: { status: 429, headers: { 'retry-after': '75' }, body: { message: 'Too many' } },
    seconds: 75,
  },
};

/** Approvals and their end, the wish for changes, and everybody's first comment on each push. */
function gitlabReviews(pull: Pull): ToldReview[] {
  const told: ToldReview[] = pull.reviews.filter(({ state }) => state === 'approved' || state === 'dismissed');
  for (const person of new Set(pull.comments.map(({ by }) => by))) {
    if (person !== null && person === pull.author) continue;
    const [first] = pull.comments.filter(({ by }) => by === person).sort((a, b) => (a.at < b.at ? -1 : 1));
    told.push({ state: 'commented', at: first!.at, by: person });
  }
  for (const [person, { state, at }] of new Map(pull.reviews.map((review) => [review.by, review]))) {
    if (person === null || state !== 'changes_requested') continue;
    const words = pull.comments.filter(({ by }) => by === person).map((comment) => comment.at);
    told.push({ state, at: words.sort().at(-1) ?? at, by: person });
  }
  return told;
}

export const GITLAB: CompanyHost = {
  name: 'gitlab',
  start: (company) => startGitlabCompany(company),
  token: GITLAB_COMPANY_TOKEN,
  provision: { git_provider_em: 'gitlab' },
  path: '',
  tells: {
    ...GITHUB_TELLS,
    login: gitlabLogin,
    // The company keeps its addresses private.
    tiesCommitters: false,
    hasConversationThreads: true,
    commentId: (_, { id }) => String(id),
    reviews: gitlabReviews,
    method: ({ mergeMethod }) => (mergeMethod === 'rebase' ? 'fast_forward' : mergeMethod),
    landing: ({ mergeMethod, mergeSha, commits }) => (mergeMethod === 'rebase' ? commits.at(-1)!.sha : mergeSha),
    side: leftOfFifths,
    teams: (company) => [
      { slug: company.organization, members: company.people.filter(({ isBot }) => !isBot).length },
      ...teamsOf(company, `${company.organization}/`),
    ],
  },
  spent: {
    path: /\/discussions$/,
    // The answer is not JSON.
    answer: { status: 429, headers: { 'retry-after': '90', 'ratelimit-remaining': '0' }, body: 'Retry later' },
    seconds: 90,
  },
};

const azure = (name: string, prefix: string): CompanyHost => ({
  name,
  start: (company) => startAzureCompany(company, prefix),
  token: AZURE_COMPANY_TOKEN,
  provision: {
    git_provider_em: name,
    git_provider_organization: 'contoso',
    git_provider_token_expires_at: '2027-06-01',
  },
  path: prefix,
  tells: {
    ...GITHUB_TELLS,
    ...without('commented'),
    login: ({ email }) => email,
    hasConversationThreads: true,
    events: ['closed', 'ready', 'review_requested'],
    method: ({ mergeMethod }) => mergeMethod,
    hasAssignees: false,
    closedKey: (number) => `AB#${number}`,
    commentId: (pull, { id, answers }) => {
      const thread = pull.comments.filter((other) => (other.answers ?? other.id) === (answers ?? id));
      return `${answers ?? id}.${1 + thread.findIndex((other) => other.id === id)}`;
    },
    side: leftOfFifths,
  },
  spent: {
    path: /\/threads$/,
    answer: {
      status: 429,
      headers: { 'retry-after': '120', 'x-ratelimit-resource': 'TfsGit/PullRequests' },
      body: { message: 'TF400733: The request has been canceled' },
    },
    seconds: 120,
  },
});
export const AZURE_DEVOPS = azure('azure_devops', '');
export const AZURE_DEVOPS_SERVER = azure('azure_devops_server', '/tfs');

const BITBUCKET_TELLS: Tells = {
  ...GITHUB_TELLS,
  ...without('commented', 'dismissed'),
  openedAt: ({ createdAt }) => createdAt,
  events: ['closed', 'review_requested'],
  hasLabels: false,
  hasAssignees: false,
  closedKey: () => null,
  commentId: (_, { id }) => String(id),
  hasConversationThreads: true,
  hasCommentCommit: false,
  side: leftOfFifths,
  teams: () => [],
};

export const BITBUCKET: CompanyHost = {
  name: 'bitbucket',
  start: (company) => startBitbucketCompany(company),
  token: BITBUCKET_COMPANY_TOKEN,
  provision: { git_provider_em: 'bitbucket' },
  path: '',
  tells: BITBUCKET_TELLS,
  spent: {
    path: /\/activity$/,
    // It does not say until when.
    answer: {
      status: 429,
      headers: { 'x-ratelimit-nearlimit': 'true' },
      body: 'Rate limit for this resource exceeded',
    },
    seconds: 60,
  },
};

export const BITBUCKET_SERVER: CompanyHost = {
  name: 'bitbucket_server',
  start: (company) => startBitbucketServerCompany(company),
  token: BITBUCKET_SERVER_COMPANY_TOKEN,
  provision: { git_provider_em: 'bitbucket_server' },
  path: '/git',
  tells: {
    ...BITBUCKET_TELLS,
    ...without('commented'),
    events: ['closed', 'merged', 'review_requested'],
    hasCommentCommit: true,
    hasDeployments: false,
    hasRuns: false,
  },
  spent: {
    path: /\/activities$/,
    answer: { status: 429, headers: { 'retry-after': '30' }, body: { errors: [{ message: 'You are rate limited' }] } },
    seconds: 30,
  },
};

export const HOSTS = [GITHUB, GITLAB, AZURE_DEVOPS, AZURE_DEVOPS_SERVER, BITBUCKET, BITBUCKET_SERVER] as const;
