// A client for collecting from GitLab: plain calls by the project's number, which stays when the project moves.
import type { CollectAccount } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { followSameOrigin } from '../../http/follow-same-origin.ts';
import { createJsonClient, type JsonAnswer } from '../../http/json-client.ts';
import { nextLink } from '../../http/next-link.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { type AccountReader, accountReader } from './accounts.ts';
import { gitlabAccounts, gitlabFlaggedUser, gitlabPage } from './collect-answers.ts';

type Values = Readonly<Record<string, string | number | boolean | null>>;

export interface GitlabPage {
  readonly items: readonly unknown[];
  readonly link: string | null;
  /** Of all pages; GitLab leaves it out above 10,000. */
  readonly total: number | null;
}

export interface GitlabCollectClient {
  readonly accounts: Pick<AccountReader, 'user'>;
  get(path: string, signal: AbortSignal): Promise<JsonAnswer>;
  /** One page of a list. Null values are left out. */
  page(path: string, values: Values, signal: AbortSignal): Promise<GitlabPage>;
  follow(link: string, signal: AbortSignal): Promise<GitlabPage>;
  /** All pages of a short list. */
  all(path: string, signal: AbortSignal): Promise<unknown[]>;
  /** The same; an empty list where the product's tier or version does not have it. */
  allWhereThere(path: string, product: string, signal: AbortSignal): Promise<unknown[]>;
  /** One record; null where the tier or version does not have it. */
  oneWhereThere(path: string, product: string, signal: AbortSignal): Promise<unknown>;
  /** The id of an account by its name; null where there is none by that name any more. */
  accountId(login: string, signal: AbortSignal): Promise<string | null>;
  /** True once it was found absent. */
  lacks(product: string): boolean;
  /** Records whose accounts carry the host's own flag of bots. */
  withFlags<T>(make: () => T, signal: AbortSignal): Promise<T>;
}

export const GITLAB_ADDRESS = 'https://gitlab.com';
const LIST_SIZE = 100;
const isAbsent = (error: unknown): boolean =>
  error instanceof HostError && (error.status === 403 || error.status === 404);

const readTotal = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

export function createGitlabCollectClient(account: CollectAccount, parts: CollectorParts): GitlabCollectClient {
  if (account.source !== 'host') throw new Error('GitLab is a code host');
  const { host } = account;
  const address = (host.endpoint_url ?? GITLAB_ADDRESS).replace(/\/+$/, '');
  const client = createJsonClient(
    { account: host, fetch: followSameOrigin(parts.fetch), now: parts.now },
    { base: `${address}/api/v4`, headers: { 'private-token': host.token } },
  );
  const accounts = accountReader(new URL(address).hostname);
  const absent = new Set<string>();
  const ids = new Map<string, string | null>();

  const toPage = ({ body, headers }: JsonAnswer): GitlabPage => ({
    items: readAnswer('hostD', gitlabPage, body),
    link: nextLink(headers),
    total: readTotal(headers.get('x-total')),
  });
  const follow = async (link: string, signal: AbortSignal) => toPage(await client.get(link, signal));

  async function all(path: string, signal: AbortSignal): Promise<unknown[]> {
    let page = toPage(await client.get(`${path}?per_page=${LIST_SIZE}`, signal));
    const items = [...page.items];
    while (page.link !== null) {
      page = await follow(page.link, signal);
      if (page.items.length === 0 && page.link !== null) {
        throw new HostError('unexpected_answer', 'GitLab leads on from an empty page');
      }
      items.push(...page.items);
    }
    return items;
  }

  /** What a tier or version lacks is tried once. */
  async function whereThere<T>(product: string, ask: () => Promise<T>): Promise<T | null> {
    if (absent.has(product)) return null;
    try {
      return await ask();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      absent.add(product);
      return null;
    }
  }

  return {
    accounts,
    get: (path, signal) => client.get(path, signal),

    async page(path, values, signal) {
      const query = new URLSearchParams(
        Object.entries(values).flatMap(([name, value]): [string, string][] =>
          value === null ? [] : [[name, String(value)]],
        ),
      );
      return toPage(await client.get(`${path}?${query}`, signal));
    },

    follow,
    all,

    allWhereThere: async (path, product, signal) => (await whereThere(product, () => all(path, signal))) ?? [],

    oneWhereThere: (path, product, signal) => whereThere(product, async () => (await client.get(path, signal)).body),

    lacks: (product) => absent.has(product),

    async accountId(login, signal) {
      const key = login.toLowerCase();
      const known = ids.get(key);
      if (known !== undefined) return known;
      const { body } = await client.get(`/users?username=${encodeURIComponent(login)}`, signal);
      const [found] = readAnswer('hostD', gitlabAccounts, body);
      const id = found == null ? null : String(found.id);
      ids.set(key, id);
      return id;
    },

    withFlags: (make, signal) =>
      accounts.withFlags(make, async (id) => {
        try {
          return readAnswer('hostD', gitlabFlaggedUser, (await client.get(`/users/${id}`, signal)).body).bot ?? false;
        } catch (error) {
          if (isAbsent(error)) return false;
          throw error;
        }
      }),
  };
}
