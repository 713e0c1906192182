// Trees that no repository holds, for questions to git about a choice of files: written as git's loose objects into a
// folder of their own, which a git process reads in addition to the repository's objects. The repository is not touched.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pathBytes } from '../git/quoted-path.ts';
import type { GitRepository } from '../git/run-git.ts';

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
  readonly #written = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  /** The repository for a git that knows the trees, too. */
  get repository(): GitRepository {
    const { gitDir, environment } = this.#repository;
    return { gitDir, environment: { ...environment, GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#folder() } };
  }

  /** Answers the name of a tree with just these files. */
  write(files: Iterable<ScratchFile>): string {
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
    return this.#writeFolder(root);
  }

  /** An arrow function, for it also runs when the process ends before somebody closes it. */
  readonly close = (): void => {
    process.off('exit', this.close);
    if (this.#objects !== null) rmSync(this.#objects, { recursive: true, force: true });
    this.#objects = null;
    this.#written.clear();
    this.#folders.clear();
  };

  #folder(): string {
    if (this.#objects === null) {
      this.#objects = mkdtempSync(join(tmpdir(), 'strata-trees-'));
      process.on('exit', this.close);
    }
    return this.#objects;
  }

  #writeFolder(folder: Folder): string {
    const entries = [...folder].map(([name, entry]) =>
      entry instanceof Map
        ? { key: `${name}/`, head: `40000 ${name}\0`, id: this.#writeFolder(entry) }
        : { key: name, head: `${entry.mode} ${name}\0`, id: entry.blob },
    );
    // Git sorts by bytes, a folder as if its name ended with a slash.
    entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    const parts = entries.flatMap(({ head, id }) => [Buffer.from(head, 'latin1'), Buffer.from(id, 'hex')]);
    const idLength = entries[0]?.id.length ?? 40;
    return this.#writeObject(Buffer.concat(parts), idLength === 64 ? 'sha256' : 'sha1');
  }

  #writeObject(tree: Buffer, algorithm: 'sha1' | 'sha256'): string {
    const bytes = Buffer.concat([Buffer.from(`tree ${tree.length}\0`, 'latin1'), tree]);
    const id = createHash(algorithm).update(bytes).digest('hex');
    if (this.#written.has(id)) return id;
    this.#written.add(id);
    const folder = join(this.#folder(), id.slice(0, 2));
    if (!this.#folders.has(folder)) mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
    writeFileSync(join(folder, id.slice(2)), deflateSync(bytes, { level: 1 }));
    return id;
  }
}
