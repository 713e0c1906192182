// What git itself says: the origin of each line by `git blame`, and the counts by `git log --numstat`.
import type { GoldenRepo } from '../world/golden-repo.ts';

/** Full sha of the commit that wrote each line of the file, in order. */
export function blame(repo: Pick<GoldenRepo, 'gitBytes'>, sha: string, path: string): string[] {
  const text = repo.gitBytes('blame', '--porcelain', sha, '--', path).toString('latin1');
  const origins: string[] = [];
  for (const line of text.split('\n')) {
    const match = /^([0-9a-f]{40}) \d+ (\d+)/.exec(line);
    if (match) origins[Number(match[2]) - 1] = match[1]!;
  }
  return origins;
}

/** `sha path` → added and removed lines; binary files are left out. */
export function numstat(repo: Pick<GoldenRepo, 'gitBytes'>, ...range: string[]): Map<string, string> {
  const args = ['log', '--numstat', '-M', '-z', '--no-merges', '--format=commit %H', ...range];
  const result = new Map<string, string>();
  let sha = '';
  const tokens = repo
    .gitBytes(...args)
    .toString('utf8')
    .split('\0');
  for (let i = 0; i < tokens.length; i++) {
    let token = tokens[i]!.replace(/^\n/, '');
    const header = /^commit ([0-9a-f]{40})\n?/.exec(token);
    if (header) {
      sha = header[1]!;
      token = token.slice(header[0].length).replace(/^\n/, '');
    }
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(token);
    if (!counts) continue;
    // A rename has an empty path here and both paths after it.
    let path = counts[3]!;
    if (path === '') {
      path = tokens[i + 2]!;
      i += 2;
    }
    if (counts[1] !== '-') result.set(`${sha} ${path}`, `${counts[1]} ${counts[2]}`);
  }
  return result;
}
