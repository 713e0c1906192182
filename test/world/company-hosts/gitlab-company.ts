// GitLab as a double over a company. It has no reviews: approvals are system notes, the wish for changes a state of the
// reviewer. Pull requests that were rebased are fast-forwarded here.
import { createHash } from 'node:crypto';
import type { Company, CompanyRepo, Issue, Person, Pull } from '../company/company.ts';
import { type Call, type CompanyDouble, type Shown, startCompanyHost } from './company-host.ts';
import { GITLAB } from './gitlab-description.ts';

export const GITLAB_COMPANY_TOKEN = 'glpat-CompanyDoubleToken01';
const SITE = 'https://gitlab.example.com';
const MOST_PAGE = 100;
const DEFAULT_PAGE = 20;

/** Every fourth issue has a weight, every sixth an iteration, every fifth an epic. */
export const weightOf = ({ number }: Issue): number | null => (number % 4 === 0 ? number % 9 : null);
export const iterationOf = ({ number }: Issue): number | null => (number % 6 === 0 ? 1 + (number % 3) : null);
export const EPICS = [0, 1, 2, 3, 4, 5, 6];
export const epicTimes = (iid: number) => ({
  createdAt: `2024-02-0${1 + iid}T08:00:00.000Z`,
  closedAt: iid % 2 === 0 ? null : `2026-08-0${iid}T08:00:00.000Z`,
});
export const epicOf = ({ number }: Issue): number | null => (number % 5 === 0 ? number % 7 : null);
export const ITERATIONS = [1, 2, 3];

export const gitlabLogin = ({ login, isBot }: Person): string => (isBot ? 'project_1_bot_helper' : login);

const shown = (id: number, username: string, name: string) => ({
  id,
  username,
  name,
  state: 'active',
  locked: false,
  avatar_url: null,
  web_url: `${SITE}/${username}`,
});
const GHOST = shown(999_999, 'ghost', 'Ghost User');
const user = (person: Person | null) => (person === null ? null : shown(person.id, gitlabLogin(person), person.name));
const author = (person: Person | null) => user(person) ?? GHOST;
const hash = (text: string) => createHash('sha1').update(text).digest('hex');
const later = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();

/** Without a paid tier there are no weights, iterations and epics. */
export function startGitlabCompany(company: Company, tier: 'free' | 'premium' = 'premium'): Promise<CompanyDouble> {
  const isFree = tier === 'free';
  const path = (repo: CompanyRepo) => `${company.organization}/${repo.name}`;
  const references = (repo: CompanyRepo, mark: string, number: number) => ({
    short: `${mark}${number}`,
    relative: `${mark}${number}`,
    full: `${path(repo)}${mark}${number}`,
  });
  const group = (id: number, fullPath: string, parent: number | null) => ({
    id,
    name: fullPath.split('/').at(-1)!,
    path: fullPath.split('/').at(-1)!,
    full_name: fullPath.replaceAll('/', ' / '),
    full_path: fullPath,
    visibility: 'private',
    parent_id: parent,
    web_url: `${SITE}/groups/${fullPath}`,
  });
  const project = (repo: CompanyRepo) => ({
    id: repo.id,
    name: repo.name,
    path: repo.name,
    path_with_namespace: path(repo),
    default_branch: 'main',
    http_url_to_repo: `${SITE}/${path(repo)}.git`,
    ssh_url_to_repo: `git@gitlab.example.com:${path(repo)}.git`,
    visibility: 'private',
    archived: false,
  });
  const top = () => group(company.organizationId, company.organization, null);
  const below = () => company.teams.map(({ id, slug }) => group(id, `${company.organization}/${slug}`, top().id));
  const membersOf = (id: number): Person[] =>
    id === company.organizationId
      ? company.people.filter(({ isBot }) => !isBot)
      : (company.teams.find((team) => team.id === id)?.members ?? []);

  const repoOf = ({ values }: Call): CompanyRepo | undefined =>
    company.repos.find(({ id }) => String(id) === values.id);
  const pullOf = (call: Call): Pull | undefined =>
    repoOf(call)?.pulls.find(({ number }) => String(number) === call.values.iid);
  const issueOf = (call: Call): Issue | undefined =>
    repoOf(call)?.issues.find(({ number }) => String(number) === call.values.iid);
  const list = (items: readonly unknown[] | undefined): Shown => (items === undefined ? undefined : { list: items });

  const mergeRequest = (repo: CompanyRepo, pull: Pull) => {
    const state = pull.mergedAt !== null ? 'merged' : pull.closedAt !== null ? 'closed' : 'opened';
    return {
      id: pull.id,
      iid: pull.number,
      project_id: repo.id,
      title: pull.title,
      description: pull.closes.map((number) => `Closes #${number}`).join('\n'),
      state,
      created_at: pull.createdAt,
      updated_at: pull.updatedAt,
      merged_by: user(pull.mergedBy),
      merge_user: user(pull.mergedBy),
      merged_at: pull.mergedAt,
      closed_by: null,
      // An open one was closed before, and reopened.
      closed_at: pull.mergedAt === null ? (pull.closedAt ?? pull.createdAt) : null,
      target_branch: pull.base,
      source_branch: pull.branch,
      user_notes_count: pull.comments.length,
      author: author(pull.author),
      assignees: pull.assignees.map(user),
      assignee: user(pull.assignees[0] ?? null),
      reviewers: [],
      labels: pull.labels,
      draft: pull.isDraft,
      work_in_progress: pull.isDraft,
      sha: pull.commits.at(-1)!.sha,
      merge_commit_sha: pull.mergeMethod === 'merge' ? pull.mergeSha : null,
      squash_commit_sha: pull.mergeMethod === 'squash' ? pull.mergeSha : null,
      // The wish alone says nothing.
      squash: true,
      references: references(repo, '!', pull.number),
      web_url: `${SITE}/${path(repo)}/-/merge_requests/${pull.number}`,
    };
  };

  const discussions = (repo: CompanyRepo, pull: Pull) => {
    const plain = (id: number, by: Person | null, at: string, body: string) => ({
      id,
      type: null as string | null,
      body,
      author: author(by),
      created_at: at,
      updated_at: at,
      system: false,
      noteable_id: pull.id,
      noteable_type: 'MergeRequest',
      noteable_iid: pull.number,
      project_id: repo.id,
      resolvable: false,
    });
    const system = (id: number, by: Person | null, at: string, body: string) => ({
      ...plain(id, by, at, body),
      system: true,
    });
    const head = pull.commits.at(-1)!.sha;
    const comment = (item: Pull['comments'][number]) => {
      const base = { ...plain(item.id, item.by, item.at, item.body), updated_at: item.updatedAt };
      if (item.place === null) return base;
      const isResolved = pull.resolved.has(item.answers ?? item.id);
      return {
        ...base,
        type: 'DiffNote',
        resolvable: true,
        resolved: isResolved,
        resolved_by: null,
        resolved_at: isResolved ? pull.updatedAt : null,
        position: {
          base_sha: hash('base'),
          start_sha: hash('base'),
          head_sha: head,
          old_path: item.place.path,
          new_path: item.place.path,
          position_type: 'text',
          // A line that was removed has a number in the old version only.
          old_line: item.place.line % 5 === 0 ? item.place.line : null,
          new_line: item.place.line % 5 === 0 ? null : item.place.line,
        },
      };
    };
    const words = { ready: 'marked this merge request as **ready**', draft: 'marked this merge request as **draft**' };
    const systems = [
      ...pull.events.flatMap(({ id, kind, at, by, of }) =>
        kind === 'ready' || kind === 'draft'
          ? [system(id, by, at, words[kind])]
          : kind === 'review_requested'
            ? [system(id, by, at, `requested review from @${gitlabLogin(of!)}`)]
            : [],
      ),
      ...pull.reviews.flatMap(({ id, by, at, state }) =>
        state === 'approved' || state === 'dismissed'
          ? [
              system(id, by, at, 'approved this merge request'),
              ...(state === 'dismissed'
                ? [system(id + 1_000_000, by, later(at, 1), 'unapproved this merge request')]
                : []),
            ]
          : [],
      ),
    ];
    return [
      ...systems.map((note) => ({ id: hash(`d${note.id}`), individual_note: true, notes: [note] })),
      ...pull.comments
        .filter(({ answers }) => answers === null)
        .map((first) => ({
          id: hash(`d${first.id}`),
          individual_note: first.place === null,
          notes: [first, ...pull.comments.filter(({ answers }) => answers === first.id)].map(comment),
        })),
    ];
  };

  /** Their last word, for those who have one. */
  const reviewers = (pull: Pull) => {
    const last = new Map<Person, { state: string; at: string }>();
    for (const { kind, of, at } of pull.events)
      if (kind === 'review_requested') last.set(of!, { state: 'unreviewed', at });
    for (const { by, state, at } of pull.reviews) if (by !== null) last.set(by, { state, at });
    const states: Readonly<Record<string, string>> = {
      approved: 'approved',
      changes_requested: 'requested_changes',
      dismissed: 'unapproved',
      commented: 'reviewed',
    };
    return [...last].map(([person, { state, at }]) => ({
      user: user(person),
      state: states[state] ?? 'unreviewed',
      created_at: at,
    }));
  };

  const milestone = (id: number) => ({ id: 40 + id, iid: id, title: `Round ${id}` });
  const datesOf = (id: number) => ({ start_date: `2024-0${id}-01`, due_date: `2024-0${id}-14` });
  const issue = (repo: CompanyRepo, item: Issue) => {
    const iteration = iterationOf(item);
    const epic = epicOf(item);
    return {
      id: item.id,
      iid: item.number,
      project_id: repo.id,
      title: item.title,
      description: null,
      state: item.closedAt === null ? 'opened' : 'closed',
      created_at: item.createdAt,
      updated_at: item.updatedAt,
      closed_at: item.closedAt,
      closed_by: null,
      labels: item.labels,
      assignees: item.assignee === null ? [] : [user(item.assignee)],
      assignee: user(item.assignee),
      author: author(item.by),
      type: 'ISSUE',
      issue_type: 'issue',
      severity: 'UNKNOWN',
      weight: isFree ? null : weightOf(item),
      milestone: iteration === null ? null : { ...milestone(iteration), ...datesOf(iteration) },
      iteration: iteration === null || isFree ? null : { id: iteration, iid: iteration, title: null },
      epic:
        epic === null || isFree
          ? null
          : {
              id: 5_000 + epic,
              iid: epic,
              title: `Epic ${epic}`,
              url: `/groups/${company.organization}/-/epics/${epic}`,
              group_id: company.organizationId,
            },
      moved_to_id: item.movedTo ?? null,
      references: references(repo, '#', item.number),
      web_url: `${SITE}/${path(repo)}/-/issues/${item.number}`,
    };
  };
  const eventOf = (id: number, by: Person | null, at: string, of: Issue | Pull) => ({
    id,
    user: user(by),
    created_at: at,
    resource_type: 'Issue',
    resource_id: of.id,
  });

  /** Each assignment takes the issue from whoever had it; what people write looks alike and is not a system note. */
  const notesOf = (repo: CompanyRepo, item: Issue) => {
    const assigned = item.events.filter(({ kind }) => kind === 'assigned');
    const notes = assigned.map(({ id, at, by, of }, place) => {
      const former = assigned[place - 1]?.of;
      const taken = former == null || former === of ? '' : ` and unassigned @${gitlabLogin(former)}`;
      return { id, at, by, body: `assigned to @${gitlabLogin(of!)}${taken}`, system: true };
    });
    const words = {
      id: 900_000 + item.id,
      at: item.createdAt,
      by: item.by,
      body: 'assigned to @nobody',
      system: false,
    };
    return [...notes, words].map(({ id, at, by, body, system }) => ({
      id,
      type: null,
      body,
      author: author(by),
      created_at: at,
      updated_at: at,
      system,
      noteable_id: item.id,
      noteable_type: 'Issue',
      noteable_iid: item.number,
      project_id: repo.id,
      resolvable: false,
      confidential: false,
      internal: false,
    }));
  };
  const epicRecord = (iid: number) => {
    const { createdAt, closedAt } = epicTimes(iid);
    const reference = `${company.organization}&${iid}`;
    return {
      id: 5_000 + iid,
      iid,
      group_id: company.organizationId,
      parent_id: null,
      title: `Epic ${iid}`,
      description: null,
      state: closedAt === null ? 'opened' : 'closed',
      author: author(company.people[0]!),
      labels: ['goal'],
      start_date: null,
      due_date: null,
      created_at: createdAt,
      updated_at: closedAt ?? createdAt,
      closed_at: closedAt,
      references: { short: `&${iid}`, relative: `&${iid}`, full: reference },
      web_url: `${SITE}/groups/${company.organization}/-/epics/${iid}`,
    };
  };

  return startCompanyHost(company, {
    description: GITLAB,
    base: '/api/v4',
    refuse: ({ headers }) =>
      headers['private-token'] === GITLAB_COMPANY_TOKEN ? null : { status: 401, body: { message: '401 Unauthorized' } },
    notFound: () => ({ status: 404, body: { message: '404 Not Found' } }),
    headers: () => ({ 'ratelimit-limit': '2000', 'ratelimit-remaining': '1900' }),
    page(items, { query, origin, path: address }) {
      const size = Math.min(Number(query.get('per_page') ?? DEFAULT_PAGE), MOST_PAGE);
      const number = Number(query.get('page') ?? 1);
      const next = new URL(`${origin}${address}?${query}`);
      next.searchParams.set('page', String(number + 1));
      const some = items.slice((number - 1) * size, number * size);
      const hasNext = items.length > number * size;
      return {
        items: some,
        body: some,
        headers: {
          'x-total': String(items.length),
          'x-next-page': hasNext ? String(number + 1) : '',
          ...(hasNext ? { link: `<${next}>; rel="next"` } : {}),
        },
      };
    },
    calls: {
      '/user': () => ({ one: user(company.people[0]!) }),
      '/personal_access_tokens/self': () => ({
        one: {
          id: 1,
          name: 'strata',
          revoked: false,
          created_at: '2026-01-01T00:00:00.000Z',
          scopes: ['read_api', 'read_repository'],
          user_id: company.people[0]!.id,
          active: true,
          expires_at: '2027-03-01',
        },
      }),
      '/users': ({ query }) => ({
        list: company.people.filter((person) => gitlabLogin(person) === query.get('username')).map(user),
      }),
      '/users/{id}': ({ values }) => {
        const person = company.people.find(({ id }) => String(id) === values.id);
        return person === undefined ? undefined : { one: { ...user(person), bot: person.isBot } };
      },
      '/users/{id}/projects': () => ({ list: [] }),
      '/projects': () => ({ list: company.repos.map(project) }),
      '/groups': () => ({ list: [top()] }),
      '/groups/{id}': ({ values }) => (values.id === String(top().id) ? { one: top() } : undefined),
      '/groups/{id}/projects': () => ({ list: company.repos.map(project) }),
      '/groups/{id}/descendant_groups': () => ({ list: below() }),
      '/groups/{id}/members': ({ values }) => ({
        list: membersOf(Number(values.id)).map((person, index) => ({
          ...user(person),
          access_level: index === 0 ? 50 : 30,
          created_at: '2023-01-01T00:00:00.000Z',
          expires_at: null,
        })),
      }),
      '/projects/{id}/merge_requests': (call) =>
        list(
          repoOf(call)
            ?.pulls.map((pull) => mergeRequest(repoOf(call)!, pull))
            .filter(changed(call))
            .sort(order(call)),
        ),
      '/projects/{id}/merge_requests/{iid}': (call) => {
        const pull = pullOf(call);
        return pull === undefined ? undefined : { one: mergeRequest(repoOf(call)!, pull) };
      },
      '/projects/{id}/merge_requests/{iid}/discussions': (call) => {
        const pull = pullOf(call);
        return list(pull && discussions(repoOf(call)!, pull));
      },
      '/projects/{id}/merge_requests/{iid}/commits': (call) =>
        list(
          pullOf(call)
            ?.commits.map(({ sha, at, by }) => ({
              id: sha,
              short_id: sha.slice(0, 8),
              title: 'A step',
              message: 'A step\n',
              author_name: by.name,
              author_email: by.email,
              authored_date: at,
              committed_date: at,
              created_at: at,
            }))
            .reverse(),
        ),
      '/projects/{id}/merge_requests/{iid}/approvals': (call) => {
        const pull = pullOf(call);
        if (pull === undefined) return undefined;
        const approved = pull.reviews.filter(({ by, state }) => by !== null && state === 'approved');
        const by = [...new Set(approved.map((review) => review.by))].map((person) => ({ user: user(person) }));
        return {
          one: {
            id: pull.id,
            iid: pull.number,
            project_id: repoOf(call)!.id,
            approved: by.length > 0,
            approved_by: by,
          },
        };
      },
      '/projects/{id}/merge_requests/{iid}/reviewers': (call) => {
        const pull = pullOf(call);
        return list(pull && reviewers(pull));
      },
      '/projects/{id}/merge_requests/{iid}/resource_state_events': (call) => {
        const pull = pullOf(call);
        return list(
          pull?.events.flatMap(({ id, kind, at, by }) =>
            kind === 'closed' || kind === 'reopened'
              ? [{ ...eventOf(id, by, at, pull), resource_type: 'MergeRequest', state: kind }]
              : [],
          ),
        );
      },
      '/projects/{id}/issues': (call) =>
        list(
          repoOf(call)
            ?.issues.map((item) => issue(repoOf(call)!, item))
            .filter(changed(call))
            .sort(order(call)),
        ),
      '/projects/{id}/issues/{iid}/resource_state_events': (call) => {
        const item = issueOf(call);
        return list(
          item?.events.flatMap(({ id, kind, at, by }) =>
            kind === 'assigned' ? [] : [{ ...eventOf(id, by, at, item), state: kind }],
          ),
        );
      },
      '/projects/{id}/issues/{iid}/resource_weight_events': (call) => {
        const item = issueOf(call);
        if (item === undefined || isFree) return undefined;
        const weight = weightOf(item);
        const { id, user: by, created_at } = eventOf(item.id, item.by, item.createdAt, item);
        return list(weight === null ? [] : [{ id, user: by, created_at, issue_id: item.id, weight }]);
      },
      '/projects/{id}/issues/{iid}/resource_iteration_events': (call) => {
        const item = issueOf(call);
        if (item === undefined || isFree) return undefined;
        const id = iterationOf(item);
        const iteration = { id, iid: id, title: null };
        return list(
          id === null ? [] : [{ ...eventOf(item.id, item.by, item.createdAt, item), iteration, action: 'add' }],
        );
      },
      '/projects/{id}/issues/{iid}/resource_milestone_events': (call) => {
        const item = issueOf(call);
        const id = item === undefined ? null : iterationOf(item);
        return list(
          item &&
            (id === null
              ? []
              : [{ ...eventOf(item.id, item.by, item.createdAt, item), milestone: milestone(id), action: 'add' }]),
        );
      },
      '/projects/{id}/issues/{iid}/notes': (call) => {
        const item = issueOf(call);
        return list(item && notesOf(repoOf(call)!, item).sort((a, b) => (a.created_at < b.created_at ? 1 : -1)));
      },
      '/groups/{id}/epics': (call) =>
        isFree ? undefined : list(EPICS.map(epicRecord).filter(changed(call)).sort(order(call))),
      '/projects/{id}/milestones': (call) => ({
        list: [...ITERATIONS, 9].map((id) => ({
          ...milestone(id),
          project_id: repoOf(call)!.id,
          description: null,
          state: 'closed',
          // One has no beginning: a date to aim at, no sprint.
          ...(id === 9 ? { start_date: null, due_date: '2024-09-01' } : datesOf(id)),
          expired: true,
          created_at: '2024-01-01T00:00:00.000Z',
          updated_at: '2024-01-01T00:00:00.000Z',
          web_url: `${SITE}/milestones/${id}`,
        })),
      }),
      '/projects/{id}/iterations': () =>
        isFree
          ? undefined
          : {
              list: ITERATIONS.map((id) => ({
                id,
                iid: id,
                sequence: id,
                group_id: company.organizationId,
                title: null,
                description: null,
                state: 3,
                created_at: '2024-01-01T00:00:00.000Z',
                updated_at: '2024-01-01T00:00:00.000Z',
                ...datesOf(id),
                web_url: `${SITE}/groups/${company.organization}/-/iterations/${id}`,
              })),
            },
      '/projects/{id}/deployments': (call) =>
        list(
          repoOf(call)
            ?.deployments.map((item) => ({
              id: item.id,
              iid: item.id,
              ref: 'main',
              sha: item.sha,
              status: item.state === 'success' ? 'success' : 'failed',
              created_at: item.createdAt,
              updated_at: item.finishedAt,
              user: user(item.by),
              environment: { id: 1, name: item.environment, external_url: null },
              deployable: { id: item.id, status: item.state, finished_at: item.finishedAt, created_at: item.createdAt },
            }))
            .filter(changed(call))
            .sort(order(call)),
        ),
      '/projects/{id}/pipelines': (call) =>
        list(
          repoOf(call)
            ?.runs.map((run) => ({
              id: run.id,
              iid: run.id,
              project_id: repoOf(call)!.id,
              name: run.name,
              sha: run.sha,
              ref: run.branch,
              status: 'success',
              source: 'push',
              created_at: run.createdAt,
              updated_at: run.finishedAt,
              web_url: `${SITE}/pipelines/${run.id}`,
            }))
            .filter(changed(call))
            .sort(order(call)),
        ),
    },
  });
}

interface Changing {
  readonly id: number;
  readonly updated_at: string;
}

/** Both edges belong to it. */
const changed =
  ({ query }: Call) =>
  ({ updated_at }: Changing): boolean =>
    updated_at >= (query.get('updated_after') ?? '') && updated_at <= (query.get('updated_before') ?? '9');

/** Without an order GitLab sorts by creation, newest first: a connector that forgets it must notice. */
function order({ query }: Call): (a: Changing, b: Changing) => number {
  if (query.get('order_by') !== 'updated_at') throw new Error('an order is needed');
  const sign = query.get('sort') === 'asc' ? 1 : -1;
  return (a, b) => sign * (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.id - b.id);
}
