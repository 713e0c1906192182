// Compares the duplicate lines of sampled files with a plain index of five-line blocks: the whole tree of the commit, read
// with git, every block of five significant lines in a row as text.
//   npm run bench:duplicates -- REPO… [--files 60] [--seed N] [--since YYYY-MM-DD] [--merged]
// --merged takes commits only that came in by a merge.
import { spawnSync } from 'node:child_process';
import { createFileJudge } from '../../src/engine/categories/judge-file.ts';
import { readBranches } from '../../src/engine/git/list-commits.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { createIndexFilter } from '../../src/engine/judge/duplicates.ts';
import type { FileFact } from '../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';
import { countDuplicates } from '../../test/oracles/duplicates.ts';

const args = process.argv.slice(2);
const text = (name: string): string | null => {
  const at = args.indexOf(name);
  return at < 0 ? null : (args.splice(at, 2)[1] ?? null);
};
const wanted = Number(text('--files') ?? 60);
const seed = Number(text('--seed') ?? 1);
const since = Date.parse(text('--since') ?? '2024-01-01') / 1000;
const mergedAt = args.indexOf('--merged');
if (mergedAt >= 0) args.splice(mergedAt, 1);

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const git = (gitDir: string, ...command: string[]): string =>
  spawnSync('git', ['--git-dir', gitDir, ...command], { maxBuffer: 1 << 30, encoding: 'latin1' }).stdout;

for (const path of args) {
  const repository = await openRepository(path);
  const { head } = await readBranches(repository);
  const files: { sha: string; file: FileFact }[] = [];
  const merges = new Set<string>();
  const note = (sha: string, facts: readonly FileFact[]) => {
    for (const file of facts) if (file.status !== 'deleted' && file.added > 0) files.push({ sha, file });
  };
  for await (const event of analyzeRepository(repository, { branchHead: head ?? '', since })) {
    if (event.kind === 'commit') {
      if (event.fact.is_merge) merges.add(event.fact.sha);
      if (event.fact.is_final) note(event.fact.sha, event.fact.files);
    } else if (event.kind === 'final') note(event.sha, event.files);
  }
  const first = new Set(git(repository.gitDir, 'rev-list', '--first-parent', head ?? '').split('\n'));
  const isIndexed = createIndexFilter(createFileJudge(), null);
  const chosen = files.filter(
    ({ sha, file }) => isIndexed(file.path) && !merges.has(sha) && (mergedAt < 0 || !first.has(sha)),
  );
  // Half of the sample has duplicates by the engine, half is any file.
  const [some, any] = [chosen.filter(({ file }) => file.duplicate_lines > 0), chosen];
  const sample = Array.from({ length: wanted }, (_, i) => {
    const from = i % 2 === 0 && some.length > 0 ? some : any;
    return from[Math.floor(random() * from.length)]!;
  }).filter((each) => each !== undefined);
  let [plain, found, falseFiles, missedFiles] = [0, 0, 0, 0];
  for (const { sha, file } of sample) {
    const truth = countDuplicates((...command) => git(repository.gitDir, ...command), sha, file.path, isIndexed);
    plain += truth;
    found += Math.min(truth, file.duplicate_lines);
    if (truth === 0 && file.duplicate_lines > 0) falseFiles++;
    if (truth > 0 && file.duplicate_lines === 0) missedFiles++;
    if (truth !== file.duplicate_lines)
      console.log(`  ${sha.slice(0, 10)} ${file.path}: plainly ${truth}, the engine ${file.duplicate_lines}`);
  }
  console.log(
    `${path}: ${sample.length} files, plainly ${plain} lines, found ${found} (${((100 * found) / Math.max(1, plain)).toFixed(1)} %), ` +
      `${falseFiles} false and ${missedFiles} missed files`,
  );
}
