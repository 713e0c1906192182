// node --import ./bench/typescript.mjs bench/engine/count-effort.ts REPOSITORY SHA THREADS
//
// Analyzes the history of a commit and prints as JSON what that took: merges compared, versions unpacked, git processes.
import { openRepository } from '../../src/engine/git/run-git.ts';
import { effort } from '../../src/engine/model/effort.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';

const [path = '.', branchHead = '', threads = '2'] = process.argv.slice(2);
for await (const _ of analyzeRepository(await openRepository(path), { branchHead, threads: Number(threads) }));
console.log(JSON.stringify(effort));
