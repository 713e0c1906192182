// A client for one Jira site. Cloud takes the account's e-mail address with the token, Data Center the token alone.
import type { ServiceKind } from '../../../domain/collect/service.ts';
import { readTrackerSettings, type TrackerSettings } from '../../../domain/work/tracker-site.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { createJsonClient, type JsonClient } from '../../http/json-client.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { readHostTime } from '../../http/read-limits.ts';
import { fieldList } from './answers.ts';
import { findFields, type JiraFields } from './fields.ts';

export type JiraKind = Extract<ServiceKind, 'jira' | 'jira_server'>;

export interface JiraClient extends JsonClient {
  readonly kind: JiraKind;
  readonly site: string;
  /** `/rest/api/3`, or `/rest/api/2` of Data Center. */
  readonly api: string;
  readonly settings: TrackerSettings;
  /** Which fields hold sprints, points and epics; requested once. */
  fields(signal: AbortSignal): Promise<JiraFields>;
  /** By the site's clock, as far as its answers have told it. */
  hostNow(): Date;
}

export interface JiraAccount {
  readonly site_url: string;
  readonly email: string | null;
  readonly token: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export function createJiraClient(kind: JiraKind, account: JiraAccount, { fetch, now }: CollectorParts): JiraClient {
  const site = account.site_url.replace(/\/+$/, '');
  const authorization =
    kind === 'jira'
      ? `Basic ${Buffer.from(`${account.email ?? ''}:${account.token}`).toString('base64')}`
      : `Bearer ${account.token}`;
  const settings = readTrackerSettings(account.settings);
  const api = kind === 'jira' ? '/rest/api/3' : '/rest/api/2';
  let aheadMs = 0;
  const watched: CollectorParts['fetch'] = async (address, init) => {
    const answer = await fetch(address, init);
    const time = readHostTime(answer.headers);
    if (time !== null) aheadMs = time.getTime() - now().getTime();
    return answer;
  };
  const json = createJsonClient(
    { account: { provider: kind }, fetch: watched, now },
    { base: site, headers: { authorization, 'x-atlassian-token': 'no-check' } },
  );
  let fields: Promise<JiraFields> | null = null;
  return {
    ...json,
    kind,
    site,
    api,
    settings,
    hostNow: () => new Date(now().getTime() + aheadMs),
    fields(signal) {
      fields ??= json
        .get(`${api}/field`, signal)
        .then(({ body }) => findFields(readAnswer(kind, fieldList, body), settings))
        .catch((error: unknown) => {
          fields = null;
          throw error;
        });
      return fields;
    },
  };
}

/** Text as JQL quotes it. */
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const MINUTE_MS = 60_000;
/** Older than any issue: a search without a bound is refused. */
const BEGINNING_MS = Date.UTC(2000, 0, 1);

/** The end of a search that is measured from now moves while its pages are read: it begins earlier by this share. */
const MARGIN_SHARE = 0.1;
const LEAST_MARGIN_MS = 60 * MINUTE_MS;

export interface ChangedIssues {
  readonly jql: string;
  /** From then on the search no longer reaches back to `since`. */
  readonly stale_at: string;
}

/**
 * What changed since, by a time from now: an absolute one would be read in the time zone of the token's owner. To be
 * ordered by what never changes, so that an issue which changes during the walk is found by the next one.
 */
export function changedIssues(client: Pick<JiraClient, 'settings' | 'hostNow'>, since: Date | null): ChangedIssues {
  const now = client.hostNow().getTime();
  const spanMs = now - (since?.getTime() ?? BEGINNING_MS);
  const marginMs = Math.max(LEAST_MARGIN_MS, spanMs * MARGIN_SHARE);
  const { projects } = client.settings;
  const within = projects.length === 0 ? '' : `project in (${projects.map(quote).join(', ')}) AND `;
  return {
    jql: `${within}updated >= -${Math.ceil((spanMs + marginMs) / MINUTE_MS)}m`,
    stale_at: new Date(now + marginMs).toISOString(),
  };
}
