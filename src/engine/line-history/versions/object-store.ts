// Commits, trees and blobs, parsed and cached within byte budgets. Repeated questions about one
// repository are answered from here without asking git.

import { MISSING_OBJECTS_REMEDY } from '../../../domain/repos/missing-objects.ts';
import { createByteLru } from '../../../kit/byte-lru.ts';
import type { BlobComparer } from '../../diff/blob-comparer.ts';
import { orElse } from '../../git/run-git.ts';
import type { PackedKind } from '../../objects/blob-store.ts';
import { type Commit, parseCommit } from '../../objects/commit-object.ts';
import { hasBlob, isTree } from '../../objects/object-kinds.ts';
import { type GitObject, type ObjectReader, ObjectUnreadable } from '../../objects/object-reader.ts';
import { TextLines } from '../../objects/text-lines.ts';
import { findTreeEntry, type TreeEntry } from '../../objects/tree-object.ts';
import { LineHistoryError } from '../line-history-error.ts';

export interface ObjectStore {
  /** A user's sha, full or abbreviated. */
  resolveCommit(sha: string): Promise<Commit>;
  commit(sha: string): Promise<Commit>;
  /** Null in an empty repository. */
  head(): Promise<Commit | null>;
  /** The tree of the notes under a ref; null when there are none. */
  notesTree(ref: string): Promise<string | null>;
  tree(sha: string): Promise<Buffer>;
  lines(blobSha: string): Promise<TextLines>;
  /** `path` is bytes as latin1 text, parts separated by slashes. */
  entryAt(treeSha: string, path: string): Promise<TreeEntry | null>;
  /**
   * From a commit whose file at `path` has this content, back along parents that have it too, as far as that is cheap to
   * tell: a commit that has it.
   */
  followFile(commit: Commit, path: string, blob: string): Promise<Commit>;
  /**
   * Loads the commits of that name (a sha or `<sha>~n`), their trees down to `path` and, if wanted, the
   * file itself, in a few round trips instead of one for each. What cannot be read is left for later.
   */
  readAhead(names: readonly string[], path: string, withFile: boolean): Promise<void>;
}

export interface CacheBudget {
  readonly commitBytes: number;
  readonly treeBytes: number;
  readonly blobBytes: number;
}

export const DEFAULT_CACHE_BUDGET: CacheBudget = {
  commitBytes: 16 * 1024 * 1024,
  treeBytes: 48 * 1024 * 1024,
  blobBytes: 64 * 1024 * 1024,
};

/** Commits that are passed in one go, which takes some milliseconds. */
const MOST_FOLLOWED = 1000;

const ABBREVIATED_SHA = /^[0-9a-f]{4,64}$/;
const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Objects that `packed` has are read in process. */
export function createObjectStore(
  reader: ObjectReader,
  budget: CacheBudget = DEFAULT_CACHE_BUDGET,
  packed: BlobComparer | null = null,
): ObjectStore {
  const commits = createByteLru<Commit>(budget.commitBytes);
  const trees = createByteLru<Buffer>(budget.treeBytes);
  const tables = createByteLru<TextLines>(budget.blobBytes);

  const readPacked = (sha: string, type: PackedKind): Buffer | null =>
    packed?.look(sha, (found) => Buffer.from(found), type) ?? null;

  const readAs = async (sha: string, type: PackedKind): Promise<GitObject> => {
    const bytes = readPacked(sha, type);
    if (bytes !== null) return { sha, type, bytes };
    let object: GitObject;
    try {
      object = await reader.read(sha);
    } catch (error) {
      if (!(error instanceof ObjectUnreadable)) throw error;
      const why =
        error.reason === 'too_large' ? 'is too large to be read' : `is missing or damaged; ${MISSING_OBJECTS_REMEDY}`;
      throw new LineHistoryError('missing_object', null, `the repository's ${type} ${sha} ${why}`, error);
    }
    if (object.type === type) return object;
    throw new LineHistoryError('missing_object', null, `${sha} is a ${object.type}, expected a ${type}`);
  };

  const keepCommit = (object: GitObject): Commit => {
    const known = commits.get(object.sha);
    if (known) return known;
    const commit = parseCommit(object.sha, object.bytes);
    commits.set(commit.sha, commit, object.bytes.length * 2 + 400);
    return commit;
  };

  /** By depth, what was last found: who follows a file passes many commits, most of which have the same folders. */
  const lastFound: { readonly tree: string; readonly name: string; readonly entry: TreeEntry | null }[] = [];
  const entryOf = async (tree: string, name: string, depth: number): Promise<TreeEntry | null> => {
    const last = lastFound[depth];
    if (last?.tree === tree && last.name === name) return last.entry;
    const entry = findTreeEntry(trees.get(tree) ?? (await store.tree(tree)), name, tree.length / 2);
    lastFound[depth] = { tree, name, entry };
    return entry;
  };

  const store: ObjectStore = {
    async resolveCommit(sha) {
      const wanted = sha.toLowerCase();
      if (!ABBREVIATED_SHA.test(wanted)) {
        throw new LineHistoryError(
          'unknown_sha',
          'sha',
          `sha: ${JSON.stringify(sha.slice(0, 80))} is not a commit sha; expected 4 to 64 hexadecimal digits`,
        );
      }
      const known = commits.get(wanted);
      if (known) return known;
      const bytes = FULL_SHA.test(wanted) ? readPacked(wanted, 'commit') : null;
      if (bytes !== null) return keepCommit({ sha: wanted, type: 'commit', bytes });
      try {
        return keepCommit(await reader.read(`${wanted}^{commit}`));
      } catch (error) {
        if (!(error instanceof ObjectUnreadable) || error.reason === 'closed') throw error;
        // Git calls a beginning shared by several commits missing here, and ambiguous only without the type.
        const isAmbiguous = await reader.read(wanted).then(
          () => false,
          (second: unknown) => second instanceof ObjectUnreadable && second.reason === 'ambiguous',
        );
        if (isAmbiguous) {
          throw new LineHistoryError(
            'ambiguous_sha',
            'sha',
            `sha: ${wanted} is the beginning of several objects; expected more digits`,
            error,
          );
        }
        throw new LineHistoryError('unknown_sha', 'sha', `sha: ${wanted} is no commit of this repository`, error);
      }
    },
    async commit(sha) {
      return commits.get(sha) ?? keepCommit(await readAs(sha, 'commit'));
    },
    async head() {
      // Asked anew each time: a push moves it.
      const object = await reader.read('HEAD^{commit}').catch(orElse(null));
      return object === null ? null : keepCommit(object);
    },
    async notesTree(ref) {
      const object = await reader.read(`${ref}^{tree}`).catch(orElse(null));
      if (object === null) return null;
      trees.set(object.sha, object.bytes, object.bytes.length + 150);
      return object.sha;
    },
    async tree(sha) {
      const known = trees.get(sha);
      if (known) return known;
      const { bytes } = await readAs(sha, 'tree');
      trees.set(sha, bytes, bytes.length + 150);
      return bytes;
    },
    async lines(sha) {
      const known = tables.get(sha);
      if (known) return known;
      const table = new TextLines((await readAs(sha, 'blob')).bytes);
      tables.set(sha, table, table.cost);
      return table;
    },
    async entryAt(treeSha, path) {
      const names = path.split('/');
      let sha = treeSha;
      for (const [depth, name] of names.entries()) {
        const entry = await entryOf(sha, name, depth);
        if (entry === null || depth === names.length - 1) return entry;
        if (!isTree(entry.mode)) return null;
        sha = entry.sha;
      }
      return null;
    },
    async followFile(commit, path, blob) {
      const sha = packed?.followFile(commit.sha, path, blob, MOST_FOLLOWED) ?? commit.sha;
      return sha === commit.sha ? commit : store.commit(sha);
    },
    async readAhead(names, path, withFile) {
      // What is older than a commit of a pack is in packs as a rule, and read without a round trip.
      if (packed?.hasAll(names.slice(0, 1).map((name) => name.replace(/~\d+$/, '')))) return;
      const settled = await Promise.allSettled(names.map((name) => commits.get(name) ?? reader.read(name)));
      const roots = settled.flatMap((each) => {
        if (each.status !== 'fulfilled') return [];
        if ('tree' in each.value) return [each.value.tree];
        return each.value.type === 'commit' ? [keepCommit(each.value).tree] : [];
      });
      let level = [...new Set(roots)];
      for (const part of path.split('/')) {
        const read = await Promise.allSettled(level.map((sha) => trees.get(sha) ?? store.tree(sha)));
        const below = new Set<string>();
        const files = new Set<string>();
        read.forEach((each, index) => {
          if (each.status !== 'fulfilled') return;
          const entry = findTreeEntry(each.value, part, level[index]!.length / 2);
          if (entry === null) return;
          if (isTree(entry.mode)) below.add(entry.sha);
          else if (hasBlob(entry.mode)) files.add(entry.sha);
        });
        if (withFile) await Promise.allSettled([...files].map((sha) => store.lines(sha)));
        level = [...below];
        if (level.length === 0) return;
      }
    },
  };
  return store;
}
