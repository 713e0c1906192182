// Bitbucket Data Center as a double over a company: times in milliseconds, pages by start, everything that happened among
// the activities, and no way to ask for what has changed.
import { createHash } from 'node:crypto';
import type { Company, CompanyRepo, Person, Pull } from '../company/company.ts';
import { BITBUCKET_SERVER } from './bitbucket-server-description.ts';
import { type Call, type CompanyDouble, type Shown, startCompanyHost } from './company-host.ts';

export const BITBUCKET_SERVER_COMPANY_TOKEN = 'BBDC-CompanyDoubleToken';
const SITE = 'https://bitbucket.example.com';
const DEFAULT_PAGE = 25;
const MOST_PAGE = 100;

const hash = (text: string) => createHash('sha1').update(text).digest('hex');
const user = (person: Person) => ({
  id: person.id,
  name: person.login,
  slug: person.login,
  displayName: person.name,
  emailAddress: person.email,
  active: true,
  type: person.isBot ? 'SERVICE' : 'NORMAL',
});
/** A deleted account is left out. */
const named = <Name extends string>(name: Name, person: Person | null) =>
  person === null ? {} : { [name]: user(person) };
const stateOf = (pull: Pull) => (pull.mergedAt !== null ? 'MERGED' : pull.closedAt !== null ? 'DECLINED' : 'OPEN');

export function startBitbucketServerCompany(company: Company): Promise<CompanyDouble> {
  const key = () => company.organization.toUpperCase();
  const project = () => ({
    id: company.organizationId,
    key: key(),
    name: company.organization,
    public: false,
    type: 'NORMAL',
  });
  const repo = ({ id, name }: CompanyRepo) => ({
    id,
    slug: name,
    name,
    state: 'AVAILABLE',
    public: false,
    project: project(),
    links: { clone: [{ name: 'http', href: `${SITE}/scm/${company.organization}/${name}.git` }] },
  });
  /** A renamed repo answers under its old names too. */
  const names = new Map<string, CompanyRepo>();
  const repoOf = ({ values }: Call): CompanyRepo | undefined => {
    for (const item of company.repos) names.set(`${key()}/${item.name}`, item);
    return names.get(`${values.key}/${values.slug}`);
  };
  const pullOf = (call: Call) => repoOf(call)?.pulls.find(({ number }) => String(number) === call.values.id);
  const list = (items: readonly unknown[] | undefined): Shown => (items === undefined ? undefined : { list: items });

  const pullRequest = (pull: Pull) => ({
    id: pull.number,
    version: 1,
    title: pull.title,
    state: stateOf(pull),
    open: pull.closedAt === null,
    closed: pull.closedAt !== null,
    draft: pull.isDraft,
    createdDate: Date.parse(pull.createdAt),
    updatedDate: Date.parse(pull.updatedAt),
    ...(pull.closedAt === null ? {} : { closedDate: Date.parse(pull.closedAt) }),
    fromRef: { id: `refs/heads/${pull.branch}`, displayId: pull.branch, latestCommit: pull.commits.at(-1)!.sha },
    toRef: { id: `refs/heads/${pull.base}`, displayId: pull.base, latestCommit: hash('target') },
    locked: false,
    ...(pull.author === null
      ? {}
      : { author: { user: user(pull.author), role: 'AUTHOR', approved: false, status: 'UNAPPROVED' } }),
    reviewers: [],
    properties: { commentCount: pull.comments.length, openTaskCount: 0, resolvedTaskCount: 0 },
    links: { self: [{ href: `${SITE}/pull-requests/${pull.number}` }] },
  });

  const messageOf = (sha: string) => `Step ${sha.slice(0, 6)}`;
  const commit = ({ sha, at, by }: Pull['commits'][number]) => ({
    id: sha,
    displayId: sha.slice(0, 11),
    message: messageOf(sha),
    author: { name: by.name, emailAddress: by.email },
    authorTimestamp: Date.parse(at),
    committerTimestamp: Date.parse(at),
    parents: [{ id: hash('parent'), displayId: 'parent' }],
  });
  const landing = (pull: Pull) => ({
    ...commit({ sha: pull.mergeSha!, at: pull.mergedAt!, by: pull.mergedBy! }),
    message: pull.mergeMethod === 'rebase' ? messageOf(pull.commits.at(-1)!.sha) : `Pull request #${pull.number}`,
    parents: (pull.mergeMethod === 'merge' ? ['one', 'two'] : ['one']).map((name) => ({
      id: hash(name),
      displayId: name,
    })),
  });

  const activities = (pull: Pull) => {
    const entry = (id: number, by: Person | null, at: string, action: string) => ({
      id,
      createdDate: Date.parse(at),
      ...named('user', by),
      action,
    });
    const answer = (item: Pull['comments'][number]) => ({
      id: item.id,
      version: 0,
      text: item.body,
      ...named('author', item.by),
      createdDate: Date.parse(item.at),
      updatedDate: Date.parse(item.updatedAt),
      severity: 'NORMAL',
      state: 'OPEN',
      comments: [],
    });
    const actions: Readonly<Record<string, string>> = {
      approved: 'APPROVED',
      dismissed: 'APPROVED',
      changes_requested: 'REVIEWED',
    };
    const entries: { readonly createdDate: number; readonly [name: string]: unknown }[] = [
      entry(pull.id, pull.author, pull.createdAt, 'OPENED'),
      {
        ...entry(pull.id + 3_000_000, pull.author, pull.createdAt, 'RESCOPED'),
        fromHash: hash('a'),
        toHash: hash('b'),
      },
      ...pull.reviews.flatMap(({ id, by, at, state }) => {
        const action = actions[state];
        if (action === undefined) return [];
        const undone = new Date(Date.parse(at) + 1000).toISOString();
        return [
          entry(id, by, at, action),
          ...(state === 'dismissed' ? [entry(id + 1_000_000, by, undone, 'UNAPPROVED')] : []),
        ];
      }),
      ...pull.events.flatMap(({ id, kind, at, by, of }) =>
        kind === 'review_requested'
          ? [{ ...entry(id, by, at, 'UPDATED'), addedReviewers: [user(of!)], removedReviewers: [] }]
          : kind === 'closed'
            ? [entry(id, by, at, 'DECLINED')]
            : [],
      ),
      ...(pull.mergedAt === null
        ? []
        : [{ ...entry(pull.id + 2_000_000, pull.mergedBy, pull.mergedAt, 'MERGED'), commit: landing(pull) }]),
      ...pull.comments
        .filter(({ answers }) => answers === null)
        .map((first) => {
          const isResolved = pull.resolved.has(first.id);
          const isLeft = first.place !== null && first.place.line % 5 === 0;
          return {
            ...entry(first.id + 4_000_000, first.by, first.at, 'COMMENTED'),
            commentAction: 'ADDED',
            comment: {
              ...answer(first),
              threadResolved: isResolved,
              ...(isResolved ? { threadResolvedDate: Date.parse(pull.updatedAt) } : {}),
              comments: pull.comments.filter(({ answers }) => answers === first.id).map(answer),
            },
            ...(first.place === null
              ? {}
              : {
                  commentAnchor: {
                    path: first.place.path,
                    line: first.place.line,
                    lineType: isLeft ? 'REMOVED' : 'ADDED',
                    fileType: isLeft ? 'FROM' : 'TO',
                    fromHash: hash('target'),
                    toHash: pull.commits.at(-1)!.sha,
                    diffType: 'EFFECTIVE',
                    orphaned: false,
                  },
                }),
          };
        }),
    ];
    return entries.sort((a, b) => b.createdDate - a.createdDate);
  };

  const me = company.people[0]!;
  return startCompanyHost(company, {
    description: BITBUCKET_SERVER,
    base: '/git/rest/api/1.0',
    refuse: ({ headers }) =>
      headers.authorization === `Bearer ${BITBUCKET_SERVER_COMPANY_TOKEN}`
        ? null
        : { status: 401, body: { errors: [{ message: 'Authentication failed.' }] } },
    notFound: () => ({ status: 404, body: { errors: [{ message: 'No such thing' }] } }),
    // 0 asks for no wait.
    headers: () => ({ 'x-ausername': me.login, 'x-auserid': String(me.id), 'retry-after': '0' }),
    page(items, { query }) {
      const limit = Math.min(Number(query.get('limit') ?? DEFAULT_PAGE), MOST_PAGE);
      const start = Number(query.get('start') ?? 0);
      const some = items.slice(start, start + limit);
      const isLastPage = start + limit >= items.length;
      const nextPageStart = isLastPage ? null : start + limit;
      return { items: some, body: { size: some.length, limit, isLastPage, values: some, start, nextPageStart } };
    },
    calls: {
      '/projects': () => ({ list: [project()] }),
      '/projects/{key}/repos': () => ({ list: company.repos.map(repo) }),
      '/projects/{key}/repos/{slug}': (call) => {
        const found = repoOf(call);
        return found && { one: repo(found) };
      },
      '/projects/{key}/repos/{slug}/pull-requests': (call) => {
        const state = call.query.get('state') ?? 'OPEN';
        return list(
          repoOf(call)
            ?.pulls.filter((pull) => state === 'ALL' || stateOf(pull) === state)
            .sort((a, b) => b.number - a.number)
            .map(pullRequest),
        );
      },
      '/projects/{key}/repos/{slug}/pull-requests/{id}': (call) => {
        const pull = pullOf(call);
        return pull && { one: pullRequest(pull) };
      },
      '/projects/{key}/repos/{slug}/pull-requests/{id}/activities': (call) => {
        const pull = pullOf(call);
        return list(pull && activities(pull));
      },
      '/projects/{key}/repos/{slug}/pull-requests/{id}/commits': (call) =>
        list(pullOf(call)?.commits.map(commit).reverse()),
      '/projects/{key}/repos/{slug}/commits/{commit}': (call) => {
        const pull = repoOf(call)?.pulls.find(({ mergeSha }) => mergeSha === call.values.commit);
        return pull && { one: landing(pull) };
      },
    },
  });
}
