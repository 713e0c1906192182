// A client for collecting from Azure DevOps: plain calls by the ids of repos and projects, which stay when they are renamed.
import type { CollectAccount } from '../../../domain/collect/stream.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import type { JsonAnswer } from '../../http/json-client.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { createAzureClient } from './client.ts';
import { oneRepo } from './collect-answers.ts';

type Values = Readonly<Record<string, string | number | null>>;

export interface AzureCollectClient {
  readonly provider: 'devops_suite' | 'devops_suite_on_prem';
  /** Null values are left out. */
  get(path: string, values: Values, signal: AbortSignal): Promise<JsonAnswer>;
  /** The id of the project that a repo lies in. */
  projectOf(repoId: string, signal: AbortSignal): Promise<string>;
}

/** Services and Server differ in their address and in the newest version of the API that is everywhere. */
export const createAzureCollectClient =
  (provider: AzureCollectClient['provider'], address: string | null, version: string) =>
  (account: CollectAccount, { fetch, now }: CollectorParts): AzureCollectClient => {
    if (account.source !== 'host') throw new Error('Azure DevOps is a code host');
    const base = (account.host.endpoint_url ?? address ?? '').replace(/\/+$/, '');
    const client = createAzureClient({ account: account.host, address: base, fetch, now });
    const projects = new Map<string, string>();
    const get: AzureCollectClient['get'] = (path, values, signal) => {
      const query = Object.entries({ ...values, 'api-version': version }).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${encodeURIComponent(String(value))}`],
      );
      return client.get(`${path}?${query.join('&')}`, signal);
    };
    return {
      provider,
      get,
      async projectOf(repoId, signal) {
        const known = projects.get(repoId);
        if (known !== undefined) return known;
        const { body } = await get(`/_apis/git/repositories/${pathPart(repoId)}`, {}, signal);
        const { id } = readAnswer(provider, oneRepo, body).project;
        projects.set(repoId, id);
        return id;
      },
    };
  };
