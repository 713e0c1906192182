// The refs of a repository as a map from full name to full sha, with HEAD's branch. Only branches, tags
// and notes matter to Strata; hosts keep far more under refs/pull/ and the like.
import { type GitRepository, readGit } from './run-git.ts';

export interface Refs {
  /** Full ref name of HEAD's branch, or null when HEAD is detached or unknown. */
  readonly head: string | null;
  readonly shas: ReadonlyMap<string, string>;
}

export const MIRRORED = ['refs/heads/', 'refs/tags/', 'refs/notes/'] as const;

export const isMirrored = (name: string): boolean => MIRRORED.some((prefix) => name.startsWith(prefix));

export async function readRefs(repository: GitRepository): Promise<Refs> {
  const [listed, head] = await Promise.all([
    readGit(repository, ['for-each-ref', '--format=%(objectname) %(refname)', ...MIRRORED]),
    readGit(repository, ['symbolic-ref', '--quiet', 'HEAD']).then(
      (answer) => answer.toString('utf8').trim() || null,
      () => null,
    ),
  ]);
  const shas = new Map<string, string>();
  for (const line of listed.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) shas.set(line.slice(space + 1), line.slice(0, space));
  }
  return { head, shas };
}

/** Reads what `git ls-remote --symref` prints. */
export function parseRemoteRefs(text: string): Refs {
  const shas = new Map<string, string>();
  let head: string | null = null;
  let headSha: string | null = null;
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const [left, name] = [line.slice(0, tab), line.slice(tab + 1)];
    if (left.startsWith('ref: ')) {
      // The word of a host: what names no branch could be an option.
      if (name === 'HEAD' && left.startsWith('ref: refs/heads/')) head = left.slice(5);
    } else if (name === 'HEAD') headSha = left;
    else if (isMirrored(name) && !name.endsWith('^{}') && /^[0-9a-f]{40,64}$/.test(left)) shas.set(name, left);
  }
  // Old servers do not name HEAD's branch: the usual names first, then any branch with HEAD's commit.
  if (head === null && headSha !== null) {
    const same = [...shas].filter(([name, sha]) => name.startsWith('refs/heads/') && sha === headSha).map(([n]) => n);
    head = ['refs/heads/main', 'refs/heads/master'].find((name) => same.includes(name)) ?? same.sort()[0] ?? null;
  }
  return { head, shas };
}

export function sameRefs(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, sha] of a) if (b.get(name) !== sha) return false;
  return true;
}

/** The branch to analyse first: HEAD's where it exists, else the usual names, else the first by name. */
export function chooseDefaultBranch(refs: Refs): string | null {
  if (refs.head !== null && refs.shas.has(refs.head)) return refs.head;
  const branches = [...refs.shas.keys()].filter((name) => name.startsWith('refs/heads/')).sort();
  const usual = ['main', 'master', 'trunk', 'develop'].map((name) => `refs/heads/${name}`);
  return usual.find((name) => refs.shas.has(name)) ?? branches[0] ?? null;
}
