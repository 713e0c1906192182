// `strata import`: registers a repository, a whole folder of them or an address, queues the import, and
// shows how far it is. Beside a running service that does the work; alone this process does.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseSince } from '../../domain/calendar/since.ts';
import { StrataError } from '../../domain/errors.ts';
import { DEFAULT_ORGANIZATION, defaultRepoName, slugOf } from '../../domain/repos/default-name.ts';
import { isImportFailure } from '../../domain/repos/import-status.ts';
import type { ImportTarget } from '../../domain/repos/import-target.ts';
import { MISSING_OBJECTS_REMEDY } from '../../domain/repos/missing-objects.ts';
import { describeClash } from '../../domain/repos/repo-name.ts';
import { findRepositories, isRepository } from '../../engine/git/find-repositories.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import type { ImportWindow, Operations } from '../../operations/index.ts';
import { cutOffWords } from '../terminal/text.ts';
import { DEFAULT_ENTITY, ENTITY_OPTION, entityOf, optionText, type Verb, type VerbCall } from '../verb.ts';
import { untilWorkedOut } from '../work-out.ts';

const LOOK_MS = 250;
const LOOKS_PER_WORKER_CHECK = 20;
/** A worker that was killed is missed after half a minute; another may be on its way. */
const WORKER_TIMEOUT_MS = 90_000;
const MOST_SKIPPED_SHOWN = 10;
const MOST_LEFT_OUT_SHOWN = 10;

export const importVerb: Verb = {
  name: 'import',
  summary: 'Import a git repository, a folder of them, or an address to clone from.',
  arguments: [
    { name: '<path-or-url>', description: 'A repository, a folder of repositories, or https://, ssh:// or git://.' },
  ],
  options: [
    { ...ENTITY_OPTION, description: `Entity to import into. Default: ${DEFAULT_ENTITY}.` },
    { flags: '--as <org/repo>', description: `Name of the repo. Default: ${DEFAULT_ORGANIZATION}/<folder name>.` },
    { flags: '--since <when>', description: 'all, a date, or a span: 90d, 12w, 6m, 1y. Default: the entity’s window.' },
    { flags: '--follow', description: 'Wait until the import is done, also when another process does it.' },
  ],
  configuration: 'store',
  makesData: true,
  run: async (call) => {
    (await import('../analyze/tune-v8.ts')).tuneForImport();
    const entity = entityOf(call);
    // Before the database is started: a mistake must not make a data folder.
    const since = optionText(call, 'since');
    await readWindow(since, FIRST_ZONE);
    const targets = findTargets(call.args[0]!, optionText(call, 'as'));
    return call.parts.withWorker(call.flags, async (operations, isAlone) => {
      const { settings } = await operations.access.enterEntity(OPERATOR, entity, 'admin');
      const window = await readWindow(since, settings.time_zone);
      const { watched, refused } = await queueTargets(operations, entity, targets, window);
      for (const { path } of watched) call.out(`Queued the import of ${path} into ${entity}.`);
      if (watched.length === 0) throw new StrataError('unprocessable', refused.map(describeRefused).join('\n'));
      for (const each of refused) call.err(describeRefused(each));
      const failed = refused.length === 0 ? 0 : 1;
      if (isAlone || call.options.follow === true)
        return Math.max(failed, await follow(call, operations, { entity, window }, watched, isAlone));
      call.out(`A running service does the work; GET /api/v1/imports?resource_path=${entity} shows how far it is.`);
      return failed;
    });
  },
};

/** Where a day begins first. The entity's zone is known once there is a database; what is no past date here is none anywhere. */
const FIRST_ZONE = 'Pacific/Kiritimati';

async function readWindow(since: string | undefined, zone: string): Promise<ImportWindow> {
  if (since === undefined) return {};
  const seconds = await parseSince(since, { now: new Date(), zone, name: '--since' });
  return seconds === null ? { all: true } : { from: new Date(seconds * 1000).toISOString() };
}

/** What an argument means: one repository, the repositories of a folder, or an address. Each has a name of its own. */
export function findTargets(argument: string, as: string | undefined): ImportTarget[] {
  const targets = listTargets(argument, as);
  const clash = describeClash(targets);
  if (clash !== null) throw refuse(clash);
  return targets;
}

/** Of which some may have the same name. */
export function listTargets(argument: string, as: string | undefined): ImportTarget[] {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(argument);
  if (!argument.startsWith('file://') && (isUrl || (/^[\w.-]+@[\w.-]+:/.test(argument) && !existsSync(argument)))) {
    return [{ kind: 'address', address: argument, ...nameOf(argument, as) }];
  }
  const path = argument.startsWith('file://') ? fileURLToPath(argument) : resolve(argument);
  if (!existsSync(path)) throw refuse(`there is nothing at ${path}; give a repository, a folder of them or an address`);
  if (isRepository(path)) return [{ kind: 'path', address: path, ...nameOf(path, as) }];
  const found = findRepositories(path);
  if (found.length === 0) throw refuse(`${path} is no git repository and has none in it or one folder below`);
  if (as !== undefined) throw refuse(`--as names one repo, but ${path} holds ${found.length}`);
  return found.map(
    ({ path: address, organization, repo }): ImportTarget => ({
      kind: 'path',
      address,
      as: organization === null ? `${DEFAULT_ORGANIZATION}/${slugOf(repo)}` : `${slugOf(organization)}/${slugOf(repo)}`,
      isNameGuessed: true,
    }),
  );
}

const refuse = (message: string): StrataError =>
  new StrataError('invalid_parameter', message, { errors: { 'path-or-url': [message] } });

function nameOf(address: string, as: string | undefined): Pick<ImportTarget, 'as' | 'isNameGuessed'> {
  if (as === undefined) return { as: defaultRepoName(address), isNameGuessed: true };
  if (as.split('/').length !== 2) throw refuse(`--as: ${JSON.stringify(as)} is not accepted; expected ORG/REPO`);
  return { as };
}

export interface WatchedImport {
  readonly id: number;
  readonly path: string;
  /** When it ended the time before; another value means that it has ended since. */
  readonly finishedBefore: string | null;
  /** What it says of the time before. */
  readonly reportedBefore: string;
}

/** A repository of a folder that was not queued. */
export interface RefusedImport {
  readonly address: string;
  readonly why: string;
}

export const describeRefused = ({ address, why }: RefusedImport): string => `${address} is not imported: ${why}`;

/** One that is refused does not keep the others of its folder; alone it throws. */
export async function queueTargets(
  operations: Operations,
  entity: string,
  targets: readonly ImportTarget[],
  window: ImportWindow,
): Promise<{ readonly watched: readonly WatchedImport[]; readonly refused: readonly RefusedImport[] }> {
  const watched: WatchedImport[] = [];
  const refused: RefusedImport[] = [];
  for (const target of targets) {
    try {
      const { record, finished_at } = await operations.imports.register(OPERATOR, entity, target, window);
      watched.push({
        id: record.id,
        path: record.repo_path,
        finishedBefore: finished_at,
        reportedBefore: record.error_detail,
      });
    } catch (error) {
      const isOfThisOne = error instanceof StrataError && error.code === 'unprocessable' && targets.length > 1;
      if (!isOfThisOne) throw error;
      refused.push({ address: target.address, why: error.message });
    }
  }
  return { watched, refused };
}

async function follow(
  call: VerbCall,
  operations: Operations,
  { entity, window }: { readonly entity: string; readonly window: ImportWindow },
  watched: readonly WatchedImport[],
  isAlone: boolean,
): Promise<number> {
  const { createProgressBar } = await import('../terminal/progress-bar.ts');
  const bar = createProgressBar(process.stderr);
  const left = new Map(watched.map((item) => [item.id, item]));
  const reported = new Map(watched.map((item) => [item.id, item.reportedBefore]));
  let failures = 0;
  let seenWorkerAt = Date.now();
  for (let look = 1; left.size > 0; look += 1) {
    await sleep(LOOK_MS);
    if (isAlone || (look % LOOKS_PER_WORKER_CHECK === 0 && (await operations.imports.hasWorker()))) {
      seenWorkerAt = Date.now();
    }
    if (Date.now() - seenWorkerAt > WORKER_TIMEOUT_MS) {
      bar.close();
      call.err('Nobody works on it any more; it goes on with the next strata serve, worker or import.');
      return 1;
    }
    const states = await operations.imports.states(OPERATOR, entity, [...left.keys()]);
    const sum = (read: (state: (typeof states)[number]) => number) => states.reduce((all, one) => all + read(one), 0);
    bar.show(
      sum(({ record }) => record.commit_processed_count),
      sum((state) => Math.max(state.expected_commit_count, state.record.commit_processed_count)),
    );
    for (const { record, finished_at } of states) {
      const item = left.get(record.id);
      if (item === undefined) continue;
      if (finished_at === null || finished_at === item.finishedBefore) {
        // Why it is tried again. A process that works itself logs it.
        if (isAlone || record.error_detail === '' || record.error_detail === reported.get(record.id)) continue;
        reported.set(record.id, record.error_detail);
        bar.close();
        call.err(`${record.repo_path}: ${record.error_detail}`);
        continue;
      }
      left.delete(record.id);
      bar.close();
      if (record.error_em !== null) failures += 1;
      (record.error_em === null ? call.out : call.err)(describeEnd(record));
      const start = record.subscription_earliest_processing_at;
      if (record.error_em === null && start !== null && reachesBehind(window, start))
        call.out(`Commits before ${start} are left out, whatever --since says: by the setting processing_starts_on.`);
    }
  }
  await untilWorkedOut(call, operations, { entity, isAlone, what: 'derivations' });
  return failures === 0 ? 0 : 1;
}

/** Whether more was asked for than from a date on. */
const reachesBehind = ({ all, from }: ImportWindow, date: string): boolean =>
  all === true || (from !== undefined && Date.parse(from) < Date.parse(date));

export function describeEnd(record: {
  readonly repo_path: string;
  readonly import_status: Parameters<typeof isImportFailure>[0];
  readonly error_em: string | null;
  readonly error_detail: string;
  readonly commits_complete_count: number;
  readonly skipped_commit_count: number;
  readonly skipped_commits: readonly { readonly sha: string; readonly reason: string; readonly path: string }[];
  readonly left_out_branches?: readonly {
    readonly name: string;
    readonly reason: string;
    readonly commit_count: number;
  }[];
  readonly cut_off_commit_count?: number;
}): string {
  if (isImportFailure(record.import_status)) {
    return `${record.repo_path} was not imported (${record.import_status}): ${record.error_detail}`;
  }
  if (record.error_em !== null) {
    return `${record.repo_path} was not brought up to date (${record.error_em}): ${record.error_detail}`;
  }
  if (record.commits_complete_count === 0 && record.skipped_commit_count === 0) {
    return `${record.repo_path} is imported, but no commit is young enough; --since all takes the whole history.`;
  }
  const count = record.commits_complete_count;
  const summary = `${record.repo_path} is imported: ${count} ${count === 1 ? 'commit' : 'commits'}`;
  const remarks = [
    ...describeLeftOut(record.left_out_branches ?? []),
    ...describeCutOff(record.cut_off_commit_count ?? 0),
  ];
  if (record.skipped_commit_count === 0) return [`${summary}.`, ...remarks].join('\n');
  const shown = record.skipped_commits.slice(0, MOST_SKIPPED_SHOWN);
  const lines = shown.map(({ sha, reason, path }) => `  ${sha.slice(0, 12)} ${reason} ${path}`.trimEnd());
  const isMore = record.skipped_commits.length > shown.length;
  return [
    `${summary}; ${record.skipped_commit_count} could not be read wholly:`,
    ...lines,
    ...(isMore ? ['  …'] : []),
    ...describeMissing(record.skipped_commits),
    ...remarks,
  ].join('\n');
}

function describeCutOff(commits: number): string[] {
  if (commits === 0) return [];
  return [
    `The source is a shallow clone: ${cutOffWords(commits)}.`,
    'git fetch --unshallow in it, and another import, bring the rest.',
  ];
}

function describeMissing(skipped: readonly { readonly reason: string }[]): string[] {
  if (!skipped.some(({ reason }) => reason === 'object_missing')) return [];
  return [
    'Objects are missing from the source, and the figures lack the lines of these commits;',
    `${MISSING_OBJECTS_REMEDY}, which another import reads.`,
  ];
}

const LEFT_OUT_WORDS: Readonly<Record<string, string>> = {
  orphan: 'shares no commit with the default branch',
  pattern: 'by the setting branches',
};

function describeLeftOut(
  branches: readonly { readonly name: string; readonly reason: string; readonly commit_count: number }[],
): string[] {
  if (branches.length === 0) return [];
  const shown = branches
    .slice(0, MOST_LEFT_OUT_SHOWN)
    .map(({ name, reason, commit_count }) => `  ${name}: ${commit_count} commits, ${LEFT_OUT_WORDS[reason] ?? reason}`);
  const further = branches.length - shown.length;
  return ['Branches left out:', ...shown, ...(further > 0 ? [`  and ${further} more`] : [])];
}
