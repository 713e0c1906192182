// A client for one organization of Azure DevOps Services, or one collection of a Server.
import { HostError } from '../../../domain/repos/code-host.ts';
import type { TrackerSettings } from '../../../domain/work/tracker-site.ts';
import { readTrackerSettings } from '../../../domain/work/tracker-site.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { createJsonClient, type JsonClient } from '../../http/json-client.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { projects, typeCategories, types } from './answers.ts';

/** A token that is not accepted leads to the sign-in page: by a redirect, or as HTML with status 203. */
const SIGN_IN_STATUSES = [203, 302];
const PROJECTS_AT_ONCE = 100;
/** The newest that Services and all supported Servers have. */
export const VERSION = 'api-version=6.0';

/** What the names of a project's types and states mean. */
export interface AzureProcess {
  readonly categoryOf: ReadonlyMap<string, string>;
  readonly bugTypes: ReadonlySet<string>;
  readonly epicTypes: ReadonlySet<string>;
  readonly states: readonly { readonly type: string; readonly name: string; readonly category: string }[];
}

export interface AzureClient extends JsonClient {
  readonly site: string;
  readonly settings: TrackerSettings;
  /** The named ones, or all that the token sees. */
  projects(signal: AbortSignal): Promise<readonly string[]>;
  /** Requested once for each project. One that cannot be read has no types and states. */
  process(project: string, signal: AbortSignal): Promise<AzureProcess>;
  now(): Date;
}

export interface AzureAccount {
  readonly site_url: string;
  readonly token: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export const stateKey = (type: string, state: string): string => `${type}/${state}`;

export function createAzureBoardsClient(account: AzureAccount, { fetch, now }: CollectorParts): AzureClient {
  const site = account.site_url.replace(/\/+$/, '');
  const settings = readTrackerSettings(account.settings);
  const json = createJsonClient(
    { account: { provider: 'azure_boards' }, fetch, now },
    {
      base: site,
      headers: { authorization: `Basic ${Buffer.from(`:${account.token}`).toString('base64')}` },
      rejectedStatuses: SIGN_IN_STATUSES,
    },
  );
  const processes = new Map<string, AzureProcess>();
  return {
    ...json,
    site,
    settings,
    now,
    async projects(signal) {
      if (settings.projects.length > 0) return settings.projects;
      const found: string[] = [];
      let token: string | null = null;
      do {
        const after: string = token === null ? '' : `&continuationToken=${encodeURIComponent(token)}`;
        const { body, headers } = await json.get(`/_apis/projects?${VERSION}&$top=${PROJECTS_AT_ONCE}${after}`, signal);
        found.push(...readAnswer('azure_boards', projects, body).value.map(({ name }) => name));
        token = headers.get('x-ms-continuationtoken');
      } while (token !== null);
      return found;
    },
    async process(project, signal) {
      const known = processes.get(project);
      if (known !== undefined) return known;
      const process = await readProcess(json, project, signal).catch((error: unknown) => {
        if (isUnreadable(error)) return UNKNOWN_PROCESS;
        throw error;
      });
      processes.set(project, process);
      return process;
    },
  };
}

const UNKNOWN_PROCESS: AzureProcess = {
  states: [],
  categoryOf: new Map(),
  bugTypes: new Set(),
  epicTypes: new Set(),
};

/**
 * Old revisions of a work item name the project that it came from, which may be deleted or hidden from the token. A token
 * without the right to any has been refused the work items before.
 */
export const isUnreadable = (error: unknown): error is HostError =>
  error instanceof HostError && (error.failure === 'insufficient_scope' || error.status === 404);

async function readProcess(json: JsonClient, project: string, signal: AbortSignal): Promise<AzureProcess> {
  const base = `/${pathPart(project)}/_apis/wit`;
  const listed = await json.get(`${base}/workitemtypes?${VERSION}`, signal);
  const states = readAnswer('azure_boards', types, listed.body).value.flatMap((type) =>
    (type.states ?? []).map(({ name, category }) => ({ type: type.name, name, category })),
  );
  const grouped = await json.get(`${base}/workitemtypecategories?${VERSION}`, signal);
  const categories = readAnswer('azure_boards', typeCategories, grouped.body).value;
  const ofCategory = (name: string): Set<string> =>
    new Set(
      categories.flatMap((each) => (each.referenceName === name ? each.workItemTypes.map((type) => type.name) : [])),
    );
  return {
    states,
    categoryOf: new Map(states.map(({ type, name, category }) => [stateKey(type, name), category])),
    bugTypes: ofCategory('Microsoft.BugCategory'),
    epicTypes: ofCategory('Microsoft.EpicCategory'),
  };
}
