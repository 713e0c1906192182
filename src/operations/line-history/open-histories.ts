// The repos whose objects are open for reading. A few are kept, each with one git process, its caches and
// an index of paths that is built once, in the background; the one that was not asked for longest goes.
import { stat } from 'node:fs/promises';
import { type LineHistoryOptions, type OpenLineHistory, openLineHistory } from '../../engine/line-history/index.ts';
import type { Log } from '../../kit/log.ts';

const MOST_OPEN = 4;
const MEGABYTE = 1024 * 1024;
/** Per repo. */
const CACHE = { commitBytes: 16 * MEGABYTE, treeBytes: 32 * MEGABYTE, blobBytes: 32 * MEGABYTE };

interface OpenRepo {
  readonly history: Promise<OpenLineHistory>;
  users: number;
  isDropped: boolean;
}

export type PathRules = NonNullable<LineHistoryOptions['pathRules']>;

export interface OpenHistories {
  /** Runs `use` on the repo's open history, which stays open as long as that takes. */
  use<T>(gitDir: string, pathRules: PathRules, use: (history: OpenLineHistory) => Promise<T>): Promise<T>;
  close(): void;
}

export function createOpenHistories(environment: Readonly<Record<string, string>>, log: Log): OpenHistories {
  const open = new Map<string, OpenRepo>();
  let indexing: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** One at a time: an index costs as much as a few readings of the whole log. */
  const indexLater = (gitDir: string, repo: OpenRepo): void => {
    indexing = indexing
      .then(async () => {
        if (repo.isDropped || isClosed) return;
        await (await repo.history).buildIndex();
      })
      .catch((error: unknown) =>
        log.warn({ err: error, gitDir }, 'a repo has no index of paths; questions take longer'),
      );
  };

  const closeWhenIdle = (repo: OpenRepo): void => {
    repo.isDropped = true;
    if (repo.users === 0) void repo.history.then((history) => history.close()).catch(() => undefined);
  };

  const acquire = (key: string, gitDir: string, pathRules: PathRules): OpenRepo => {
    let repo = open.get(key);
    if (repo === undefined) {
      repo = {
        history: openLineHistory(gitDir, { environment, cache: CACHE, pathRules }),
        users: 0,
        isDropped: false,
      };
      repo.history.catch(() => open.delete(key));
      indexLater(gitDir, repo);
    } else open.delete(key);
    open.set(key, repo);
    for (const [oldest, idle] of open) {
      if (open.size <= MOST_OPEN) break;
      open.delete(oldest);
      closeWhenIdle(idle);
    }
    return repo;
  };

  return {
    async use(gitDir, pathRules, use) {
      // A mirror that was made anew has the old one's name but not its number.
      const { ino } = await stat(gitDir);
      const repo = acquire(JSON.stringify([gitDir, ino, pathRules]), gitDir, pathRules);
      repo.users++;
      try {
        return await use(await repo.history);
      } finally {
        repo.users--;
        if (repo.isDropped) closeWhenIdle(repo);
      }
    },
    close() {
      isClosed = true;
      for (const repo of open.values()) closeWhenIdle(repo);
      open.clear();
    },
  };
}
