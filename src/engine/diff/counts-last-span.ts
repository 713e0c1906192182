// By which of two rules the installed git measures how alike two files are (compare/span-counts.ts).
import { type GitRepository, readGit } from '../git/run-git.ts';

/** Whether bytes behind the last line feed count, as they do from git 2.44 on. */
export async function countsLastSpan(repository: GitRepository): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec((await readGit(repository, ['version'])).toString('latin1')) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 44);
}
