// Bitbucket Cloud as a double over a company: workspaces for organizations, hashes of twelve digits, and no time of
// merging outside of the activity. A review that was dismissed leaves no trace.
import { createHash } from 'node:crypto';
import type { Company, CompanyRepo, Person, Pull } from '../company/company.ts';
import { BITBUCKET } from './bitbucket-description.ts';
import { type Call, type CompanyDouble, type Shown, startCompanyHost } from './company-host.ts';

export const BITBUCKET_COMPANY_TOKEN = 'ATATT3xFfGF0CompanyDoubleToken';
const EXPECTED = `Basic ${Buffer.from(`owner@example.com:${BITBUCKET_COMPANY_TOKEN}`).toString('base64')}`;
const SITE = 'https://bitbucket.org';
const DEFAULT_PAGE = 10;

export const uuidOf = (id: number) => `{00000000-0000-4000-8000-${String(id).padStart(12, '0')}}`;
const hash = (text: string) => createHash('sha1').update(text).digest('hex');
const later = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
/** With microseconds and an offset, as Bitbucket writes it. */
const fine = (at: string) => at.replace(/(\.\d{3})Z$/, '$1321+00:00');

const user = (person: Person) => ({
  type: person.isBot ? 'app_user' : 'user',
  uuid: uuidOf(person.id),
  account_id: `557058:${person.id}`,
  nickname: person.login,
  display_name: person.name,
  links: { self: { href: `${SITE}/${person.id}` } },
});
const maybe = (person: Person | null) => (person === null ? null : user(person));
const isBetween = (time: string, from: string, to: string) =>
  Date.parse(time) >= Date.parse(from) && Date.parse(time) <= Date.parse(to);
const commitRef = (sha: string) => ({ type: 'commit', hash: sha });

export function startBitbucketCompany(company: Company): Promise<CompanyDouble> {
  const repo = ({ id, name }: CompanyRepo) => ({
    type: 'repository',
    uuid: uuidOf(id),
    slug: name,
    name,
    full_name: `${company.organization}/${name}`,
    is_private: true,
    mainbranch: { type: 'branch', name: 'main' },
    links: { clone: [{ name: 'https', href: `${SITE}/${company.organization}/${name}.git` }] },
  });
  const repoOf = ({ values }: Call) =>
    values.workspace === company.organization ? company.repos.find(({ id }) => uuidOf(id) === values.repo) : undefined;
  const pullOf = (call: Call) => repoOf(call)?.pulls.find(({ number }) => String(number) === call.values.id);
  const list = (items: readonly unknown[] | undefined): Shown => (items === undefined ? undefined : { list: items });
  const stateOf = (pull: Pull) => (pull.mergedAt !== null ? 'MERGED' : pull.closedAt !== null ? 'DECLINED' : 'OPEN');

  const pullRequest = (of: CompanyRepo, pull: Pull, fields: string) => {
    const end = (name: string, sha: string) => ({
      branch: { name },
      commit: commitRef(sha.slice(0, 12)),
      repository: { type: 'repository', full_name: repo(of).full_name, uuid: uuidOf(of.id) },
    });
    return {
      type: 'pullrequest',
      id: pull.number,
      title: pull.title,
      state: stateOf(pull),
      author: maybe(pull.author),
      closed_by: maybe(pull.mergedBy),
      source: end(pull.branch, pull.commits.at(-1)!.sha),
      destination: end(pull.base, hash('target')),
      merge_commit: pull.mergeSha === null ? null : commitRef(pull.mergeSha.slice(0, 12)),
      comment_count: pull.comments.length,
      task_count: 0,
      close_source_branch: true,
      reason: '',
      created_on: fine(pull.createdAt),
      updated_on: fine(pull.updatedAt),
      links: { html: { href: `${SITE}/pull-requests/${pull.number}` } },
      ...(fields.includes('+values.draft') ? { draft: pull.isDraft } : {}),
      ...(fields.includes('+values.participants') ? { participants: [] } : {}),
    };
  };

  const activity = (pull: Pull) => {
    const of = { type: 'pullrequest', id: pull.number };
    const reviewers: Person[] = [];
    const update = (at: string, by: Person | null, state: string) => ({
      date: fine(at),
      state,
      author: maybe(by),
      title: pull.title,
      description: '',
      reason: '',
      reviewers: reviewers.map(user),
      changes: {},
    });
    const entries: { at: string; entry: object }[] = [];
    const add = (at: string, entry: object) => entries.push({ at, entry: { pull_request: of, ...entry } });
    add(pull.createdAt, { update: update(pull.createdAt, pull.author, 'OPEN') });
    for (const { kind, at, by, of: whom } of pull.events) {
      if (kind !== 'review_requested') continue;
      reviewers.push(whom!);
      add(at, { update: update(at, by, 'OPEN') });
    }
    for (const { by, state, at } of pull.reviews) {
      const vote = { date: fine(at), user: maybe(by), pullrequest: of };
      if (state === 'approved') add(at, { approval: vote });
      if (state === 'changes_requested') add(at, { changes_requested: vote });
    }
    for (const { id, at } of pull.comments) add(at, { comment: { id, created_on: fine(at) } });
    if (pull.closedAt !== null) {
      add(pull.closedAt, { update: update(pull.closedAt, pull.mergedBy, stateOf(pull)) });
      // An edit afterwards repeats the state.
      add(later(pull.closedAt, 60), { update: update(later(pull.closedAt, 60), pull.author, stateOf(pull)) });
    }
    return entries.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ entry }) => entry);
  };

  const comments = (pull: Pull) =>
    pull.comments.map((item) => ({
      type: 'pullrequest_comment',
      id: item.id,
      created_on: fine(item.at),
      updated_on: fine(item.updatedAt),
      content: { type: 'rendered', raw: item.body, markup: 'markdown', html: '' },
      user: maybe(item.by),
      deleted: false,
      pending: false,
      ...(item.answers === null ? {} : { parent: { id: item.answers } }),
      ...(item.place === null
        ? {}
        : {
            inline: {
              path: item.place.path,
              from: item.place.line % 5 === 0 ? item.place.line : null,
              to: item.place.line % 5 === 0 ? null : item.place.line,
            },
          }),
      ...(pull.resolved.has(item.id)
        ? { resolution: { type: 'comment_resolution', user: maybe(pull.author), created_on: fine(pull.updatedAt) } }
        : {}),
      pullrequest: { type: 'pullrequest', id: pull.number },
    }));

  const messageOf = (sha: string) => `Step ${sha.slice(0, 6)}`;
  const commit = ({ sha, at, by }: Pull['commits'][number]) => ({
    type: 'commit',
    hash: sha,
    date: fine(at),
    message: messageOf(sha),
    author: { type: 'author', raw: `${by.name} <${by.email}>`, user: user(by) },
    parents: [commitRef(hash('parent'))],
  });
  /** A rebased commit has the message of the last one. */
  const landing = (pull: Pull) => ({
    ...commit({ sha: pull.mergeSha!, at: pull.mergedAt!, by: pull.mergedBy! }),
    message: pull.mergeMethod === 'rebase' ? messageOf(pull.commits.at(-1)!.sha) : `Merged in ${pull.branch}`,
    parents: (pull.mergeMethod === 'merge' ? ['one', 'two'] : ['one']).map((name) => commitRef(hash(name))),
  });

  return startCompanyHost(company, {
    description: BITBUCKET,
    base: '',
    refuse: ({ headers }) =>
      headers.authorization === EXPECTED ? null : { status: 401, body: { type: 'error', error: { message: 'no' } } },
    notFound: () => ({ status: 404, body: { type: 'error', error: { message: 'Resource not found' } } }),
    page(items, { query, origin, path }) {
      const size = Number(query.get('pagelen') ?? DEFAULT_PAGE);
      const most = /\/(?:pullrequests|activity)$/.test(path) ? 50 : 100;
      if (size > most) throw new Error(`pagelen is at most ${most}`);
      const number = Number(query.get('page') ?? 1);
      const some = items.slice((number - 1) * size, number * size);
      const next = new URL(`${origin}${path}?${query}`);
      next.searchParams.set('page', String(number + 1));
      const isContinued = items.length > number * size && !path.endsWith('/pipelines');
      return {
        items: some,
        body: { pagelen: size, values: some, page: number, ...(isContinued ? { next: next.href } : {}) },
      };
    },
    calls: {
      '/user': () => ({ one: { ...user(company.people[0]!), username: company.people[0]!.login } }),
      '/user/workspaces': () => ({
        list: [
          {
            type: 'workspace_access',
            administrator: false,
            workspace: { type: 'workspace_base', slug: company.organization, uuid: uuidOf(company.organizationId) },
          },
        ],
      }),
      '/repositories': () => ({ list: company.repos.map(repo) }),
      '/repositories/{workspace}': () => ({ list: company.repos.map(repo) }),
      '/workspaces/{workspace}/members': () => ({
        list: company.people.map((person) => ({ type: 'workspace_membership', user: user(person) })),
      }),
      '/repositories/{workspace}/{repo}/pullrequests': (call) => {
        const { query } = call;
        if (query.get('sort') !== '-updated_on') throw new Error('an order is needed');
        const q = query.get('q') ?? '';
        const from = /updated_on >= "([^"]+)"/.exec(q)?.[1] ?? '1970-01-01T00:00:00Z';
        const to = /updated_on <= "([^"]+)"/.exec(q)?.[1] ?? '9999-01-01T00:00:00Z';
        const states = query.getAll('state');
        return list(
          repoOf(call)
            ?.pulls.filter((pull) => (states.length === 0 ? ['OPEN'] : states).includes(stateOf(pull)))
            .filter(({ updatedAt }) => isBetween(updatedAt, from, to))
            .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
            .map((pull) => pullRequest(repoOf(call)!, pull, query.get('fields') ?? '')),
        );
      },
      '/repositories/{workspace}/{repo}/pullrequests/{id}': (call) => {
        const pull = pullOf(call);
        // By itself it is shown whole.
        return pull && { one: pullRequest(repoOf(call)!, pull, '+values.participants,+values.draft') };
      },
      '/repositories/{workspace}/{repo}/pullrequests/{id}/activity': (call) => {
        const pull = pullOf(call);
        return list(pull && activity(pull));
      },
      '/repositories/{workspace}/{repo}/pullrequests/{id}/comments': (call) => {
        const pull = pullOf(call);
        return list(pull && comments(pull));
      },
      '/repositories/{workspace}/{repo}/pullrequests/{id}/commits': (call) =>
        list(pullOf(call)?.commits.map(commit).reverse()),
      '/repositories/{workspace}/{repo}/commit/{hash}': (call) => {
        const pull = repoOf(call)?.pulls.find(({ mergeSha }) => mergeSha?.startsWith(call.values.hash!));
        return pull && { one: landing(pull) };
      },
      '/repositories/{workspace}/{repo}/pipelines': (call) => {
        if (call.query.get('sort') !== '-created_on') throw new Error('an order is needed');
        return list(
          repoOf(call)
            ?.runs.map((run) => ({
              type: 'pipeline',
              uuid: uuidOf(run.id),
              build_number: run.id,
              creator: user(run.by),
              created_on: fine(run.createdAt),
              completed_on: fine(run.finishedAt),
              state: { name: 'COMPLETED', result: { name: 'SUCCESSFUL' } },
              target: {
                type: 'pipeline_ref_target',
                ref_type: 'branch',
                ref_name: run.branch,
                commit: commitRef(run.sha),
                selector: { type: 'custom', pattern: run.name },
              },
              trigger: { name: 'PUSH' },
            }))
            .reverse(),
        );
      },
      '/repositories/{workspace}/{repo}/environments': () => ({
        list: ['production', 'staging'].map((name, index) => ({
          type: 'deployment_environment',
          uuid: uuidOf(index),
          name,
        })),
      }),
      '/repositories/{workspace}/{repo}/deployments': (call) =>
        list(
          repoOf(call)?.deployments.map((item) => ({
            type: 'deployment',
            uuid: uuidOf(item.id),
            environment: { uuid: uuidOf(item.environment === 'production' ? 0 : 1) },
            release: { uuid: uuidOf(item.id), created_on: fine(item.createdAt), commit: commitRef(item.sha) },
            state: {
              name: 'COMPLETED',
              status: { name: item.state === 'success' ? 'SUCCESSFUL' : 'FAILED' },
              started_on: fine(item.createdAt),
              completed_on: fine(item.finishedAt),
            },
            last_update_time: fine(item.finishedAt),
          })),
        ),
    },
  });
}
