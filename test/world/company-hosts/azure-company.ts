// Azure DevOps as a double over a company: the organization is `contoso`, the company one of its projects. Votes and
// changes of state are system threads; a pull request does not say when it changed.
import { createHash } from 'node:crypto';
import type { Company, CompanyRepo, Deployed, Person, Pull } from '../company/company.ts';
import { AZURE } from './azure-description.ts';
import { type Call, type CompanyDouble, type Shown, startCompanyHost } from './company-host.ts';

export const AZURE_COMPANY_TOKEN = 'azurecompanytokenazurecompanytokenazurecompanytoken0';
const EXPECTED = `Basic ${Buffer.from(`:${AZURE_COMPANY_TOKEN}`).toString('base64')}`;
const SITE = 'https://dev.azure.com/contoso';
const MOST_PAGE = 100;

export const azureId = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const hash = (text: string) => createHash('sha1').update(text).digest('hex');
const later = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
const commitRef = (commitId: string) => ({ commitId, url: `${SITE}/commits/${commitId}` });

const identity = (person: Person) => ({
  id: azureId(person.id),
  displayName: person.name,
  uniqueName: person.email,
  descriptor: `${person.isBot ? 'svc' : 'aad'}.${person.id}`,
  url: `${SITE}/_apis/Identities/${person.id}`,
  imageUrl: `${SITE}/_api/_common/identityImage?id=${person.id}`,
});
/** A deleted account is left out. */
const named = <Name extends string>(name: Name, person: Person | null) =>
  person === null ? {} : { [name]: identity(person) };
const GROUP = {
  ...identity({ id: 77, name: 'Reviewers', email: 'vstfs:///group', login: '', isBot: false }),
  isContainer: true,
};

/** Writes the threads of what others do. */
const SERVICE: Person = { id: 78, name: 'Microsoft.VisualStudio.Services.TFS', email: '', login: '', isBot: true };

const VOTES: Readonly<Record<string, number>> = { approved: 10, changes_requested: -5, dismissed: 10 };

export function startAzureCompany(company: Company, prefix = ''): Promise<CompanyDouble> {
  const project = () => ({
    id: azureId(company.organizationId),
    name: company.organization,
    state: 'wellFormed',
    visibility: 'private',
  });
  const repo = (item: CompanyRepo) => ({
    id: azureId(item.id),
    name: item.name,
    remoteUrl: `https://contoso@dev.azure.com/contoso/${company.organization}/_git/${item.name}`,
    webUrl: `${SITE}/${company.organization}/_git/${item.name}`,
    defaultBranch: 'refs/heads/main',
    isDisabled: false,
    project: project(),
  });
  const repoOf = ({ values }: Call) => company.repos.find(({ id }) => azureId(id) === values.repo);
  const pullOf = (call: Call) => repoOf(call)?.pulls.find(({ number }) => String(number) === call.values.id);
  const list = (items: readonly unknown[] | undefined): Shown => (items === undefined ? undefined : { list: items });
  const statusOf = (pull: Pull) =>
    pull.mergedAt !== null ? 'completed' : pull.closedAt !== null ? 'abandoned' : 'active';

  const pullRequest = (of: CompanyRepo, pull: Pull) => ({
    repository: { id: azureId(of.id), name: of.name },
    pullRequestId: pull.number,
    codeReviewId: pull.number,
    status: statusOf(pull),
    ...named('createdBy', pull.author),
    creationDate: pull.createdAt,
    ...(pull.closedAt === null ? {} : { closedDate: pull.closedAt }),
    ...named('closedBy', pull.mergedBy),
    title: pull.title,
    sourceRefName: `refs/heads/${pull.branch}`,
    targetRefName: `refs/heads/${pull.base}`,
    mergeStatus: 'succeeded',
    isDraft: pull.isDraft,
    mergeId: azureId(pull.id),
    lastMergeSourceCommit: commitRef(pull.commits.at(-1)!.sha),
    lastMergeTargetCommit: commitRef(hash('target')),
    // An attempt to merge leaves one on open ones too.
    lastMergeCommit: commitRef(pull.mergeSha ?? hash(`attempt ${pull.id}`)),
    reviewers: [],
    ...(pull.labels.length === 0
      ? {}
      : { labels: pull.labels.map((name) => ({ id: azureId(1), name, active: true })) }),
    ...(pull.mergeMethod === null
      ? {}
      : {
          completionOptions: {
            mergeCommitMessage: 'Merged',
            mergeStrategy: pull.mergeMethod === 'merge' ? 'noFastForward' : pull.mergeMethod,
          },
        }),
    url: `${SITE}/pullRequests/${pull.number}`,
  });

  const threadsOf = (pull: Pull) => {
    const comment = (id: number, by: Person | null, at: string, content: string) => ({
      id,
      parentCommentId: id - 1,
      ...named('author', by),
      content,
      publishedDate: at,
      lastUpdatedDate: at,
      lastContentUpdatedDate: at,
      commentType: 'text',
    });
    const system = (id: number, by: Person | null, at: string, values: Record<string, string>, who: object | null) => ({
      id,
      publishedDate: at,
      lastUpdatedDate: at,
      isDeleted: false,
      comments: [{ ...comment(1, by, at, 'changed something'), commentType: 'system' }],
      threadContext: null,
      properties: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { $type: 'System.String', $value: value }]),
      ),
      identities: who === null ? null : { '1': who },
    });
    const vote = (id: number, by: Person | null, at: string, value: number, who: object | null) =>
      system(
        id,
        by,
        at,
        {
          CodeReviewThreadType: 'VoteUpdate',
          CodeReviewVoteResult: String(value),
          ...(who === null ? {} : { CodeReviewVotedByIdentity: '1' }),
        },
        who,
      );
    return [
      ...pull.reviews.flatMap(({ id, by, at, state }) => {
        const value = VOTES[state];
        if (value === undefined) return [];
        const who = by === null ? null : identity(by);
        return [
          vote(id, by, at, value, who),
          ...(state === 'dismissed' ? [vote(id + 1_000_000, by, later(at, 1), 0, who)] : []),
          // The same vote once more, in the name of a group.
          ...(state === 'approved' ? [vote(id + 2_000_000, by, at, value, GROUP)] : []),
        ];
      }),
      ...pull.events.flatMap(({ id, kind, at, by, of }) =>
        kind === 'review_requested'
          ? [
              system(
                id,
                by,
                at,
                { CodeReviewThreadType: 'ReviewersUpdate', CodeReviewReviewersUpdatedAddedIdentity: '1' },
                identity(of!),
              ),
            ]
          : kind === 'ready' || kind === 'draft'
            ? [
                system(
                  id,
                  by === null ? null : SERVICE,
                  at,
                  {
                    CodeReviewThreadType: 'IsDraftUpdate',
                    CodeReviewIsDraftNowSet: kind === 'draft' ? '1' : 'False',
                    CodeReviewIsDraftUpdatedByIdentity: '1',
                  },
                  by === null ? null : identity(by),
                ),
              ]
            : kind === 'closed'
              ? [system(id, by, at, { CodeReviewThreadType: 'StatusUpdate', CodeReviewStatus: 'Abandoned' }, null)]
              : [],
      ),
      ...pull.comments
        .filter(({ answers }) => answers === null)
        .map((first) => {
          const { place } = first;
          const start = { line: place?.line ?? 1, offset: 1 };
          const isLeft = (place?.line ?? 1) % 5 === 0;
          return {
            id: first.id,
            publishedDate: first.at,
            lastUpdatedDate: pull.resolved.has(first.id) ? pull.updatedAt : first.updatedAt,
            ...(place === null ? {} : { status: pull.resolved.has(first.id) ? 'fixed' : 'active' }),
            isDeleted: false,
            comments: [first, ...pull.comments.filter(({ answers }) => answers === first.id)].map((item, index) =>
              comment(index + 1, item.by, item.at, item.body),
            ),
            threadContext:
              place === null
                ? null
                : {
                    filePath: `/${place.path}`,
                    ...(isLeft
                      ? { leftFileStart: start, leftFileEnd: start }
                      : { rightFileStart: start, rightFileEnd: start }),
                  },
            ...(place === null
              ? {}
              : {
                  pullRequestThreadContext: {
                    iterationContext: { firstComparingIteration: 1, secondComparingIteration: 1 },
                    changeTrackingId: 1,
                  },
                }),
            identities: null,
          };
        }),
    ];
  };

  const everyDeployment = () =>
    company.repos.flatMap((of) => of.deployments.map((item, place) => ({ of, item, place })));
  /** A release names the repo's commit through its build, through the repo itself, or only the build. */
  const artifactsOf = (of: CompanyRepo, { id, sha }: Deployed, place: number) => {
    const part = (value: string) => ({ id: value, name: value });
    const forms = [
      {
        type: 'Build',
        parts: { version: part(String(id)), repository: part(azureId(of.id)), sourceVersion: part(sha) },
      },
      { type: 'Git', parts: { definition: part(azureId(of.id)), version: part(sha) } },
      { type: 'Build', parts: { version: part(String(id)), project: part(project().id) } },
    ];
    const { type, parts } = forms[place % forms.length]!;
    return [
      { sourceId: 'feed:1', type: 'NuGet', alias: '_tools', definitionReference: { version: part('1.0.0') } },
      { sourceId: `${azureId(of.id)}:1`, type, alias: '_source', definitionReference: parts },
    ];
  };
  const deployment = ({ of, item, place }: ReturnType<typeof everyDeployment>[number]) => ({
    id: item.id,
    attempt: 1,
    definitionEnvironmentId: 43,
    reason: 'automated',
    deploymentStatus: item.state === 'success' ? 'succeeded' : 'failed',
    operationStatus: item.state === 'success' ? 'Approved' : 'PhaseFailed',
    requestedBy: identity(item.by),
    requestedFor: identity(item.by),
    // It stands for none.
    queuedOn: '0001-01-01T00:00:00',
    startedOn: item.createdAt,
    ...(place % 2 === 0 ? { completedOn: item.finishedAt } : {}),
    lastModifiedOn: item.finishedAt,
    releaseEnvironment: { id: 118, name: item.environment, _links: {} },
    release: {
      id: item.id,
      name: `Release-${item.id}`,
      artifacts: artifactsOf(of, item, place),
      _links: { web: { href: `${SITE}/_release?releaseId=${item.id}` } },
    },
  });

  return startCompanyHost(company, {
    description: AZURE,
    base: `${prefix}/contoso`,
    refuse: ({ headers }) =>
      headers.authorization === EXPECTED ? null : { status: 203, body: '<html><title>Sign In</title></html>' },
    notFound: () => ({ status: 404, body: { message: 'TF400813: Resource not available' } }),
    page(items, { query, path }) {
      const size = query.has('$top') ? Math.min(Number(query.get('$top')), MOST_PAGE) : items.length;
      const skip = Number(query.get('$skip') ?? query.get('continuationToken') ?? 0);
      const some = items.slice(skip, skip + size);
      const isContinued = /\/(?:commits|projects|builds|deployments)$/.test(path) && skip + size < items.length;
      return {
        items: some,
        body: { count: some.length, value: some },
        headers: isContinued ? { 'x-ms-continuationtoken': String(skip + size) } : {},
      };
    },
    calls: {
      '/_apis/connectionData': () => ({
        one: {
          authenticatedUser: {
            id: azureId(company.people[0]!.id),
            descriptor: 'claims',
            providerDisplayName: company.people[0]!.name,
            isActive: true,
          },
          instanceId: azureId(1),
        },
      }),
      '/_apis/projects': () => ({ list: [project()] }),
      '/{project}/_apis/git/repositories': () => ({ list: company.repos.map(repo) }),
      '/_apis/git/repositories/{repo}': (call) => {
        const found = repoOf(call);
        return found && { one: repo(found) };
      },
      '/_apis/git/repositories/{repo}/pullrequests': (call) => {
        const status = call.query.get('searchCriteria.status');
        const since = call.query.get('searchCriteria.minTime') ?? '';
        const isClosed = call.query.get('searchCriteria.queryTimeRangeType') === 'closed';
        return list(
          repoOf(call)
            ?.pulls.filter((pull) => statusOf(pull) === status)
            .filter((pull) => ((isClosed ? pull.closedAt : pull.createdAt) ?? '') >= since)
            .sort((a, b) => b.number - a.number)
            .map((pull) => pullRequest(repoOf(call)!, pull)),
        );
      },
      '/_apis/git/repositories/{repo}/pullrequests/{id}': (call) => {
        const pull = pullOf(call);
        return pull && { one: pullRequest(repoOf(call)!, pull) };
      },
      '/_apis/git/repositories/{repo}/pullRequests/{id}/threads': (call) => {
        const pull = pullOf(call);
        return list(pull && threadsOf(pull));
      },
      '/_apis/git/repositories/{repo}/pullRequests/{id}/commits': (call) =>
        list(
          pullOf(call)
            ?.commits.map(({ sha, at, by }) => ({
              ...commitRef(sha),
              author: { name: by.name, email: by.email, date: at },
              committer: { name: by.name, email: by.email, date: at },
              comment: 'A step',
            }))
            .reverse(),
        ),
      '/_apis/git/repositories/{repo}/pullRequests/{id}/iterations': (call) => {
        const pull = pullOf(call);
        return list(
          pull && [
            {
              id: 1,
              description: '',
              ...named('author', pull.author),
              createdDate: pull.createdAt,
              updatedDate: pull.createdAt,
              sourceRefCommit: { commitId: pull.commits.at(-1)!.sha },
              targetRefCommit: { commitId: hash('target') },
              hasMoreCommits: false,
              reason: 'push',
            },
          ],
        );
      },
      '/_apis/git/repositories/{repo}/pullRequests/{id}/workitems': (call) =>
        list(pullOf(call)?.closes.map((number) => ({ id: String(number), url: `${SITE}/workItems/${number}` }))),
      '/{project}/_apis/build/builds': ({ query }) => {
        if (query.get('queryOrder') !== 'finishTimeAscending') throw new Error('an order is needed');
        const found = company.repos.find(({ id }) => azureId(id) === query.get('repositoryId'));
        return list(
          found?.runs
            .filter(({ finishedAt }) => finishedAt >= (query.get('minTime') ?? ''))
            .sort((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1))
            .map((run) => ({
              id: run.id,
              buildNumber: String(run.id),
              status: 'completed',
              result: 'succeeded',
              queueTime: run.createdAt,
              startTime: run.createdAt,
              finishTime: run.finishedAt,
              definition: { id: 1, name: run.name },
              sourceBranch: `refs/heads/${run.branch}`,
              sourceVersion: run.sha,
              reason: 'individualCI',
              requestedFor: identity(run.by),
              repository: { id: azureId(found.id), type: 'TfsGit' },
              _links: { web: { href: `${SITE}/builds/${run.id}` } },
            })),
        );
      },
      '/{project}/_apis/build/builds/{id}': ({ values }) => {
        const built = everyDeployment().find(({ item }) => String(item.id) === values.id);
        return (
          built && {
            one: {
              id: built.item.id,
              buildNumber: String(built.item.id),
              sourceVersion: built.item.sha,
              repository: { id: azureId(built.of.id), type: 'TfsGit' },
            },
          }
        );
      },
      '/{project}/_apis/release/deployments': ({ query }) => {
        if (query.get('queryOrder') !== 'ascending') throw new Error('an order is needed');
        const since = query.get('minModifiedTime') ?? '';
        return list(
          everyDeployment()
            .filter(({ item }) => item.finishedAt >= since)
            .sort((a, b) => a.item.id - b.item.id)
            .map(deployment),
        );
      },
      '/_apis/projects/{project}/teams': () => ({
        list: company.teams.map(({ id, slug }) => ({ id: azureId(id), name: slug, url: SITE, description: '' })),
      }),
      '/_apis/projects/{project}/teams/{team}/members': ({ values }) =>
        list(
          company.teams
            .find(({ id }) => azureId(id) === values.team)
            ?.members.map((person) => ({ isTeamAdmin: true, identity: identity(person) })),
        ),
    },
  });
}
