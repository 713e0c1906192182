// The files that differ between two trees. Folders with the same sha are never opened.

import { isTree, listTree, type NamedEntry, type TreeEntry } from '../objects/tree-object.ts';
import type { ObjectStore } from './object-store.ts';

export interface FileChange {
  /** Bytes as latin1 text. */
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

export interface TreeComparison {
  readonly changes: readonly FileChange[];
  /** True when there were more than `maxChanges`; the list then holds only some of them. */
  readonly isCut: boolean;
}

const EMPTY = Buffer.alloc(0);
/** Folders nested deeper than any real one: a hostile tree may not overflow the stack. */
const MAX_DEPTH = 256;

export async function compareTrees(
  store: ObjectStore,
  beforeTree: string | null,
  afterTree: string | null,
  maxChanges: number,
): Promise<TreeComparison> {
  const changes: FileChange[] = [];
  let isCut = false;

  const compare = async (before: string | null, after: string | null, folder: string, depth: number): Promise<void> => {
    if (before === after || isCut) return;
    if (depth > MAX_DEPTH) {
      isCut = true;
      return;
    }
    const [beforeBytes, afterBytes] = await Promise.all([
      before === null ? EMPTY : store.tree(before),
      after === null ? EMPTY : store.tree(after),
    ]);
    const old = new Map<string, NamedEntry>();
    for (const entry of listTree(beforeBytes, (before ?? '').length / 2)) old.set(entry.name, entry);
    for (const entry of listTree(afterBytes, (after ?? '').length / 2)) {
      const was = old.get(entry.name) ?? null;
      old.delete(entry.name);
      await changed(was, entry, folder, depth);
    }
    for (const entry of old.values()) await changed(entry, null, folder, depth);
  };

  const changed = async (
    before: NamedEntry | null,
    after: NamedEntry | null,
    folder: string,
    depth: number,
  ): Promise<void> => {
    if (isCut || (before?.sha === after?.sha && before?.mode === after?.mode)) return;
    const path = folder + (after ?? before)!.name;
    const wasTree = before !== null && isTree(before.mode);
    const willBeTree = after !== null && isTree(after.mode);
    if (wasTree || willBeTree) {
      await compare(wasTree ? before.sha : null, willBeTree ? after.sha : null, `${path}/`, depth + 1);
    }
    const file = { path, before: wasTree ? null : before, after: willBeTree ? null : after };
    if (file.before === null && file.after === null) return;
    if (changes.length >= maxChanges) {
      isCut = true;
      return;
    }
    changes.push(file);
  };

  await compare(beforeTree, afterTree, '', 0);
  return { changes, isCut };
}
