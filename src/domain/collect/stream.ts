// What a host or tracker gives to collecting: a table of streams. A stream says how one page is requested and read;
// src/collect decides when, with which token, how large and how far, and stores what comes. So a stream holds no state,
// reads no clock, and never sleeps, retries or stores.
//
// A walk asks page after page until a page has no `next`, or lies outside of what is wanted:
//
//   newest_first   top ───────────► since      fresh: since = watermark − overlap; backfill: the import window
//   oldest_first   since ─────────► top        `top` is the host's time when the walk began
//   census         everything, each time
//
// The fresh walk of a stream and its backfill are rows of their own in sync_streams; a census has no backfill.
import type { HostAccount } from '../repos/code-host.ts';
import type { CollectedPullRequest } from '../reviews/pull-request.ts';
import type { Collected } from './collected.ts';

/** A place in a list: whatever the stream needs to go on, as JSON. Null begins anew. */
export type Cursor = { readonly [key: string]: string | number | boolean | null };

export interface Scope {
  readonly kind: 'repo' | 'organization' | 'tracker';
  /** The host's id of the repo, organization or site. */
  readonly external_id: string;
  /** As the host writes it now: `owner/name`. For messages, and for hosts that have no calls by id. */
  readonly path: string;
  /** Choices of a tracker connection: projects, boards, fields. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface PageRequest<Client> {
  /** Made by the connector for one account; all its calls are metered and kept by src/collect. */
  readonly client: Client;
  readonly scope: Scope;
  readonly cursor: Cursor | null;
  /** Changes at or after this time are wanted; null wants everything. Hosts that can filter do. */
  readonly since: Date | null;
  /** Changes after this time belong to another walk; only set for `oldest_first`. */
  readonly until: Date | null;
  /** At most this many items. */
  readonly pageSize: number;
  /**
   * True where the page failed at size 1 again and again: leave out what makes it heavy, and say what is missing
   * (`incomplete_detail`).
   */
  readonly isLight: boolean;
  /** Those of the pull requests whose stored fingerprint is another one: their children are needed. */
  changed(
    items: readonly { readonly external_id: string; readonly fingerprint: string }[],
  ): Promise<ReadonlySet<string>>;
  /**
   * Takes a pull request that is complete before its page is. Where the page fails later it is stored by itself, so that
   * the next try finds its fingerprint and does not read its children again.
   */
  keep(request: CollectedPullRequest): void;
  readonly signal: AbortSignal;
}

export interface Page {
  readonly collected: Collected;
  /** Null where the host says that the list ends here. */
  readonly next: Cursor | null;
  /** How many items the page had, before any were left out; an empty page with a `next` is a fault. */
  readonly itemCount: number;
  /** By the host's field that the list is ordered by; null where the page is empty or the stream a census. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** How many items there are in all, where the host says so; for the progress bar. */
  readonly expected?: number;
  /** What the host did not give though the walk goes on, each in words: shown until a walk finds it. */
  readonly leftOut?: readonly string[];
}

export interface Stream<Client = never> {
  /** Unique among the streams of a host; lower case with underscores. */
  readonly name: string;
  readonly scope: Scope['kind'];
  readonly order: 'newest_first' | 'oldest_first' | 'census';
  /** Which of the token's budgets it draws on, by the host's name for it. */
  readonly resource: string;
  /** Lower goes first: 1 pull requests, 2 issues and sprints, 3 comments, 4 deployments and runs, 5 teams. */
  readonly priority: number;
  /** Between two fresh walks. */
  readonly everyMinutes: number;
  /** How far before the watermark the next walk ends; for lists whose items change without moving in the order. */
  readonly overlapMinutes: number;
  /**
   * How many days after it was made an item may still change, where that is longer than the overlap: each night looks back so
   * far.
   */
  readonly changesForDays?: number;
  /** Its backfill begins when that of this stream has ended; for what refers to items that must be stored before. */
  readonly after?: string;
  readonly pageSize: { readonly first: number; readonly most: number };
  /** Completes "the token may not read …", and says what is missing without it. */
  readonly right: { readonly needs: string; readonly brings: string };
  page(request: PageRequest<Client>): Promise<Page>;
}

/** One thing that can be fetched by itself, after a webhook or for the nightly comparison. */
export interface ItemFetcher<Client = never> {
  /** `pull_request`, `issue`, `deployment` … */
  readonly kind: string;
  readonly scope: Scope['kind'];
  readonly resource: string;
  /** Null: the host does not have it, or does not show its repo any more. */
  fetch(
    request: Pick<PageRequest<Client>, 'client' | 'scope' | 'signal'> & { readonly key: string },
  ): Promise<Collected | null>;
}

/** When each stream of a repo last changed, as far as the host says so; null: it is empty. */
export type LastChanges = ReadonlyMap<string, Date | null>;

/** One call that says of many repos whether anything changed, so that a quiet one costs next to nothing. */
export interface Probe<Client = never> {
  readonly resource: string;
  /** Repos in one call. */
  readonly most: number;
  /** Those that it answers for. */
  readonly streams: readonly string[];
  /** By the host's id of the repo. What is not named in the answer is walked. */
  ask(client: Client, scopes: readonly Scope[], signal: AbortSignal): Promise<ReadonlyMap<string, LastChanges>>;
}

/** What an answer says of the token's budget. */
export interface BudgetReading {
  readonly resource: string;
  readonly quota: number | null;
  readonly remaining: number | null;
  readonly reset_at: Date | null;
  /** The host asks for a pause though it answered. */
  readonly wait_until: Date | null;
}

/** A code host's account, or a tracker's: the same fields, another provider. */
export type CollectAccount =
  | { readonly source: 'host'; readonly host: HostAccount }
  | {
      readonly source: 'tracker';
      readonly kind: string;
      readonly site_url: string;
      readonly email: string | null;
      readonly token: string;
      readonly settings: Readonly<Record<string, unknown>>;
    };

/** Called by the transport around each call. Throws a HostError of the kind rate_limited while a wait is due. */
export interface Meter {
  before(resource: string): void;
  after(answer: MeteredAnswer): void;
}

export interface MeteredAnswer {
  readonly resource: string;
  readonly method: string;
  /** Without credentials. */
  readonly address: string;
  readonly requestBody: string | null;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Read from the headers by the connector's rules. */
  readonly budget: BudgetReading | null;
  /** By the host's clock. */
  readonly hostTime: Date | null;
}

/** An answer that was kept, with as much of it as reading needs. */
export interface KeptAnswer {
  readonly method: string;
  readonly address: string;
  readonly requestBody: string | null;
  readonly status: number;
  /** Those that lead from one page to the next. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Answers in the place of a host; null where nothing is kept. */
export type Replay = (asked: Pick<KeptAnswer, 'method' | 'address' | 'requestBody'>) => Promise<KeptAnswer | null>;

export const OVERLAP_MINUTES = 5;

/** Collectors by kind, as compose hands them to jobs. The client stays behind `page`. */
export interface Collectors {
  streamsOf(kind: string): readonly StreamRow[];
  /** Kinds of items that can be fetched by themselves. */
  itemsOf(kind: string): readonly string[];
  open(account: CollectAccount, meter: Meter): OpenCollector;
  /** The same over answers that were kept: nothing is requested of the host. `at` is when they were. */
  replay(account: CollectAccount, answers: Replay, at: Date): OpenCollector;
}

export type StreamRow = Omit<Stream, 'page'>;

export interface OpenCollector {
  /**
   * Most calls of an hour in which nothing changes, by budget, where the host's limit is small: fresh walks are then as far
   * apart as the number of repos requires. Null where it is not.
   */
  readonly quietCalls: number | null;
  /** Null where the host has no such call. */
  readonly probe:
    | (Pick<Probe, 'resource' | 'most' | 'streams'> & {
        ask(scopes: readonly Scope[], signal: AbortSignal): Promise<ReadonlyMap<string, LastChanges>>;
      })
    | null;
  page(stream: string, request: Omit<PageRequest<never>, 'client'>): Promise<Page>;
  /** Which of the token's budgets an item of the kind draws on. */
  resourceOf(itemKind: string): string;
  /** Null: gone. Undefined kinds throw. */
  fetchItem(
    kind: string,
    request: Omit<
      PageRequest<never>,
      'client' | 'cursor' | 'since' | 'until' | 'pageSize' | 'isLight' | 'changed' | 'keep'
    > & {
      readonly key: string;
    },
  ): Promise<Collected | null>;
}
