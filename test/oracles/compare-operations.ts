// Holds the engine's operations of real commits against the plain reading of the rules, line by line.
import { spawnSync } from 'node:child_process';
import { DiffStreamParser } from '../../src/engine/diff/diff-stream.ts';
import { DIFF_STREAM_FLAGS } from '../../src/engine/diff/streamed-commit.ts';
import { createClassifier } from '../../src/engine/judge/classify-commit.ts';
import { fileColumn, LINE_OP, LINE_OP_MASK } from '../../src/engine/model/classified.ts';
import { isolatedGitEnvironment } from '../world/golden-repo.ts';
import { judgeOperations, type PlainOperation, readShow } from './operations.ts';

export interface ComparedLine {
  readonly sha: string;
  readonly path: string;
  readonly sign: '-' | '+';
  readonly text: string;
  readonly engine: PlainOperation;
  readonly plain: PlainOperation;
}

const NAMES = Object.fromEntries(Object.entries(LINE_OP).map(([name, code]) => [code, name])) as Record<
  number,
  PlainOperation
>;
const SHOW = ['show', '-U0', '--format=', '-M', '-l1000', '--no-color', '--no-ext-diff', '--no-textconv', '--text'];

function git(gitDir: string, args: readonly string[], input = ''): Buffer {
  const result = spawnSync('git', ['--git-dir', gitDir, ...args], {
    input,
    env: isolatedGitEnvironment(),
    maxBuffer: 1 << 30,
  });
  if (result.status !== 0) throw new Error(`git ${args[0]}: ${result.stderr}`);
  return result.stdout;
}

/** All changed lines of the commits; a commit that both read with other lines (a binary file) is left out. */
export function compareOperations(gitDir: string, shas: readonly string[]): ComparedLine[] {
  const classifier = createClassifier();
  const compared: ComparedLine[] = [];
  const flags = [...DIFF_STREAM_FLAGS, '--stdin', '-M'];
  const parser = new DiffStreamParser((commit) => {
    const classified = classifier.classify(commit, { attributes: null });
    const files = readShow(git(gitDir, [...SHOW, commit.sha]).toString('latin1'));
    judgeOperations(files);
    const lines: ComparedLine[] = [];
    let isSame = files.length === commit.files.length;
    for (const [i, file] of files.entries()) {
      if (!isSame) break;
      const sides = [
        {
          sign: '-',
          plain: file.hunks.flatMap(({ removed }) => removed),
          ops: classified.removedOps,
          start: 'removedStart',
        },
        { sign: '+', plain: file.hunks.flatMap(({ added }) => added), ops: classified.addedOps, start: 'addedStart' },
      ] as const;
      for (const { sign, plain, ops, start } of sides) {
        const count = fileColumn(classified, i, sign === '-' ? 'removed' : 'added');
        if (count !== plain.length) isSame = false;
        const from = fileColumn(classified, i, start);
        for (const [at, { text, operation }] of plain.entries())
          lines.push({
            sha: commit.sha,
            path: file.path,
            sign,
            text,
            engine: NAMES[ops[from + at]! & LINE_OP_MASK]!,
            plain: operation!,
          });
      }
    }
    if (isSame) compared.push(...lines);
  });
  parser.push(git(gitDir, flags, shas.map((sha) => `${sha}\n`).join('')));
  parser.end();
  return compared;
}
