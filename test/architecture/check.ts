// `npm run imports`: directions, powers, packages, names and sizes of the source tree as errors.
import { findProblems, problemToLine } from './find-problems.ts';

const { files, problems } = findProblems(process.cwd());
for (const problem of problems) console.error(problemToLine(problem));
console.log(`architecture: ${files} files, ${problems.length} problems`);
// A checker that sees no files has nothing to complain of.
if (files < 100) console.error('the source tree was not found');
process.exitCode = problems.length > 0 || files < 100 ? 1 : 0;
