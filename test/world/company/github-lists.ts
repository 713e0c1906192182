// Lists of the company as GitHub's REST API shows them. Records begin as the description's own examples, so that they
// have every field.
import type { Company, CompanyRepo, Issue, Person, Pull } from './company.ts';

interface Found {
  readonly operation: string;
  /** A list, which is paged, or one record. */
  readonly items: readonly unknown[] | Readonly<Record<string, unknown>>;
  wrap?(items: readonly unknown[], total: number): unknown;
}

interface Lists {
  readonly company: Company;
  readonly repo: CompanyRepo | undefined;
  readonly origin: string;
  readonly description: {
    readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
  };
}

const byTime = <T extends { readonly updated_at: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : 0));

export function repoLists({ company, repo, origin, description }: Lists) {
  const example = (name: string): Record<string, unknown> => {
    const { value } = description.components.examples[name]!;
    const [first] = Array.isArray(value) ? value : [value];
    return first as Record<string, unknown>;
  };
  const shownUser = example('team-member-items');
  const user = (person: Person | null) =>
    person === null ? null : { ...shownUser, id: person.id, login: person.login, type: person.isBot ? 'Bot' : 'User' };
  const base = `${origin}/api/v3/repos/${company.organization}/${repo?.name ?? ''}`;
  const page = `https://github.example.com/${company.organization}/${repo?.name ?? ''}`;
  const since = (query: URLSearchParams) => (query.get('since') ?? '').replace(/Z$/, '.000Z');
  const sorted = <T extends { readonly updated_at: string }>(items: readonly T[], query: URLSearchParams): T[] => {
    if (query.get('sort') !== 'updated' || query.get('direction') !== 'asc') throw new Error('an order is needed');
    return byTime(items).filter(({ updated_at }) => updated_at >= since(query));
  };

  const reviewComment = example('pull-request-review-comment-items');
  const issueComment = example('issue-comment-items');
  const shownIssue = example('issue-items');
  const shownEvent = example('issue-event-items');
  const shownRun = (example('workflow-run-paginated').workflow_runs as Record<string, unknown>[])[0]!;
  const pulls = repo?.pulls ?? [];

  const reviewComments = () =>
    pulls.flatMap((pull) =>
      pull.comments
        .filter(({ place }) => place !== null)
        .map((comment) => ({
          ...reviewComment,
          id: comment.id,
          pull_request_review_id: comment.place!.reviewId,
          ...(comment.answers === null ? { in_reply_to_id: undefined } : { in_reply_to_id: comment.answers }),
          pull_request_url: `${base}/pulls/${pull.number}`,
          path: comment.place!.path,
          line: comment.place!.line,
          original_line: comment.place!.line,
          commit_id: pull.commits.at(-1)!.sha,
          original_commit_id: pull.commits.at(-1)!.sha,
          body: comment.body,
          user: user(comment.by) ?? user({ ...company.people[0]!, id: 10_137, login: 'ghost' }),
          created_at: comment.at,
          updated_at: comment.updatedAt,
        })),
    );
  const conversation = () =>
    pulls.flatMap((pull) =>
      pull.comments
        .filter(({ place }) => place === null)
        .map((comment) => ({
          ...issueComment,
          id: comment.id,
          html_url: `${page}/pull/${pull.number}#issuecomment-${comment.id}`,
          issue_url: `${base}/issues/${pull.number}`,
          body: comment.body,
          user: user(comment.by),
          created_at: comment.at,
          updated_at: comment.updatedAt,
        })),
    );
  const issue = (item: Issue | Pull) => ({
    ...shownIssue,
    id: item.id,
    number: item.number,
    title: item.title,
    state: item.closedAt === null ? 'open' : 'closed',
    state_reason: item.closedAt === null ? null : 'isPlanned' in item && !item.isPlanned ? 'not_planned' : 'completed',
    repository_url: base,
    html_url: `${page}/issues/${item.number}`,
    labels: item.labels.map((name, index) => ({ ...(shownIssue.labels as object[])[0], id: index, name })),
    assignee: 'assignee' in item ? user(item.assignee) : null,
    assignees: [],
    user: 'by' in item ? user(item.by) : user((item as Pull).author),
    ...('mergedAt' in item ? {} : { pull_request: undefined }),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
  });
  const events = () =>
    (repo?.issues ?? [])
      .flatMap((item) =>
        item.events.map((event) => ({
          ...shownEvent,
          id: event.id,
          event: event.kind,
          actor: user(event.by),
          assignee: user(event.of),
          issue: issue(item),
          created_at: event.at,
        })),
      )
      .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id));
  const runs = (query: URLSearchParams) => {
    const [from = '', to = ''] = (query.get('created') ?? '').startsWith('>=')
      ? [query.get('created')!.slice(2), '']
      : (query.get('created') ?? '').split('..');
    const second = (text: string) => text.replace(/Z$/, '.000Z');
    return (
      (repo?.runs ?? [])
        .filter(
          ({ createdAt }) =>
            (from === '' || from === '*' || createdAt >= second(from)) && (to === '' || createdAt <= second(to)),
        )
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        // GitHub gives no more of one question.
        .slice(0, 1_000)
        .map((run) => ({
          ...shownRun,
          id: run.id,
          name: run.name,
          path: `.github/workflows/${run.name.toLowerCase()}.yml`,
          head_branch: run.branch,
          head_sha: run.sha,
          status: 'completed',
          conclusion: 'success',
          run_attempt: run.attempt,
          created_at: run.createdAt,
          run_started_at: run.createdAt,
          updated_at: run.finishedAt,
          actor: user(run.by),
        }))
    );
  };

  return {
    /** Null where there is no such list. */
    find(path: string, query: URLSearchParams): Found | null {
      const ofRepo = '/repos/{owner}/{repo}';
      switch (path) {
        case '/user':
          return {
            operation: path,
            items: {
              ...example('private-user-response-with-public-and-private-profile-information'),
              login: 'ada',
              id: company.people[0]!.id,
            },
          };
        case '/user/orgs':
          return {
            operation: path,
            items: [
              { ...example('organization-simple-items'), login: company.organization, id: company.organizationId },
            ],
          };
        case '/user/repos':
          return { operation: path, items: [] };
        case `/orgs/${company.organization}/repos`:
          return {
            operation: '/orgs/{org}/repos',
            items: company.repos.map(({ id, name }) => ({
              ...example('minimal-repository-items'),
              id,
              name,
              full_name: `${company.organization}/${name}`,
              private: true,
              html_url: `https://github.example.com/${company.organization}/${name}`,
              clone_url: `https://github.example.com/${company.organization}/${name}.git`,
              default_branch: 'main',
            })),
          };
        case `/orgs/${company.organization}/teams`:
          return {
            operation: '/orgs/{org}/teams',
            items: company.teams.map(({ id, slug }) => ({
              ...example('team-items'),
              id,
              slug,
              name: slug,
              parent: null,
              type: 'organization',
              organization_id: company.organizationId,
            })),
          };
        case `${ofRepo}/pulls/comments`:
          return { operation: path, items: sorted(reviewComments(), query) };
        case `${ofRepo}/issues/comments`:
          return { operation: path, items: sorted(conversation(), query) };
        case `${ofRepo}/issues`:
          return { operation: path, items: sorted([...(repo?.issues ?? []), ...pulls].map(issue), query) };
        case `${ofRepo}/issues/events`:
          return { operation: path, items: events() };
        case `${ofRepo}/actions/runs`:
          return {
            operation: path,
            items: runs(query),
            wrap: (workflow_runs, total_count) => ({ total_count, workflow_runs }),
          };
        default: {
          const members = new RegExp(`^/orgs/${company.organization}/teams/([^/]+)/members$`).exec(path);
          const team = company.teams.find(({ slug }) => slug === members?.[1]);
          if (team === undefined) return null;
          const list = query.get('role') === 'member' ? team.members : [];
          return { operation: '/orgs/{org}/teams/{team_slug}/members', items: list.map(user) };
        }
      }
    },
  };
}
