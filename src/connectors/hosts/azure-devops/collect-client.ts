// A client for collecting from Azure DevOps: plain calls by the ids of repos and projects, which stay when they are renamed.
import type { CollectAccount } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import type { JsonAnswer, JsonClient } from '../../http/json-client.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { createAzureClient } from './client.ts';
import { oneRepo } from './collect-answers.ts';

type Values = Readonly<Record<string, string | number | null>>;

export interface AzureCollectClient {
  readonly provider: 'devops_suite' | 'devops_suite_on_prem';
  /** Null values are left out. */
  get(path: string, values: Values, signal: AbortSignal): Promise<JsonAnswer>;
  /** What needs a right of its own: without it Azure DevOps answers as if the token were wrong. */
  getWithRight(path: string, values: Values, signal: AbortSignal): Promise<JsonAnswer>;
  /** The same at the address of classic releases, which Services have at another host. */
  getRelease(path: string, values: Values, signal: AbortSignal): Promise<JsonAnswer>;
  /** The id of the project that a repo lies in. */
  projectOf(repoId: string, signal: AbortSignal): Promise<string>;
}

/** `https://dev.azure.com` → `https://vsrm.dev.azure.com`; a server has everything at one address. */
export function releaseAddress(base: string): string {
  const url = new URL(base);
  if (url.hostname === 'dev.azure.com') url.hostname = 'vsrm.dev.azure.com';
  else url.hostname = url.hostname.replace(/\.visualstudio\.com$/, '.vsrm.visualstudio.com');
  return url.href.replace(/\/+$/, '');
}

/** Whether the token is good at all shows with pull requests. */
async function orDenied(answer: Promise<JsonAnswer>): Promise<JsonAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof HostError) || error.failure !== 'rejected') throw error;
    throw new HostError('insufficient_scope', 'Azure DevOps does not let the token read this', { status: 403 });
  }
}

/** Services and Server differ in their address and in the newest version of the API that is everywhere. */
export const createAzureCollectClient =
  (provider: AzureCollectClient['provider'], address: string | null, version: string) =>
  (account: CollectAccount, { fetch, now }: CollectorParts): AzureCollectClient => {
    if (account.source !== 'host') throw new Error('Azure DevOps is a code host');
    const base = (account.host.endpoint_url ?? address ?? '').replace(/\/+$/, '');
    const client = createAzureClient({ account: account.host, address: base, fetch, now });
    const projects = new Map<string, string>();
    const releases = createAzureClient({ account: account.host, address: releaseAddress(base), fetch, now });
    const getFrom = (from: JsonClient, path: string, values: Values, signal: AbortSignal) => {
      const query = Object.entries({ ...values, 'api-version': version }).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${encodeURIComponent(String(value))}`],
      );
      return from.get(`${path}?${query.join('&')}`, signal);
    };
    const get: AzureCollectClient['get'] = (path, values, signal) => getFrom(client, path, values, signal);
    return {
      provider,
      get,
      getWithRight: (path, values, signal) => orDenied(get(path, values, signal)),
      getRelease: (path, values, signal) => orDenied(getFrom(releases, path, values, signal)),
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
