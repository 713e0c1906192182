// From a source to a mirror that is up to date, and what its branches are now.
import { join } from 'node:path';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { Derivation } from '../../domain/commits/derivation.ts';
import {
  formatRepoPath,
  RepoAccessError,
  type RepoPath,
  type RepoSource,
  type WantedRepo,
} from '../../domain/repos/source.ts';
import { chooseBranches, findOrphansOnce, type LeftOutBranch } from '../../engine/git/counted-branches.ts';
import { type ListedTag, listTags } from '../../engine/git/list-shas.ts';
import {
  isMirrorWhole,
  type MirrorOptions,
  mirrorRepository,
  readSourceRefs,
  updateMirror,
} from '../../engine/git/mirror.ts';
import { chooseDefaultBranch, type Refs } from '../../engine/git/refs.ts';
import { chooseReleased } from '../../engine/git/released-heads.ts';
import type { GitRepository } from '../../engine/git/run-git.ts';
import { type ObjectFiles, readObjectFiles } from '../../engine/objects/object-files.ts';

export interface ImportSettings {
  readonly mirrorsFolder: string;
  readonly childEnvironment: Readonly<Record<string, string>>;
  readonly mirrorLimitBytes: number;
  readonly fetchTimeoutSeconds: number;
  readonly knownHostsFile: string;
  readonly refreshMinutes: number;
  readonly batchBytes: number;
  /** Threads of an analysis; null takes one for every two processors. */
  readonly threads: number | null;
  /** What facts are derived under. */
  readonly derivation: Derivation;
  /** Waits between attempts; tests shorten them. */
  readonly retrySeconds: readonly number[];
}

export const mirrorFolder = (
  settings: Pick<ImportSettings, 'mirrorsFolder'>,
  entityId: number,
  importId: number,
): string => join(settings.mirrorsFolder, String(entityId), `${importId}.git`);

export interface FetchedRefs {
  readonly repository: GitRepository;
  readonly defaultBranch: string;
  readonly defaultHead: string;
  /** Branch name → sha. */
  readonly heads: ReadonlyMap<string, string>;
  readonly tags: readonly ListedTag[];
  /** The files of the mirror, and of what it borrows from, before anything is read from them. */
  readonly files: ObjectFiles;
  /**
   * Whether an object can be missing although the mirror is whole: it borrows from a folder that may be damaged, or it was
   * made just now from a source that lacks the object. A fetched mirror that is older has lost it.
   */
  readonly mayLackObjects: boolean;
}

/** The heads are those of the branches that count. */
export interface MirroredRefs extends FetchedRefs {
  readonly leftOut: readonly LeftOutBranch[];
  /** Shas of the branches that are left out. */
  readonly leftOutHeads: readonly string[];
}

const BRANCH_PREFIX = 'refs/heads/';
/** Digits of a name. Mirrors, packs and stored commits hold no longer ones. */
const SHA1_DIGITS = 40;

/** Proves that the source can be read and has something to analyse, which can be stored. */
export async function readExternalRefs(
  source: RepoSource,
  entityId: number,
  path: WantedRepo,
  options: MirrorOptions,
): Promise<{ address: Awaited<ReturnType<RepoSource['cloneAddress']>>; refs: Refs }> {
  const address = await source.cloneAddress(entityId, path);
  const refs = await readSourceRefs(address, options);
  if (![...refs.shas.keys()].some((name) => name.startsWith(BRANCH_PREFIX))) {
    throw new RepoAccessError(
      'empty',
      `${formatRepoPath(path)} has no branch with a commit; push to it and ask for the import again`,
    );
  }
  if ([...refs.shas.values()].some((sha) => sha.length > SHA1_DIGITS)) {
    throw new RepoAccessError(
      'unsupported',
      `${formatRepoPath(path)} has SHA-256 objects, and only repositories with SHA-1 objects can be imported; strata analyze reads a clone of it`,
    );
  }
  return { address, refs };
}

export async function bringMirrorUpToDate(
  external: Awaited<ReturnType<typeof readExternalRefs>>,
  path: RepoPath,
  options: MirrorOptions,
): Promise<FetchedRefs> {
  const { address, refs } = external;
  const isNew = !(await isMirrorWhole(options.gitDir));
  const mirrored = await updateMirror(address, refs, options);
  const repository = mirrorRepository(options);
  const files = await readObjectFiles(options.gitDir);
  // A copy that is removed meanwhile looks as if the source had lost its objects.
  const isBorrowing = address.kind !== 'folder' || files.alternates !== null;
  if (!isBorrowing || !(await isMirrorWhole(options.gitDir))) {
    const message = `the copy of ${formatRepoPath(path)} was removed while it was brought up to date`;
    throw new RepoAccessError('transient', message);
  }
  const wanted = chooseDefaultBranch(refs);
  const defaultHead = wanted === null ? undefined : mirrored.shas.get(wanted);
  if (wanted === null || defaultHead === undefined) {
    throw new RepoAccessError(
      'no_default_branch',
      `the default branch ${wanted?.slice(BRANCH_PREFIX.length) ?? ''} of ${formatRepoPath(path)} points to ${
        wanted === null ? 'nothing' : refs.shas.get(wanted)
      }, which cannot be read; repair the repository (git fsck shows what is missing) and ask for the import again`,
    );
  }
  const heads = new Map<string, string>();
  for (const [name, sha] of mirrored.shas) {
    if (name.startsWith(BRANCH_PREFIX)) heads.set(name.slice(BRANCH_PREFIX.length), sha);
  }
  const tags = await listTags(repository);
  return {
    repository,
    defaultBranch: wanted.slice(BRANCH_PREFIX.length),
    defaultHead,
    heads,
    tags,
    files,
    mayLackObjects: isNew || address.kind === 'folder',
  };
}

/** Sets the branches aside whose commits do not count. */
export async function leaveOutBranches(refs: FetchedRefs, patterns: readonly string[]): Promise<MirroredRefs> {
  const { repository, defaultBranch, defaultHead, heads } = refs;
  const branches = { defaultBranch, head: defaultHead, tips: heads };
  const { tips, leftOut } = await chooseBranches(repository, branches, patterns, findOrphansOnce);
  return { ...refs, heads: tips, leftOut, leftOutHeads: leftOut.map(({ name }) => heads.get(name)!) };
}

/** What the repo's settings make a release: tags by their pattern, and release branches. */
export function listReleasedHeads(
  { heads, tags }: MirroredRefs,
  rules: Pick<EntitySettings, 'release_tag_pattern' | 'release_branches' | 'release_branch_prefixes'>,
): string[] {
  const isReleased = (name: string) =>
    rules.release_branches.includes(name) || rules.release_branch_prefixes.some((prefix) => name.startsWith(prefix));
  const branches = [...heads].filter(([name]) => isReleased(name)).map(([, sha]) => sha);
  return [...chooseReleased(tags, rules.release_tag_pattern), ...branches];
}
