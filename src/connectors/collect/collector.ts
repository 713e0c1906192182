// What a host or tracker adds to be collected from: its streams and single items, and a client for one account. The
// client's type stays within; src/collect sees names and pages.
import type {
  CollectAccount,
  ItemFetcher,
  Meter,
  OpenCollector,
  Probe,
  Stream,
  StreamRow,
} from '../../domain/collect/stream.ts';
import type { GuardedFetch } from '../http/guarded-fetch.ts';
import { meterFetch } from '../http/metered-fetch.ts';
import { retryOnce } from '../http/retry-once.ts';

export interface CollectorParts {
  readonly fetch: GuardedFetch;
  now(): Date;
}

/** `Account` is what the kind's clients are made of: a code host's account with its address, or a tracker's. */
export interface CollectorRow<Client> {
  readonly streams: readonly Stream<Client>[];
  readonly items: readonly ItemFetcher<Client>[];
  readonly probe?: Probe<Client>;
  /** A tenth of the host's limit in an hour, for each budget, where that is small. */
  readonly quietCalls?: number;
  /** Which of the token's budgets a call draws on. */
  resourceOf(url: URL): string;
  connect(account: CollectAccount, parts: CollectorParts): Client;
}

export interface Collector {
  readonly streams: readonly StreamRow[];
  readonly items: readonly string[];
  open(account: CollectAccount, meter: Meter, parts: CollectorParts): OpenCollector;
}

export function createCollector<Client>(row: CollectorRow<Client>): Collector {
  const streams = new Map(row.streams.map((stream) => [stream.name, stream]));
  const items = new Map(row.items.map((item) => [item.kind, item]));
  return {
    streams: row.streams.map(({ page: _, ...rest }) => rest),
    items: [...items.keys()],
    open(account, meter, { fetch, now }) {
      const client = row.connect(account, {
        fetch: retryOnce(meterFetch(fetch, meter, { resourceOf: row.resourceOf, now })),
        now,
      });
      const { probe } = row;
      return {
        quietCalls: row.quietCalls ?? null,
        probe: probe === undefined ? null : { ...probe, ask: (scopes, signal) => probe.ask(client, scopes, signal) },
        page(name, request) {
          const stream = streams.get(name);
          if (stream === undefined) throw new Error(`there is no stream ${name}`);
          return stream.page({ ...request, client });
        },
        resourceOf: (kind) => items.get(kind)?.resource ?? '',
        fetchItem(kind, request) {
          const item = items.get(kind);
          if (item === undefined) throw new Error(`items of the kind ${kind} cannot be fetched by themselves`);
          return item.fetch({ ...request, client });
        },
      };
    },
  };
}
