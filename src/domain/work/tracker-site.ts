// What the service asks of a tracker when it is connected: whether the token is good, and what it can see.
import type { StreamRow } from '../collect/stream.ts';
import type { TrackerKind } from './issue.ts';

/** Kinds that are connected by themselves; the others come with their code host. */
export const CONNECTED_KINDS = ['jira', 'jira_server', 'azure_boards', 'linear'] as const satisfies TrackerKind[];
export type ConnectedKind = (typeof CONNECTED_KINDS)[number];

/** What it takes to speak to a tracker. Holds a secret: never logged. */
export interface TrackerAccount {
  readonly kind: ConnectedKind;
  /** Without a slash at the end. */
  readonly site_url: string;
  readonly email: string | null;
  readonly token: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Choices by hand: which projects, and in which fields the points are. Empty takes all, and the usual ones. */
export interface TrackerSettings {
  readonly projects: string[];
  readonly points_fields: string[];
}

export function readTrackerSettings(settings: Readonly<Record<string, unknown>>): TrackerSettings {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : [];
  return { projects: list(settings.projects), points_fields: list(settings.points_fields) };
}

export interface VerifiedTracker {
  /** As people call the site. */
  readonly name: string;
  /** Whose token it is. */
  readonly account_name: string;
  readonly project_count: number;
  /** Which of the site's workspaces it is, where one address has many. */
  readonly workspace?: string;
}

/** Throws a HostError, or the signal's reason. */
export interface TrackerSites {
  /** What is collected from a kind. */
  streamsOf(kind: ConnectedKind): Promise<readonly StreamRow[]>;
  verify(account: TrackerAccount, signal: AbortSignal): Promise<VerifiedTracker>;
}

/** The site under one name however its address is written: `jira:acme.atlassian.net`. */
export function trackerKeyOf(kind: ConnectedKind, siteUrl: string, workspace = ''): string {
  const { host, pathname } = new URL(siteUrl);
  return `${kind}:${host}${pathname.replace(/\/+$/, '')}/${workspace}`.toLowerCase().replace(/\/+$/, '');
}
