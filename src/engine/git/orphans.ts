// Branches that share no commit with the default branch: published pages, checkpoints of agents, status boards.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listShas } from './list-shas.ts';
import type { GitRepository } from './run-git.ts';

export type FindOrphans = (
  repository: GitRepository,
  head: string,
  heads: ReadonlySet<string>,
) => Promise<ReadonlySet<string>>;

/** Heads that share no commit with the default branch. In a shallow clone what they share may have been cut off. */
export const findOrphans: FindOrphans = async (repository, head, heads) => {
  const others = [...heads].filter((sha) => sha !== head);
  if (others.length === 0 || isShallow(repository)) return new Set();
  const { shas, children } = await listShas(repository, others, [head]);
  const apart = new Set(shas);
  // From the commits of the default branch upwards: what is reached shares them.
  const joined = new Set([...children.keys()].filter((parent) => !apart.has(parent)));
  for (const sha of joined) for (const child of children.get(sha) ?? []) joined.add(child);
  return new Set(others.filter((sha) => apart.has(sha) && !joined.has(sha)));
};

const isShallow = ({ gitDir }: GitRepository): boolean => existsSync(join(gitDir, 'shallow'));

/** In a mirror: what was found last, and for which heads. */
const MEMORY = 'strata-orphans';

/** The same in a mirror, which remembers it: while no branch moves, git need not walk their commits again. */
export const findOrphansOnce: FindOrphans = async (repository, head, heads) => {
  if (heads.size < 2 || isShallow(repository)) return findOrphans(repository, head, heads);
  const key = createHash('sha256')
    .update([head, ...[...heads].sort()].join())
    .digest('hex');
  const file = join(repository.gitDir, MEMORY);
  const [known, ...remembered] = (await readFile(file, 'latin1').catch(() => '')).split('\n');
  if (known === key) return new Set(remembered);
  const orphans = await findOrphans(repository, head, heads);
  // Without it the next import walks again.
  await writeFile(`${file}.new`, [key, ...orphans].join('\n'))
    .then(() => rename(`${file}.new`, file))
    .catch(() => {});
  return orphans;
};
