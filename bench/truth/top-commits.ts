// The commits with the largest scores, and the headline shares, from a file that `strata analyze --facts` has written.
// docs/engine/top-commits.md and docs/engine/before-after.md hold its output.
//   node --import ./bench/typescript.mjs bench/truth/top-commits.ts REPO FACTS [--top 20]
import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const at = args.indexOf('--top');
const top = at < 0 ? 20 : Number(args.splice(at, 2)[1]);
const [gitDir = '', facts = ''] = args;

interface Sum {
  score: number;
  files: number;
  readonly lines: Record<string, number>;
}
const MEASURES = [
  'lines_added',
  'lines_deleted',
  'lines_moved',
  'lines_updated',
  'lines_find_replaced',
  'lines_copy_pasted',
] as const;
const commits = new Map<string, Sum>();
const all: Record<string, number> = {};
for await (const line of createInterface({ input: createReadStream(facts) })) {
  const row = JSON.parse(line) as Record<string, number | string | null>;
  if (typeof row.commit !== 'string' || typeof row.path !== 'string') continue;
  // Older facts do not say it: then every row counts.
  if (typeof row.not_counted === 'string') continue;
  const sum = commits.get(row.commit) ?? { score: 0, files: 0, lines: {} };
  commits.set(row.commit, sum);
  sum.score += Number(row.delta);
  sum.files++;
  for (const name of [...MEASURES, 'lines_churned', 'lines_copied', 'duplicate_lines'] as const) {
    sum.lines[name] = (sum.lines[name] ?? 0) + Number(row[name]);
    all[name] = (all[name] ?? 0) + Number(row[name]);
  }
}
const changed = MEASURES.reduce((sum, name) => sum + (all[name] ?? 0), 0);
const percent = (count: number) => `${((100 * count) / Math.max(1, changed)).toFixed(1)} %`;
const total = [...commits.values()].reduce((sum, { score }) => sum + score, 0);
console.log(
  `${commits.size} commits, ${changed} changed lines, Diff Delta ${Math.round(total)}, churned ${percent(all.lines_churned ?? 0)}, ` +
    `copied ${percent((all.lines_copy_pasted ?? 0) + (all.lines_copied ?? 0))} (copy/pasted ${percent(all.lines_copy_pasted ?? 0)}), ` +
    `moved ${percent(all.lines_moved ?? 0)}, duplicates ${percent(all.duplicate_lines ?? 0)}`,
);
const largest = [...commits].sort(([, a], [, b]) => b.score - a.score).slice(0, top);
for (const [sha, { score, files, lines }] of largest) {
  const { stdout } = spawnSync('git', ['--git-dir', gitDir, 'log', '-1', '--format=%as %s', sha], { encoding: 'utf8' });
  const counts = MEASURES.map((name) => `${name.slice(6, 7)}${lines[name] ?? 0}`).join(' ');
  console.log(
    `${Math.round(score)} (${((100 * score) / total).toFixed(1)} %) ${sha.slice(0, 10)} ${files} files ${counts} | ${stdout.trim()}`,
  );
}
