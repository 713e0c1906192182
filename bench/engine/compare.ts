// Compares the hunks that the kernel makes with those that git prints, over all file changes of repositories: how many
// are the same, how many stand elsewhere, how many have other totals, what is left to git, and the CPU time of both.
//
//   node --import ./bench/typescript.mjs bench/engine/compare.ts REPOSITORY… [--show 3] [--commits N]
import { spawn, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Kernel } from '../../src/engine/diff/kernel.ts';
import { BlobStore } from '../../src/engine/objects/blob-store.ts';
import { loadPackIndexes } from '../../src/engine/objects/pack-index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '0' }, commits: { type: 'string', default: '0' } },
});
/** As in an analysis. */
const RING_BYTES = 12 << 20;
const MIB = 1 << 20;
const SUBMODULE = ' 160000';

interface FileChange {
  readonly commit: string;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly hunks: number[];
}

/** Takes git's patches apart; tells each change of a file that is text on both sides. */
class PatchReader {
  #rest = '';
  #commit = '';
  #current: FileChange | null = null;
  readonly #tell: (change: FileChange) => void;
  commits = 0;

  constructor(tell: (change: FileChange) => void) {
    this.#tell = tell;
  }

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  end(): void {
    this.#read(this.#rest);
    this.#close();
  }

  #read(line: string): void {
    const first = line.charCodeAt(0);
    if (first === 0x2b || first === 0x2d || first === 0x5c) return;
    if (line.startsWith('@@ ')) this.#current?.hunks.push(...parseHunk(line));
    else if (line.startsWith('diff --git ')) this.#close();
    else if (line.startsWith('index ')) {
      const [oldBlob = '', newBlob = ''] = line.slice(6).split(' ')[0]!.split('..');
      const isBoth = !/^0+$/.test(oldBlob) && !/^0+$/.test(newBlob) && !line.endsWith(SUBMODULE);
      this.#current = isBoth ? { commit: this.#commit, oldBlob, newBlob, hunks: [] } : null;
    } else if (/^[0-9a-f]{40}$/.test(line)) {
      this.#close();
      this.#commit = line;
      this.commits++;
    }
  }

  #close(): void {
    if (this.#current !== null && this.#current.hunks.length > 0) this.#tell(this.#current);
    this.#current = null;
  }
}

function parseHunk(line: string): number[] {
  const [, oldFrom = '', oldCount = '1', newFrom = '', newCount = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  // Git counts lines from 1, and names the line before where there are none.
  const start = (from: string, count: string): number => Number(from) - (count === '0' ? 0 : 1);
  return [start(oldFrom, oldCount), Number(oldCount), start(newFrom, newCount), Number(newCount)];
}

function hasSameTotals(a: readonly number[], b: readonly number[]): boolean {
  const sum = (hunks: readonly number[], column: number): number =>
    hunks.reduce((total, number, i) => total + (i % 4 === column ? number : 0), 0);
  return sum(a, 1) === sum(b, 1) && sum(a, 3) === sum(b, 3);
}

/** Compares with the kernel, and counts how the answers relate to git's. */
class Tally {
  readonly #kernel = new Kernel(RING_BYTES);
  readonly #store: BlobStore;
  readonly #leftCommits = new Set<string>();
  readonly #otherCommits = new Set<string>();
  readonly #shown: string[] = [];
  files = 0;
  same = 0;
  hunks = 0;
  sameHunks = 0;
  elsewhere = 0;
  otherTotals = 0;
  left = 0;
  notAtHand = 0;
  bytes = 0;
  leftBytes = 0;
  microseconds = 0;

  constructor(path: string) {
    this.#store = new BlobStore(this.#kernel, loadPackIndexes(path));
    this.#kernel.calls.forget(1 << 16);
  }

  add({ commit, oldBlob, newBlob, hunks }: FileChange): void {
    this.files++;
    this.hunks += hunks.length / 4;
    const before = process.cpuUsage();
    const { ours, bytes } = this.#compare(oldBlob, newBlob);
    const spent = process.cpuUsage(before);
    this.microseconds += spent.user + spent.system;
    this.bytes += bytes;
    if (ours === null) {
      if (bytes === 0) this.notAtHand++;
      else this.left++;
      this.leftBytes += bytes;
      this.#leftCommits.add(commit);
      return;
    }
    if (isSame(ours, hunks)) {
      this.same++;
      this.sameHunks += hunks.length / 4;
      return;
    }
    this.sameHunks += countShared(ours, hunks);
    if (hasSameTotals(ours, hunks)) this.elsewhere++;
    else {
      this.otherTotals++;
      this.#otherCommits.add(commit);
    }
    if (this.#shown.length < Number(values.show))
      this.#shown.push(`${commit} git diff -U0 ${oldBlob} ${newBlob}\n    git  ${hunks}\n    ours ${ours}`);
  }

  #compare(oldBlob: string, newBlob: string): { ours: readonly number[] | null; bytes: number } {
    const { calls, words } = this.#kernel;
    const after = this.#store.read(newBlob);
    const before = after === null ? null : this.#store.read(oldBlob);
    if (after === null || before === null || !this.#store.ring.isHeld(after)) return { ours: null, bytes: 0 };
    const bytes = before.length + after.length;
    const count = calls.compareText(before.at, before.length, after.at, after.length, 0);
    const from = (calls.HUNKS.value >> 2) + calls.hunkWords();
    return { ours: count < 0 ? null : [...words.subarray(from, from + count)], bytes };
  }

  print(path: string, commits: number, gitSeconds: number): void {
    const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(3)} %`;
    const decided = this.files - this.left - this.notAtHand;
    const ours = this.microseconds / 1e6;
    console.log(`${path}: ${commits} commits, ${this.files} changes of text files, ${this.hunks} hunks`);
    console.log(`  same hunks    ${this.same} files, ${share(this.same, decided)} of ${decided} that were compared`);
    console.log(`  elsewhere     ${this.elsewhere} files with git's totals; ${this.sameHunks} hunks are the same`);
    console.log(`  other totals  ${this.otherTotals} files in ${this.#otherCommits.size} commits`);
    console.log(
      `  left to git   ${this.left} files (${this.notAtHand} more are not in a pack), ` +
        `${share(this.#leftCommits.size, commits)} of the commits, ${share(this.leftBytes, this.bytes)} of the bytes`,
    );
    console.log(
      `  CPU           ${ours.toFixed(2)} s for ${(this.bytes / MIB).toFixed(0)} MiB, ` +
        `${(ours / gitSeconds).toFixed(2)} of git's ${gitSeconds.toFixed(2)} s`,
    );
    for (const text of this.#shown) console.log(`  ${text}`);
  }

  close(): void {
    this.#store.close();
  }
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}

function countShared(a: readonly number[], b: readonly number[]): number {
  const names = (hunks: readonly number[]): string[] =>
    Array.from({ length: hunks.length / 4 }, (_, i) => hunks.slice(4 * i, 4 * i + 4).join());
  const known = new Set(names(a));
  return names(b).filter((name) => known.has(name)).length;
}

/** Git's patches of all commits, and the CPU seconds that it took for them. */
async function readPatches(path: string, shas: string, push: (chunk: string) => void): Promise<number> {
  const flags = '-r --root --stdin -p -U0 -M -l1000 --full-index --no-color --no-ext-diff --no-textconv';
  const script = `git -C "$0" diff-tree ${flags}; times >&3`;
  const child = spawn('sh', ['-c', script, path], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
  let times = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    times += chunk.toString();
  });
  // Where the repository lacks an object, git ends before it has read all.
  child.stdin?.on('error', () => {});
  child.stdin?.end(shas);
  child.stdout?.setEncoding('latin1');
  for await (const chunk of child.stdout ?? []) push(chunk as string);
  const seconds = [...(times.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return seconds.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
}

for (const path of positionals) {
  const most = Number(values.commits) > 0 ? [`-n${values.commits}`] : [];
  const list = ['-C', path, 'rev-list', 'HEAD', '--no-merges', ...most];
  const shas = spawnSync('git', list, { encoding: 'latin1', maxBuffer: 1 << 28 }).stdout;
  const tally = new Tally(path);
  const reader = new PatchReader((change) => tally.add(change));
  const seconds = await readPatches(path, shas, (chunk) => reader.push(chunk));
  reader.end();
  tally.print(path, reader.commits, seconds);
  tally.close();
}
