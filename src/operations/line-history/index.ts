// The history of one line of a repo, from the copy of the repo on this machine and what the database knows
// of its commits. What git says of a full sha never changes, so it is remembered; the rest is read anew.

import { DateTime } from 'luxon';
import { weightsOf } from '../../domain/ai/evidence.ts';
import { StrataError } from '../../domain/errors.ts';
import type { MirroredRepo } from '../../domain/repos/mirrors.ts';
import { formatRepoPath, RepoAccessError } from '../../domain/repos/source.ts';
import { formatResourcePath } from '../../domain/resource-path.ts';
import {
  type HistoryEnd,
  type LineHistory,
  LineHistoryError,
  type LineHistoryProblem,
  type LineQuestion,
  type OpenLineHistory,
} from '../../engine/line-history/index.ts';
import { createByteLru } from '../../kit/byte-lru.ts';
import { type HistoryPerson, listReadableRepos, type ReadableRepo } from '../../storage/commits/line-history.ts';
import { readDataVersion } from '../../storage/commits/rollups.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findResources } from '../repos/find-resources.ts';
import { completeHistory, type LineHistoryRecord } from './line-history-record.ts';
import type { TraceVersion } from './match-comments.ts';
import { createOpenHistories } from './open-histories.ts';

export { LINE_HISTORY_OPERATIONS } from '../../engine/line-history/index.ts';
export type { LineHistoryRecord } from './line-history-record.ts';

/** Why a list of changes ends. */
export const HISTORY_ENDS = [
  'origin',
  'max_hops',
  'earliest',
  'missing_object',
] as const satisfies readonly HistoryEnd[];

export interface LineHistoryInput {
  readonly file_path: string;
  readonly sha: string;
  readonly line_number_after?: number | undefined;
  readonly line_number_before?: number | undefined;
  readonly max_hops: number;
  /** YYYY-MM-DD in the entity's zone. */
  readonly earliest_authored_at?: string | undefined;
}

export interface LineHistoryAnswer {
  readonly line_history: readonly LineHistoryRecord[];
  readonly ended_by: HistoryEnd;
  readonly commit_sha: string;
}

export interface LineHistoryOperations {
  read(grant: Grant<'member'>, input: LineHistoryInput): Promise<LineHistoryAnswer>;
  close(): void;
}

/** Of remembered answers, as JSON. */
const CACHE_BYTES = 32 * 1024 * 1024;
const MOST_PEOPLE = 10_000;
const NAMED_REPOS = 5;

const CODES: Record<LineHistoryProblem, ConstructorParameters<typeof StrataError>[0]> = {
  unknown_sha: 'not_found',
  unknown_file: 'not_found',
  ambiguous_sha: 'invalid_parameter',
  line_out_of_range: 'invalid_parameter',
  invalid_parameter: 'invalid_parameter',
  binary_file: 'unprocessable',
  missing_object: 'unprocessable',
};

export function createLineHistoryOperations({ store: { db }, log, mirrors }: OperationParts): LineHistoryOperations {
  const histories = createOpenHistories(mirrors?.environment ?? {}, log);
  const answers = createByteLru<LineHistory>(CACHE_BYTES);
  const people = new Map<string, Map<number, HistoryPerson>>();

  const recall = async (
    gitDir: string,
    rules: unknown,
    history: OpenLineHistory,
    question: LineQuestion,
  ): Promise<LineHistory> => {
    const { sha, basis } = await history.identify(question.sha);
    const key = JSON.stringify([gitDir, rules, basis, { ...question, sha }]);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = await history.history({ ...question, sha });
    // Missing objects may arrive with the next fetch; everything else is settled by the full sha.
    if (answer.ended_by !== 'missing_object') answers.set(key, answer, JSON.stringify(answer).length * 2);
    return answer;
  };

  /** People of a repo as of a version of the entity's data; a newer version starts with nobody. */
  const peopleOf = (entityId: number, repoId: number, version: number): Map<number, HistoryPerson> => {
    const key = `${entityId}:${repoId}:${version}`;
    let known = people.get(key);
    if (known === undefined) {
      const total = [...people.values()].reduce((sum, each) => sum + each.size, people.size);
      if (total > MOST_PEOPLE) people.clear();
      known = new Map();
      people.set(key, known);
    }
    return known;
  };

  return {
    async read(grant, input) {
      const entityId = grant.entity.id;
      const { category_rules: rules, time_zone: zone } = grant.settings;
      const [repoIds, version] = await Promise.all([
        findResources(db, entityId, grant.paths).then((resources) => listRepoIds(db, entityId, resources)),
        readDataVersion(db, entityId),
      ]);
      const repo = requireOneRepo(grant, await listReadableRepos(db, entityId, repoIds, NAMED_REPOS + 1));
      const question = toQuestion(input, zone);
      if (mirrors === undefined) throw new Error('there is no place for copies of repos');
      const mirrored = requireImported(entityId, repo);
      const known = peopleOf(entityId, repo.repo_id, version);

      const answer = async (): Promise<LineHistoryAnswer> => {
        const gitDir = await mirrors.locate(mirrored);
        return histories.use(gitDir, rules, async (history) => {
          const answered = await recall(gitDir, rules, history, question);
          const trace: TraceVersion = async (sha, path, lineNumber) => {
            const at: LineQuestion = { sha, path, lineNumber, side: 'after', maxHops: 0, earliest: new Date(0) };
            const version = await recall(gitDir, rules, history, at).catch(unlessUnanswerable);
            return version?.line_history[0] ?? null;
          };
          const { sha } = await history.identify(question.sha);
          const place = {
            db,
            entityId,
            repoId: repo.repo_id,
            weights: weightsOf(grant.settings),
            people: known,
          };
          return {
            line_history: await completeHistory(place, answered, trace),
            ended_by: answered.ended_by,
            commit_sha: sha,
          };
        });
      };

      try {
        return await answer();
      } catch (error) {
        const isNew = error instanceof LineHistoryError && error.code === 'unknown_sha';
        try {
          if (isNew && (await mirrors.refresh(mirrored))) return await answer();
        } catch (second) {
          throw explain(second, repo);
        }
        throw explain(error, repo);
      }
    },
    close: () => histories.close(),
  };
}

function unlessUnanswerable(error: unknown): null {
  if (error instanceof LineHistoryError) return null;
  throw error;
}

function requireOneRepo({ entity, paths }: Grant<'member'>, repos: readonly ReadableRepo[]): ReadableRepo {
  const [first, second] = repos;
  const shown = paths.map(formatResourcePath).join(',');
  if (first === undefined) {
    throw new StrataError('not_found', `${shown} has no repo yet; import one first with POST /imports`);
  }
  if (second === undefined) return first;
  const names = repos.slice(0, NAMED_REPOS).map((repo) => `${entity.slug}/${formatRepoPath(repo)}`);
  const message =
    `${shown} covers several repos, and a line lies in one; expected one of ${names.join(', ')}` +
    (repos.length > NAMED_REPOS ? ' and others' : '');
  throw new StrataError('unprocessable', message, { errors: { resource_path: [message] } });
}

function requireImported(entityId: number, repo: ReadableRepo): MirroredRepo {
  if (repo.import_id === null) {
    throw new StrataError('unprocessable', `${formatRepoPath(repo)} was never imported; do so with POST /imports`);
  }
  return { entityId, importId: repo.import_id, path: { organization: repo.organization, repo: repo.repo } };
}

/** The number after the commit wins over the one before it. */
function toQuestion(input: LineHistoryInput, zone: string): LineQuestion {
  const after = input.line_number_after;
  const lineNumber = after ?? input.line_number_before;
  if (lineNumber === undefined) {
    const message = 'one of line_number_after and line_number_before is needed, a whole number from 1';
    throw new StrataError('invalid_parameter', message, { errors: { line_number_after: [message] } });
  }
  return {
    sha: input.sha,
    path: input.file_path,
    lineNumber,
    side: after === undefined ? 'before' : 'after',
    maxHops: input.max_hops,
    ...(input.earliest_authored_at === undefined
      ? {}
      : { earliest: DateTime.fromISO(input.earliest_authored_at, { zone }).toJSDate() }),
  };
}

function explain(error: unknown, repo: ReadableRepo): unknown {
  if (error instanceof LineHistoryError) {
    const fetched = repo.last_fetched_at === null ? 'never' : `at ${repo.last_fetched_at}`;
    const more = error.code === 'unknown_sha' ? ` as it was last fetched (${fetched})` : '';
    const message = `${error.message}${more}`;
    const errors = error.parameter === null ? {} : { errors: { [error.parameter]: [message] } };
    return new StrataError(CODES[error.code], message, errors);
  }
  if (error instanceof RepoAccessError) {
    return new StrataError('unprocessable', `this machine has no copy of the repo and got none: ${error.message}`);
  }
  return error;
}
