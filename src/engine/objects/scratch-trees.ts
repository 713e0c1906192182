// Trees that no repository holds, for questions to git about a choice of files: written as packs of git's into a folder of
// their own, which a git process reads in addition to the repository's objects. The repository is not touched.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathBytes } from '../git/quoted-path.ts';
import type { GitRepository } from '../git/run-git.ts';
import { TreePack } from './tree-pack.ts';

export interface ScratchFile {
  readonly path: string;
  /** As git prints it: 100644, 120000, … */
  readonly mode: string;
  readonly blob: string;
}

/** A folder while it is built; names are bytes as latin1 text. */
type Folder = Map<string, Folder | ScratchFile>;

export class ScratchTrees {
  readonly #repository: GitRepository;
  #objects: string | null = null;
  /** What is not written yet. */
  #pack: TreePack | null = null;
  #packCount = 0;
  readonly #known = new Set<string>();

  constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  /** The repository for a git that knows the trees, too. */
  get repository(): GitRepository {
    const { gitDir, environment } = this.#repository;
    return { gitDir, environment: { ...environment, GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#folder() } };
  }

  /** Answers the name of a tree with just these files, which git finds after `flush`. */
  add(files: Iterable<ScratchFile>): string {
    const root: Folder = new Map();
    for (const file of files) {
      const names = pathBytes(file.path).toString('latin1').split('/');
      const last = names.pop()!;
      let folder = root;
      for (const name of names) {
        const known = folder.get(name);
        const next: Folder = known instanceof Map ? known : new Map();
        folder.set(name, next);
        folder = next;
      }
      folder.set(last, file);
    }
    return this.#addFolder(root);
  }

  /**
   * Writes the trees added since the last time. Also a git that runs already finds them: it looks for new packs when it
   * misses an object. The index comes last, for git takes a pack for complete that has one.
   */
  flush(): void {
    if (this.#pack === null) return;
    const { pack, index } = this.#pack.finish();
    const name = join(this.#folder(), 'pack', `pack-${this.#packCount}`);
    writeFileSync(`${name}.pack`, pack);
    writeFileSync(`${name}.idx`, index);
    this.#pack = null;
    this.#packCount++;
  }

  /** An arrow function, for it also runs when the process ends before somebody closes it. */
  readonly close = (): void => {
    process.off('exit', this.close);
    if (this.#objects !== null) rmSync(this.#objects, { recursive: true, force: true });
    this.#objects = null;
    this.#pack = null;
    this.#known.clear();
  };

  #folder(): string {
    if (this.#objects === null) {
      this.#objects = mkdtempSync(join(tmpdir(), 'strata-trees-'));
      mkdirSync(join(this.#objects, 'pack'));
      process.on('exit', this.close);
    }
    return this.#objects;
  }

  #addFolder(folder: Folder): string {
    const entries = [...folder].map(([name, entry]) =>
      entry instanceof Map
        ? { key: `${name}/`, head: `40000 ${name}\0`, id: this.#addFolder(entry) }
        : { key: name, head: `${entry.mode} ${name}\0`, id: entry.blob },
    );
    // Git sorts by bytes, a folder as if its name ended with a slash.
    entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    let length = 0;
    for (const { head, id } of entries) length += head.length + id.length / 2;
    const tree = Buffer.allocUnsafe(length);
    let at = 0;
    for (const { head, id } of entries) {
      at += tree.write(head, at, 'latin1');
      at += tree.write(id, at, 'hex');
    }
    return this.#addTree(tree, entries[0]?.id.length === 64 ? 'sha256' : 'sha1');
  }

  #addTree(tree: Buffer, algorithm: 'sha1' | 'sha256'): string {
    const pack = this.#pack ?? new TreePack(algorithm);
    const name = pack.nameOf(tree);
    if (this.#known.has(name)) return name;
    this.#known.add(name);
    pack.add(name, tree);
    this.#pack = pack;
    return name;
  }
}
