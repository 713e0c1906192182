// Import directions as errors. dependency-cruiser can silently see no TypeScript at all when its
// parser does not load, so the module count is checked too, and process.env by a plain search.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const run = spawnSync(
  process.execPath,
  [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    'src',
  ],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
if (!run.stdout) {
  console.error(run.stderr);
  process.exit(1);
}
const { summary, modules } = JSON.parse(run.stdout);
const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));
const seen = modules.filter((module) => module.source.startsWith('src/')).length;

const problems = summary.violations.map(
  (v) => `${v.rule.name}: ${v.from} → ${v.to}${v.cycle ? ` (${v.cycle.map((c) => c.name).join(' → ')})` : ''}`,
);
if (seen < sources.length) problems.push(`only ${seen} of ${sources.length} source files were seen by the checker`);
for (const file of sources) {
  if (file.startsWith(join('src', 'config'))) continue;
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (/\bprocess\.env\b/.test(line)) problems.push(`process.env outside src/config: ${file}:${index + 1}`);
    });
}
for (const problem of problems) console.error(problem);
console.log(`import directions: ${seen} modules, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
