// Samples changed lines by operation, with what a reader needs to judge them: the hunk, and for a copy the place it was
// copied from. Writes JSON lines; test/engine/judge/judged-lines.jsonl was made with it.
//   node --import ./bench/typescript.mjs bench/truth/sample-lines.ts REPO… [--each 30] [--seed N]
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { DiffStreamParser } from '../../src/engine/diff/diff-stream.ts';
import { DIFF_STREAM_FLAGS } from '../../src/engine/diff/streamed-commit.ts';
import { createClassifier } from '../../src/engine/judge/classify-commit.ts';
import { fileColumn, LINE_OP, LINE_OP_MASK } from '../../src/engine/model/classified.ts';
import type { LineBlock } from '../../src/engine/model/diff.ts';

const args = process.argv.slice(2);
const option = (name: string, fallback: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const each = option('--each', 30);
const seed = option('--seed', 1);
const COMMITS = 400;
const AROUND = 6;

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const git = (gitDir: string, command: readonly string[], input = ''): Buffer =>
  spawnSync('git', ['--git-dir', gitDir, ...command], { input, maxBuffer: 1 << 30 }).stdout;
const textOf = (block: LineBlock, line: number): string =>
  Buffer.from(block.bytes.subarray(block.starts[line], block.ends[line])).toString('utf8');

interface Sampled {
  readonly repo: string;
  readonly sha: string;
  readonly path: string;
  readonly operation: string;
  readonly text: string;
  /** For a pair: its removed line. For a copy: the lines around the first occurrence. */
  readonly from: string | null;
  /** Removed and added lines of its hunk around it. */
  readonly hunk: readonly string[];
}

const NAMES = Object.entries(LINE_OP).map(([name, code]) => ({ name, code }));
const perRepository = new Map<string, Sampled[][]>();
for (const gitDir of args) {
  const repo = basename(dirname(gitDir)).replace('+', '/');
  const shas = git(gitDir, ['rev-list', '--no-merges', 'HEAD']).toString().trim().split('\n');
  const chosen = Array.from({ length: COMMITS }, () => shas[Math.floor(random() * shas.length)]!);
  const found: Sampled[][] = NAMES.map(() => []);
  const classifier = createClassifier();
  const parser = new DiffStreamParser((commit) => {
    const classified = classifier.classify(commit, { attributes: null });
    const ofCommit: Sampled[][] = NAMES.map(() => []);
    const places = new Map<string, { readonly path: string; readonly block: LineBlock; readonly at: number }>();
    for (const [i, file] of commit.files.entries()) {
      const path = file.newPath ?? file.oldPath ?? '';
      if (file.limited !== null) continue;
      let removed = 0;
      let added = 0;
      for (let hunk = 0; hunk < file.hunks.length; hunk += 4) {
        const [, removedCount = 0, , addedCount = 0] = file.hunks.subarray(hunk, hunk + 4);
        const side = (block: LineBlock, from: number, count: number, sign: string, middle: number) =>
          Array.from({ length: count }, (_, k) => k)
            .filter((k) => Math.abs(k - middle) <= AROUND)
            .map((k) => `${sign}${textOf(block, from + k)}`);
        const note = (sign: '-' | '+', k: number, from: string | null) => {
          const [block, start, ops] =
            sign === '-'
              ? ([file.removed, removed, classified.removedOps] as const)
              : ([file.added, added, classified.addedOps] as const);
          const first = fileColumn(classified, i, sign === '-' ? 'removedStart' : 'addedStart');
          const code = ops[first + start + k]! & LINE_OP_MASK;
          ofCommit[NAMES.findIndex((row) => row.code === code)]!.push({
            repo,
            sha: commit.sha,
            path,
            operation: NAMES.find((row) => row.code === code)!.name,
            text: `${sign}${textOf(block, start + k)}`,
            from,
            hunk: [
              ...side(file.removed, removed, removedCount, '-', k),
              ...side(file.added, added, addedCount, '+', k),
            ],
          });
        };
        for (let k = 0; k < removedCount; k++) {
          const op = classified.removedOps[fileColumn(classified, i, 'removedStart') + removed + k]! & LINE_OP_MASK;
          if (op === LINE_OP.deleted) note('-', k, null);
        }
        for (let k = 0; k < addedCount; k++) {
          const line = fileColumn(classified, i, 'addedStart') + added + k;
          const op = classified.addedOps[line]! & LINE_OP_MASK;
          const source = classified.addedSources[line]!;
          const key = textOf(file.added, added + k).replace(/\s+/g, '');
          const earlier = places.get(key);
          if (key !== '' && earlier === undefined) places.set(key, { path, block: file.added, at: added + k });
          let from: string | null = null;
          if (source >= 0) {
            const of = commit.files.findIndex((_, f) => {
              const start = fileColumn(classified, f, 'removedStart');
              return source >= start && source < start + fileColumn(classified, f, 'removed');
            });
            const at = source - fileColumn(classified, of, 'removedStart');
            from = `${commit.files[of]!.oldPath}: ${textOf(commit.files[of]!.removed, at)}`;
          } else if (op === LINE_OP.copy_pasted && earlier !== undefined) {
            const { block, at } = earlier;
            const around = Array.from({ length: 5 }, (_, n) => at - 2 + n).filter((n) => n >= 0 && n < block.count);
            from = `${earlier.path}:\n${around.map((n) => textOf(block, n)).join('\n')}`;
          }
          if (key !== '') note('+', k, from);
        }
        removed += removedCount;
        added += addedCount;
      }
    }
    // One line of each operation a commit: a sweep is not to fill the sample.
    ofCommit.forEach((lines, code) => {
      if (lines.length > 0) found[code]!.push(lines[Math.floor(random() * lines.length)]!);
    });
  });
  parser.push(git(gitDir, [...DIFF_STREAM_FLAGS, '--stdin', '-M'], chosen.map((sha) => `${sha}\n`).join('')));
  parser.end();
  perRepository.set(gitDir, found);
}
const share = Math.ceil(each / Math.max(1, args.length));
NAMES.forEach((_, code) => {
  const lines = args.flatMap((gitDir) => perRepository.get(gitDir)![code]!.slice(0, share));
  for (const line of lines.slice(0, each)) console.log(JSON.stringify(line));
});
