// A client for collecting: calls by the repo's id where there are such, and the current path of a repo for queries.
import type { CollectAccount } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { type AccountReader, accountReader } from './accounts.ts';
import { githubAddresses } from './addresses.ts';
import { createGithubClient, type GithubClient, type GraphqlAnswer } from './client.ts';
import { graphqlRepository, restRepository } from './collect-answers.ts';
import type { IdField } from './queries.ts';

export interface GithubCollectClient {
  readonly rest: GithubClient;
  readonly accounts: AccountReader;
  now(): Date;
  /** Asks about a repo by the path it has now; another repo that has taken its name is not answered for. */
  queryRepo(
    repo: { readonly external_id: string; readonly path: string },
    query: (id: IdField) => string,
    variables: Readonly<Record<string, string | number | boolean | null>>,
    signal: AbortSignal,
  ): Promise<GraphqlAnswer & { readonly repository: Readonly<Record<string, unknown>> }>;
}

export const GITHUB_ADDRESS = 'https://api.github.com';

export function createGithubCollectClient(account: CollectAccount, parts: CollectorParts): GithubCollectClient {
  if (account.source !== 'host') throw new Error('GitHub is a code host');
  const address = (account.host.endpoint_url ?? GITHUB_ADDRESS).replace(/\/+$/, '');
  const rest = createGithubClient({ account: account.host, address, fetch: parts.fetch, now: parts.now });
  const { hostname } = new URL(githubAddresses(address).rest);
  const paths = new Map<string, string>();
  let idField: IdField = 'fullDatabaseId';

  const currentPath = async (id: string, signal: AbortSignal): Promise<string> => {
    const { body } = await rest.get('/repositories/{repository_id}', { repository_id: id }, signal);
    return readAnswer('hostC', restRepository, body).full_name;
  };

  return {
    rest,
    now: parts.now,
    accounts: accountReader(hostname.replace(/^api\./, '')),

    async queryRepo(repo, query, variables, signal) {
      let path = paths.get(repo.external_id) ?? repo.path;
      for (let attempt = 1; ; attempt += 1) {
        const [owner = '', name = ''] = path.split('/');
        const answer = await rest
          .graphql(query(idField), { ...variables, owner, name }, signal)
          .catch((error: unknown) => {
            if (error instanceof HostError && error.status === 404) return null;
            throw error;
          });
        if (answer === null && attempt > 1)
          throw new HostError('unexpected_answer', `${path} is gone`, { status: 404 });
        if (answer !== null) {
          const isOld = answer.problems.some(({ message }) => message.includes("'fullDatabaseId' doesn't exist"));
          if (isOld && idField === 'fullDatabaseId') {
            idField = 'databaseId';
            continue;
          }
          const { repository } = readAnswer('hostC', graphqlRepository, answer.data);
          if (repository !== null && String(repository.databaseId) === repo.external_id) {
            paths.set(repo.external_id, path);
            return { ...answer, repository };
          }
          if (attempt > 1) throw new HostError('unexpected_answer', `${path} is another repository`, { status: 404 });
        }
        path = await currentPath(repo.external_id, signal);
      }
    },
  };
}
