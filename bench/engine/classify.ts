// CPU time of classification and of the duplicate index alone, along the first-parent chain of a
// repository: one thread, git's time not counted.
//   node --import ./bench/typescript.mjs bench/engine/classify.ts REPO…
import { spawn, spawnSync } from 'node:child_process';
import { createFileJudge } from '../../src/engine/categories/judge-file.ts';
import { DiffStreamParser } from '../../src/engine/diff/diff-stream.ts';
import { DIFF_STREAM_FLAGS } from '../../src/engine/diff/streamed-commit.ts';
import { createClassifier } from '../../src/engine/judge/classify-commit.ts';
import { createDuplicateIndex, createIndexFilter } from '../../src/engine/judge/duplicates.ts';
import { hashFileLines } from '../../src/engine/judge/hash-lines.ts';
import { fileColumn } from '../../src/engine/model/classified.ts';

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

for (const repo of process.argv.slice(2)) {
  const git = (args: readonly string[], input = ''): Buffer => {
    const result = spawnSync('git', ['--git-dir', repo, ...args], { input, maxBuffer: 1 << 30 });
    if (result.status !== 0) throw new Error(`git ${args[0]}: ${result.stderr}`);
    return result.stdout;
  };
  const isIndexed = createIndexFilter(createFileJudge(), null);
  const index = createDuplicateIndex({ maxBytes: 256 << 20, isIndexed });
  const tree = git(['ls-tree', '-r', '-z', 'HEAD'])
    .toString()
    .split('\0')
    .filter((row) => row.includes(' blob '))
    .map((row) => ({ path: row.slice(row.indexOf('\t') + 1), sha: row.split(/[ \t]/)[2]! }));
  const blobs = git(['cat-file', '--batch'], tree.map(({ sha }) => `${sha}\n`).join(''));
  let at = 0;
  const loading = cpuSeconds(() => {
    for (const { path } of tree) {
      const head = blobs.indexOf(10, at);
      const size = Number(blobs.toString('latin1', at, head).split(' ')[2]);
      const content = blobs.subarray(head + 1, head + 1 + size);
      at = head + size + 2;
      if (!content.subarray(0, 8000).includes(0)) index.load(path, hashFileLines(content));
    }
  });
  const bytesLoaded = index.bytesUsed;
  const classifier = createClassifier();
  const seconds = { classify: 0, ask: 0, undo: 0 };
  let bytes = 0;
  let lines = 0;
  let counted = 0;
  let duplicates = 0;
  let copied = 0;
  const parser = new DiffStreamParser((commit) => {
    let classified = classifier.classify({ ...commit, files: [] }, { attributes: null });
    seconds.classify += cpuSeconds(() => {
      classified = classifier.classify(commit, { attributes: null });
    });
    lines += classified.addedOps.length + classified.removedOps.length;
    if (commit.parents.length < 2)
      seconds.ask += cpuSeconds(() => {
        index.duplicatesOf(classified, commit.files, true).forEach((count, i) => {
          if (i % 2 === 0) duplicates += count;
          else copied += count;
        });
      });
    for (let file = 0; file < classified.fileCount && commit.parents.length < 2; file++)
      counted += fileColumn(classified, file, 'lines_added') + fileColumn(classified, file, 'lines_copy_pasted');
    seconds.undo += cpuSeconds(() => index.undo(classified, commit.files));
  });
  // `diff-tree --stdin` takes the parents to compare with from the line: here the first alone.
  const chain = git(['rev-list', '--first-parent', '--parents', 'HEAD']).toString().trim().split('\n');
  const stream = spawn('git', ['--git-dir', repo, ...DIFF_STREAM_FLAGS, '--stdin', '-M']);
  stream.stdin.end(chain.map((row) => `${row.split(' ').slice(0, 2).join(' ')}\n`).join(''));
  for await (const chunk of stream.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    parser.push(chunk);
  }
  parser.end();
  const percent = (part: number) => `${((100 * part) / Math.max(1, counted)).toFixed(1)} %`;
  console.log(
    `${repo}\n  ${chain.length} commits, ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB` +
      `\n  classify ${seconds.classify.toFixed(2)} s, ${Math.round(lines / seconds.classify)} lines/s` +
      `\n  duplicate index: load ${loading.toFixed(2)} s, ask ${seconds.ask.toFixed(2)} s, undo ${seconds.undo.toFixed(2)} s, ` +
      `${(bytesLoaded / 1e6).toFixed(1)} MB${index.isFull ? ', full' : ''}` +
      `\n  of added and copy/pasted lines, in a duplicate block ${percent(duplicates)}, copied from older code ${percent(copied)}`,
  );
}
