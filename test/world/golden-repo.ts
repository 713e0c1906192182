// Builds small bare repositories through `git fast-import`: fixed names, dates and therefore hashes.
//
//   const repo = goldenRepo()
//     .commit('base', { files: { 'a.txt': 'one\ntwo\n', 'run.sh': executable('#!/bin/sh\n') } })
//     .branch('topic')                                     // from the current tip, and switches to it
//     .commit('work', { rename: { 'a.txt': 'b.txt' }, files: { 'b.txt': 'one\n2\n' }, delete: ['run.sh'] })
//     .switch('main')
//     .commit('other', { author: 'Bo <bo@x.org>', at: '2024-03-01T10:00:00+02:00', message: 'fix: y\n' })
//     .merge('join', ['work'], { take: { 'b.txt': 'work' }, delete: ['a.txt'] })
//     .tag('v1', 'join', { message: 'annotated' })         // without a message it is a light tag
//     .note('ai', 'work', 'b.txt\n  h_0123456789abcd 1\n---\n{}')
//     .build();
//   repo.path; repo.sha('work'); repo.git('log', '--oneline'); repo.cleanup();
//
// A label is any text and names one commit. A commit's changes apply, in the order rename, copy, delete,
// take, files, to the tree of its first parent; `tree` instead replaces the whole tree. A merge starts from
// the first parent's tree: say with `take` which files come from which commit, or write them in `files`.
// Without dates, commits are an hour apart from 2024-01-01T12:00Z in the order they are written down.
// Git runs without system or user configuration. Leftover folders are removed when the process exits.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Bytes = string | Uint8Array;
export interface Entry {
  readonly mode: '100644' | '100755' | '120000' | '160000' | '040000';
  /** File bytes, symlink target, or for a submodule the sha it points at. */
  readonly content: Bytes;
}
export type Content = Bytes | Entry;
/** An object for ordinary paths, a list of pairs where a path is not valid UTF-8 or order matters. */
export type Files = Readonly<Record<string, Content>> | readonly (readonly [Bytes, Content])[];

export const executable = (content: Bytes): Entry => ({ mode: '100755', content });
export const symlink = (target: Bytes): Entry => ({ mode: '120000', content: target });
export const submodule = (sha: string): Entry => ({ mode: '160000', content: sha });

/** ISO text with its zone, seconds since 1970 (UTC), or seconds with minutes east of UTC. */
export type When = string | number | { readonly at: number; readonly zone: number };
/** `Name <email>`; bytes are written as they are. `<email>` alone is a missing name. */
export type Person = Bytes;

export interface CommitOptions {
  /** Branch to commit on; the current branch unless given. */
  readonly on?: string;
  /** Labels or full shas; the branch's tip unless given. An empty list makes a new root. */
  readonly parents?: readonly string[];
  readonly files?: Files;
  readonly tree?: Files;
  readonly delete?: readonly Bytes[];
  readonly rename?: Readonly<Record<string, string>>;
  readonly copy?: Readonly<Record<string, string>>;
  /** path → label: the file as it stands in that commit (removed if it has none). */
  readonly take?: Readonly<Record<string, string>>;
  readonly author?: Person;
  readonly committer?: Person;
  /** Both dates. */
  readonly at?: When;
  readonly authored?: When;
  readonly committed?: When;
  /** The label and a line feed unless given. Written as it is, bytes included. */
  readonly message?: Bytes;
  /** Value of the commit's encoding header. */
  readonly encoding?: string;
}

export interface GoldenRepo {
  /** The bare repository. */
  readonly path: string;
  readonly shas: Readonly<Record<string, string>>;
  /** The full sha of a label; an unknown label is an error. */
  sha(label: string): string;
  /** The label of a sha (for readable assertions), or the sha itself when it has none. */
  label(sha: string): string;
  /** Runs git in the repository; standard output as text without the last line feed. */
  git(...args: string[]): string;
  gitBytes(...args: string[]): Buffer;
  /** Clones into another folder of the same life time, e.g. clone('--depth', '2'); returns its path. */
  clone(...args: string[]): string;
  cleanup(): void;
}

const DEFAULT_PERSON = 'Ada Lovelace <ada@example.com>';
const FIRST_COMMIT_AT = Date.UTC(2024, 0, 1, 12) / 1000;

/** The environment git runs in: nothing of the machine's configuration, fixed zone and language. */
export function isolatedGitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada Lovelace',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada Lovelace',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: `${FIRST_COMMIT_AT} +0000`,
    GIT_COMMITTER_DATE: `${FIRST_COMMIT_AT} +0000`,
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}

function runGit(args: readonly string[], input?: Buffer): Buffer {
  return execFileSync('git', args, {
    env: isolatedGitEnvironment(),
    input: input ?? Buffer.alloc(0),
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
  });
}

interface Step {
  readonly label: string;
  readonly parents: readonly string[];
  readonly options: CommitOptions;
  readonly order: number;
}

export class GoldenRepoBuilder {
  readonly #head: string;
  #current: string;
  readonly #steps = new Map<string, Step>();
  /** Ref name → label or sha. */
  readonly #refs = new Map<string, string>();
  readonly #annotated: { name: string; label: string; message: Bytes; tagger: Person; at: When }[] = [];
  readonly #notes: { ref: string; label: string; text: Bytes }[] = [];

  constructor(head: string) {
    this.#head = head;
    this.#current = head;
  }

  /** Starts a branch at a label, or at the current branch's tip, and switches to it. */
  branch(name: string, from?: string): this {
    const start = from ?? this.#refs.get(`refs/heads/${this.#current}`);
    if (start === undefined) throw new Error(`branch ${name}: ${this.#current} has no commit to start from`);
    this.#refs.set(`refs/heads/${name}`, start);
    this.#current = name;
    return this;
  }

  switch(name: string): this {
    this.#current = name;
    return this;
  }

  deleteBranch(name: string): this {
    if (!this.#refs.delete(`refs/heads/${name}`)) throw new Error(`no branch ${name} to delete`);
    return this;
  }

  commit(label: string, options: CommitOptions = {}): this {
    if (this.#steps.has(label)) throw new Error(`two commits are labelled ${label}`);
    const ref = `refs/heads/${options.on ?? this.#current}`;
    const tip = this.#refs.get(ref);
    const parents = options.parents ?? (tip === undefined ? [] : [tip]);
    for (const parent of parents) this.#known(parent);
    this.#steps.set(label, { label, parents, options, order: this.#steps.size });
    this.#refs.set(ref, label);
    return this;
  }

  /** Merges the given labels into the branch; two or more of them make an octopus. */
  merge(label: string, others: readonly string[], options: Omit<CommitOptions, 'parents'> = {}): this {
    const branch = options.on ?? this.#current;
    const tip = this.#refs.get(`refs/heads/${branch}`);
    if (tip === undefined) throw new Error(`merge ${label}: ${branch} has no commit`);
    return this.commit(label, { ...options, parents: [tip, ...others] });
  }

  tag(name: string, label: string, options: { message?: Bytes; tagger?: Person; at?: When } = {}): this {
    this.#known(label);
    if (options.message === undefined) return this.ref(`refs/tags/${name}`, label);
    const { message, tagger = DEFAULT_PERSON, at = FIRST_COMMIT_AT } = options;
    this.#annotated.push({ name, label, message, tagger, at });
    return this;
  }

  /** Any other ref, e.g. refs/pull/1/head. */
  ref(name: string, label: string): this {
    this.#known(label);
    this.#refs.set(name, label);
    return this;
  }

  /** A note on a commit under refs/notes/<name>. */
  note(name: string, label: string, text: Bytes): this {
    this.#known(label);
    this.#notes.push({ ref: `refs/notes/${name}`, label, text });
    return this;
  }

  build(): GoldenRepo {
    const root = mkdtempSync(join(process.env.TEST_REPOS_FOLDER ?? tmpdir(), 'strata-golden-'));
    removeAtExit(root);
    const path = join(root, 'repo.git');
    const marksPath = join(root, 'marks');
    runGit(['init', '-q', '--bare', '--template=', `--initial-branch=${this.#head}`, path]);
    const importArgs = ['fast-import', '--quiet', '--force', '--date-format=raw-permissive', '--done'];
    runGit(['-C', path, ...importArgs, `--export-marks=${marksPath}`], this.#stream());
    const shas = this.#readShas(marksPath);
    const labels = new Map(Object.entries(shas).map(([label, sha]) => [sha, label]));
    let clones = 0;
    return {
      path,
      shas,
      sha: (label) => {
        const sha = shas[label];
        if (sha === undefined) throw new Error(`no commit is labelled ${label}`);
        return sha;
      },
      label: (sha) => labels.get(sha) ?? sha,
      gitBytes: (...args) => runGit(['-C', path, ...args]),
      git: (...args) =>
        runGit(['-C', path, ...args])
          .toString('utf8')
          .replace(/\n$/, ''),
      clone: (...args) => {
        clones += 1;
        const target = join(root, `clone-${clones}`);
        runGit(['clone', '-q', '--template=', ...args, `file://${path}`, target]);
        return target;
      },
      cleanup: () => {
        rmSync(root, { recursive: true, force: true });
        toRemove.delete(root);
      },
    };
  }

  #known(label: string): void {
    if (!this.#steps.has(label) && !/^[0-9a-f]{40}$/.test(label)) throw new Error(`no commit is labelled ${label}`);
  }

  #readShas(marksPath: string): Record<string, string> {
    const labels = [...this.#steps.keys()];
    const shas: Record<string, string> = {};
    for (const line of readFileSync(marksPath, 'utf8').split('\n')) {
      const [mark, sha] = line.split(' ');
      const label = labels[Number(mark?.slice(1)) - 1];
      if (label !== undefined && sha !== undefined) shas[label] = sha;
    }
    return shas;
  }

  #stream(): Buffer {
    const out: Bytes[] = [];
    const scratch = 'refs/golden/scratch';
    const name = (label: string): string => {
      const step = this.#steps.get(label);
      return step ? `:${step.order + 1}` : label;
    };
    for (const step of this.#steps.values()) {
      const { options, parents } = step;
      const fallback = FIRST_COMMIT_AT + step.order * 3600;
      const author = options.author ?? DEFAULT_PERSON;
      const authored = options.authored ?? options.at ?? fallback;
      if (parents.length === 0) out.push(`reset ${scratch}\n\n`);
      out.push(`commit ${scratch}\nmark :${step.order + 1}\n`);
      out.push('author ', author, ` ${rawDate(authored)}\n`);
      out.push('committer ', options.committer ?? author, ` ${rawDate(options.committed ?? options.at ?? authored)}\n`);
      if (options.encoding !== undefined) out.push(`encoding ${options.encoding}\n`);
      out.push(...data(options.message ?? `${step.label}\n`));
      for (const [index, parent] of parents.entries()) out.push(`${index === 0 ? 'from' : 'merge'} ${name(parent)}\n`);
      if (options.tree !== undefined) out.push('deleteall\n');
      for (const [from, to] of Object.entries(options.rename ?? {})) out.push('R ', quote(from), ' ', quote(to), '\n');
      for (const [from, to] of Object.entries(options.copy ?? {})) out.push('C ', quote(from), ' ', quote(to), '\n');
      for (const gone of options.delete ?? []) out.push('D ', quote(gone), '\n');
      for (const [file, label] of Object.entries(options.take ?? {})) {
        const entry = this.#entryAt(label, file);
        out.push(...(entry === undefined ? ['D ', quote(file), '\n'] : modify(file, entry)));
      }
      for (const [file, content] of pairs(options.tree)) out.push(...modify(file, content));
      for (const [file, content] of pairs(options.files)) out.push(...modify(file, content));
      out.push('\n');
    }
    for (const [ref, label] of this.#refs) out.push(`reset ${ref}\nfrom ${name(label)}\n\n`);
    for (const tag of this.#annotated) {
      out.push(`tag ${tag.name}\nfrom ${name(tag.label)}\n`, 'tagger ', tag.tagger, ` ${rawDate(tag.at)}\n`);
      out.push(...data(tag.message));
    }
    for (const note of this.#notes) {
      out.push(`commit ${note.ref}\ncommitter ${DEFAULT_PERSON} ${FIRST_COMMIT_AT} +0000\n`, ...data('notes\n'));
      out.push(`N inline ${name(note.label)}\n`, ...data(note.text), '\n');
    }
    if (this.#steps.size > 0) out.push(`reset ${scratch}\nfrom ${'0'.repeat(40)}\n\n`);
    out.push('done\n');
    return Buffer.concat(out.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }

  /** The file as written by the nearest first-parent ancestor that touched it. */
  #entryAt(label: string, path: string): Content | undefined {
    let step = this.#steps.get(label);
    while (step !== undefined) {
      const { options } = step;
      const written = pairs(options.files)
        .concat(pairs(options.tree))
        .find(([file]) => file === path);
      if (written) return written[1];
      const taken = options.take?.[path];
      if (taken !== undefined) return this.#entryAt(taken, path);
      if (options.tree !== undefined || options.delete?.includes(path)) return undefined;
      const from = Object.entries({ ...options.rename, ...options.copy }).find(([, to]) => to === path)?.[0];
      if (from !== undefined) path = from;
      else if (options.rename?.[path] !== undefined) return undefined;
      step = this.#steps.get(step.parents[0] ?? '');
    }
    return undefined;
  }
}

/** Starts a description; `head` is the default branch, whether or not it ever gets a commit. */
export function goldenRepo(head = 'main'): GoldenRepoBuilder {
  return new GoldenRepoBuilder(head);
}

function pairs(files: Files | undefined): (readonly [Bytes, Content])[] {
  if (files === undefined) return [];
  return isPairList(files) ? [...files] : Object.entries(files);
}

function isPairList(files: Files): files is readonly (readonly [Bytes, Content])[] {
  return Array.isArray(files);
}

function modify(file: Bytes, content: Content): Bytes[] {
  const entry: Entry =
    typeof content === 'string' || content instanceof Uint8Array ? { mode: '100644', content } : content;
  if (entry.mode === '160000') return ['M 160000 ', entry.content, ' ', quote(file), '\n'];
  return [`M ${entry.mode} inline `, quote(file), '\n', ...data(entry.content)];
}

function data(content: Bytes): Bytes[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n'];
}

/** C-style quoting as fast-import reads it; every unusual byte as an octal escape. */
function quote(path: Bytes): string {
  const bytes = typeof path === 'string' ? Buffer.from(path) : path;
  let text = '"';
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `${text}"`;
}

function rawDate(when: When): string {
  if (typeof when === 'number') return `${when} +0000`;
  if (typeof when === 'string') {
    const millis = Date.parse(when);
    const zone = /(?:Z|([+-])(\d\d):?(\d\d))$/.exec(when);
    if (Number.isNaN(millis) || !zone) throw new Error(`date ${when}: write ISO 8601 with a zone`);
    return `${Math.floor(millis / 1000)} ${zone[1] ?? '+'}${zone[2] ?? '00'}${zone[3] ?? '00'}`;
  }
  const minutes = Math.abs(when.zone);
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${when.at} ${when.zone < 0 ? '-' : '+'}${hours}${String(minutes % 60).padStart(2, '0')}`;
}

const toRemove = new Set<string>();

function removeAtExit(folder: string): void {
  if (toRemove.size === 0) process.once('exit', removeLeftovers);
  toRemove.add(folder);
}

function removeLeftovers(): void {
  for (const folder of toRemove) rmSync(folder, { recursive: true, force: true });
}
