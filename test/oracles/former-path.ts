// The former path of a new file as `git blame` finds it: one `git diff-tree -M` for that file alone among all files that
// the commit deletes.
import type { ChangeList, FormerFile } from '../../src/engine/trace/renames.ts';
import type { GoldenRepo } from '../world/golden-repo.ts';

export interface RenameQuestion {
  readonly commit: string;
  readonly parent: string;
  readonly changes: ChangeList;
}

export function formerByGit(
  repo: GoldenRepo,
  { commit, parent, changes }: RenameQuestion,
  path: string,
): FormerFile | undefined {
  const deleted = [...changes].filter(([, { status }]) => status === 'D').map(([former]) => former);
  const args = [
    'diff-tree',
    '-r',
    '-M',
    '-l1000',
    '--raw',
    '-z',
    '--no-abbrev',
    parent,
    commit,
    '--',
    path,
    ...deleted,
  ];
  const match = / ([0-9a-f]{40}) [0-9a-f]{40} R\d{3}\0([^\0]*)\0([^\0]*)\0/.exec(repo.git(...args));
  return match?.[3] === path ? { path: match[2]!, blob: match[1]! } : undefined;
}
