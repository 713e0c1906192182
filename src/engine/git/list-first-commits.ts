// When each author of a history wrote their first commit, from headers alone: who somebody is does not depend on how
// much of the history is analyzed.
import { identityKey } from '../identity/read-identity.ts';
import { readPersonField } from './list-commits.ts';
import { type GitRepository, spawnGit } from './run-git.ts';

/** A clock that was never set says nothing about anybody. */
const EARLIEST_SECONDS = 86_400;

/** Seconds since 1970 by the key of the mailmapped author. `mailmapAt` is a full sha. */
export async function listFirstCommits(
  repository: GitRepository,
  heads: readonly string[],
  mailmapAt: string,
): Promise<Map<string, number>> {
  const firsts = new Map<string, number>();
  if (heads.length === 0) return firsts;
  const git = spawnGit(repository, [
    '-c',
    `mailmap.blob=${mailmapAt}:.mailmap`,
    'log',
    // Before --stdin, or it holds only for what comes behind.
    '--ignore-missing',
    '--stdin',
    '--no-patch',
    '--format=tformat:%at%x00%aN%x00%aE',
  ]);
  git.stdin.end(`${heads.join('\n')}\n`);
  // The same few people write most commits.
  const keys = new Map<string, string>();
  let rest = '';
  git.stdout.setEncoding('utf8');
  for await (const chunk of git.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [seconds = '', name = '', email = ''] = line.split('\0');
      const at = Number(seconds);
      if (!(at >= EARLIEST_SECONDS)) continue;
      const who = `${email}\0${name}`;
      let key = keys.get(who);
      if (key === undefined) {
        key = identityKey({ name: readPersonField(name), email: readPersonField(email) });
        keys.set(who, key);
      }
      const known = firsts.get(key);
      if (known === undefined || at < known) firsts.set(key, at);
    }
  }
  await git.done;
  return firsts;
}
