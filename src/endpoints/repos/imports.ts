// Section 10 of the specification: queue a repo import, and see how far imports are.
import { z } from 'zod';
import { parseSince } from '../../domain/calendar/since.ts';
import { StrataError } from '../../domain/errors.ts';
import { LEFT_OUT_REASONS } from '../../domain/repos/branch-patterns.ts';
import { IMPORT_PHASES } from '../../domain/repos/import-progress.ts';
import { IMPORT_STATUSES } from '../../domain/repos/import-status.ts';
import { IMPORT_WAITS } from '../../domain/repos/import-wait.ts';
import type { Grant, ImportWindow } from '../../operations/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const count = (description: string) => z.int().min(0).describe(description);
const time = (description: string) => z.string().nullable().describe(description);

const importRecord = z.object({
  id: z.int(),
  repo_path: z.string().describe('`<organization>/<repo>`.'),
  import_status: z.enum(IMPORT_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  error_em: z.string().nullable(),
  error_detail: z.string().describe('What went wrong and what to do about it; empty when all is well.'),
  available_provider_connection_count: count('Connections that can read the repo.'),
  commits_complete_count: count('Commits fully processed.'),
  commit_processed_count: count('Commits processed, ignored ones included.'),
  skipped_commit_count: count('Commits that could not, or not wholly, be read.'),
  skipped_commits: z
    .array(
      z.object({
        sha: z.string(),
        reason: z.string().describe('`object_missing`, `patch_too_large` and the like.'),
        path: z.string().describe('The file that it is about; empty when it is the whole commit.'),
      }),
    )
    .describe('Some of these commits and why, those found last first.'),
  left_out_branches: z
    .array(
      z.object({
        name: z.string(),
        reason: z
          .enum(LEFT_OUT_REASONS)
          .describe(
            '`orphan`: it shares no commit with the default branch; `pattern`: the setting `branches` says so.',
          ),
        commit_count: count('Commits that no counted branch leads to.'),
      }),
    )
    .describe('Branches whose commits do not count, as of the last import.'),
  cut_off_commit_count: count(
    'Commits at which the history of the source ends because it is a shallow clone: nothing before them is known, and all lines ' +
      'of their files count as added. 0 when the history is whole.',
  ),
  default_branch_processed_back_through: time('Earliest date of a processed commit of the default branch.'),
  last_deployed_at: time('Latest known release of the repo.'),
  last_pr_discovery_at: time('When pull requests were last looked for.'),
  last_processed_at: time('When a commit was last processed.'),
  last_provider_quota_exceeded_at: time('When the code host last refused because of its rate limit.'),
  last_year_days_with_commit_processed_count: count('Days of the past year with a processed commit.'),
  phase_em: z.enum(IMPORT_PHASES).describe('How far it is, in one word.'),
  expected_commit_count: count('Commits of the import window, as far as they are counted.'),
  commits_per_second: z.number().nullable().describe('While commits are read.'),
  seconds_left: z.int().nullable().describe('As long as it goes on like that.'),
  started_at: time('When the last run began.'),
  finished_at: time('When it last ended, well or not.'),
  next_look_at: time('When new commits are looked for.'),
  waits_for_em: z
    .enum(IMPORT_WAITS)
    .nullable()
    .describe(
      'Why it does not run just now: `retry` after a failed attempt, which `error_detail` names; `quota` of the code host; ' +
        '`worker`: none is running; `turn`: others come first. Null while it runs or has nothing to do.',
    ),
  waits_until: time('When a `retry` or `quota` is over.'),
  percent_complete: z.int().min(0).max(100).describe('Share of the commits of the import window processed.'),
  provider_past_year_commit_count: z.int().min(0).nullable().describe('Null where the host cannot count them.'),
  pull_request_discovered_count: count('Pull requests processed or queued.'),
  pull_request_processed_count: count('Pull requests processed.'),
  stats_calculated_at: time('When the statistics of the repo were last brought up to date.'),
  subscription_earliest_processing_at: time('Commits before this date are not processed.'),
});

const QUEUED = {
  imported: z.boolean(),
  errors: z.record(z.string(), z.array(z.string())).nullable(),
};
/** Names that the caller did not give. */
const QUEUED_BY_PLACE = r.object({ ...QUEUED, repo_paths: z.array(z.string()).describe('What is being imported.') });
const REFUSED = { imported: z.literal(false).optional() };
const since = p
  .string({ max: 40 })
  .optional()
  .describe('`all`, a date in the past, or a span such as 90d, 12w, 6m, 1y.')
  .ourName();

export const queueImport = endpoint({
  route: 'POST /imports',
  action: 'action_import_queued',
  group: 'Imports',
  summary: 'Queue a repo import',
  description:
    'Imports a repo that a connection of the entity, or the folder of repositories of this server, can see. ' +
    'A failed import starts again; a complete one looks for what is new.',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePath('entity').describe('The entity to import into.'),
    repo_path: p
      .string({ max: 500 })
      .describe(
        '`<organization>/<repo>` as the code host names it, in any case, also with `.git` or as the address that it is cloned from.',
      ),
    since,
  },
  returns: r.object(QUEUED),
  fails: ['unprocessable'],
  refusal: REFUSED,
  async run({ params, grant, ops, now }) {
    const window = await readWindow(params.since, grant, now);
    await ops.imports.queue(grant, params.repo_path, window);
    return { imported: true, errors: null };
  },
});

export const removeImport = endpoint({
  route: 'DELETE /imports',
  action: 'action_import_removed',
  group: 'Imports',
  summary: 'Remove a repo',
  description:
    'Takes a repo and all its facts out of the entity: commits, pull requests, releases, and the defects and people that ' +
    'nothing else names. Commits that another repo holds too count there from then on. Cannot be undone; a new import brings ' +
    'back what git knows.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePath('entity').describe('The entity that the repo belongs to.'),
    repo_path: p.string({ max: 500 }).describe('`<organization>/<repo>`, as in `POST /imports`.'),
  },
  returns: r.envelope({
    repo_path: z.string(),
    commit_count: count('Commits that were removed.'),
    committer_count: count('People who were known by nothing else, and were removed too.'),
  }),
  fails: ['not_found', 'unprocessable'],
  async run({ params, grant, ops }) {
    const removed = await ops.imports.remove(grant, params.repo_path);
    return { response_detail: `${removed.repo_path} and its ${removed.commit_count} commits are removed`, ...removed };
  },
});

export const listImports = endpoint({
  route: 'GET /imports',
  action: 'action_import_list',
  group: 'Imports',
  summary: 'List imports',
  access: { resource: 'member' },
  params: {
    resource_path: p
      .resourcePaths('entity', 'organization', 'repo')
      .describe('Whose imports; an organization or a repo narrows the list.'),
  },
  returns: r.object({
    repos: z.array(importRecord),
    data: z
      .object({
        version: z.string().describe('Changes whenever figures may.'),
        repo_count: z.int(),
        first_on: z.string().nullable().describe("Day of the first commit, in the entity's zone."),
        last_on: z.string().nullable().describe('Day of the last one.'),
      })
      .describe('State of the entity’s data.'),
    has_worker: z.boolean().describe('Whether somebody is there to do the work.'),
  }),
  async run({ grant, ops }) {
    const [repos, data, has_worker] = await Promise.all([
      ops.imports.list(grant),
      ops.imports.dataOf(grant),
      ops.imports.hasWorker(),
    ]);
    return { repos, data, has_worker };
  },
});

const NAMING = {
  resource_path: p.resourcePath('entity').describe('The entity to import into.').ourName(),
  as: p.string({ max: 500 }).optional().describe('`<organization>/<repo>`: what it is to be called.').ourName(),
  since,
};

export const queueAddress = endpoint({
  route: 'POST /imports/by_address',
  action: 'action_import_queued',
  group: 'Imports',
  summary: 'Import a repo from an address',
  description:
    'An https address to clone from; credentials in it are kept apart and for this entity alone. The name comes from the ' +
    'address when none is given. A repo stays with its address once that has brought a commit.',
  access: { resource: 'admin' },
  params: { ...NAMING, address: p.string({ max: 2000 }).secret().describe('Where git clones from.').ourName() },
  returns: QUEUED_BY_PLACE,
  fails: ['unprocessable', 'conflict'],
  refusal: REFUSED,
  async run({ params: { address, as, since }, grant, ops, now }) {
    const window = await readWindow(since, grant, now);
    const { repo_path } = await unprocessable('address', () =>
      ops.imports.queueAddress(grant, { address, as }, window),
    );
    return { imported: true, errors: null, repo_paths: [repo_path] };
  },
});

export const queueFolder = endpoint({
  route: 'POST /imports/by_path',
  action: 'action_import_queued',
  group: 'Imports',
  summary: 'Import a repository of this machine, or a folder of them',
  description:
    'For super admins, below the folders of the setting import_folders, while the server listens on a loopback address alone.',
  access: { resource: 'admin' },
  params: { ...NAMING, path: p.string({ max: 2000 }).describe('Of a repository, or a folder of them.').ourName() },
  returns: QUEUED_BY_PLACE,
  fails: ['unprocessable'],
  refusal: REFUSED,
  async run({ params: { path, as, since }, grant, ops, now }) {
    const window = await readWindow(since, grant, now);
    const records = await unprocessable('path', () => ops.imports.queueFolder(grant, { address: path, as }, window));
    return { imported: true, errors: null, repo_paths: records.map(({ repo_path }) => repo_path) };
  },
});

const breaksRule = (parameter: string, message: string): StrataError =>
  new StrataError('unprocessable', message, { errors: { [parameter]: [message] }, fields: { imported: false } });

/** A place that cannot be breaks a rule, whoever finds it out. */
async function unprocessable<T>(parameter: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StrataError) || error.code !== 'invalid_parameter') throw error;
    throw breaksRule(parameter, error.message);
  }
}

export const listCandidates = endpoint({
  route: 'GET /imports/candidates',
  action: 'action_get_resource',
  group: 'Imports',
  summary: 'List repositories of this machine that can be imported',
  description: 'For super admins, below the folders of the setting import_folders; empty for everybody else.',
  access: { resource: 'member' },
  params: { resource_path: p.resourcePath('entity').optional().describe('Into which entity.').ourName() },
  returns: r.envelope({
    folders: z.array(z.string()),
    candidates: z.array(z.object({ path: z.string(), name: z.string(), is_imported: z.boolean() })),
  }),
  async run({ grant, ops }) {
    const candidates = await ops.imports.candidates(grant);
    const folders = [...ops.imports.allowedFolders(grant.actor)];
    return { response_detail: `${candidates.length} repositories`, folders, candidates };
  },
});

async function readWindow(
  since: string | undefined,
  { settings }: Pick<Grant<'manager'>, 'settings'>,
  now: Date,
): Promise<ImportWindow> {
  if (since === undefined) return {};
  try {
    const seconds = await parseSince(since, { now, zone: settings.time_zone, name: 'since' });
    return seconds === null ? { all: true } : { from: new Date(seconds * 1000).toISOString() };
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    throw breaksRule('since', error.message.replace(/^since: /, ''));
  }
}
