// What Diff Delta looks like on real histories: the score of a developer's active weekday, and the shares
// of operations, categories and ages. docs/diff-delta.md holds its output.
//   node --import ./bench/typescript.mjs bench/truth/calibrate.ts REPO… [--since YYYY-MM-DD] [--top N]
import { basename, dirname } from 'node:path';
import { FORMULA_VERSION } from '../../src/domain/commits/current-derivation.ts';
import { deltaThousandths } from '../../src/domain/commits/file-measures.ts';
import {
  AGE_BUCKETS,
  CATEGORIES,
  CHURN_DAYS,
  OPERATIONS,
  SCORED_OPERATIONS,
} from '../../src/domain/commits/line-model.ts';
import { readBranches } from '../../src/engine/git/list-commits.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { SCALE, SCORE } from '../../src/engine/judge/score-table.ts';
import type { CommitFact, FileFact } from '../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';

const args = process.argv.slice(2);
function option(name: string): string | null {
  const at = args.indexOf(name);
  return at < 0 ? null : (args.splice(at, 2)[1] ?? null);
}
const sinceText = option('--since');
const since = sinceText === null ? null : Date.parse(sinceText) / 1000;
const top = Number(option('--top') ?? 0);

/** Who counts as a developer here: people with this many active weekdays, so that visitors do not set K. */
const REGULAR_DAYS = 20;
const isBot = (email: string, name: string) =>
  /\[bot\]|^(dependabot|renovate|greenkeeper|snyk)/i.test(`${email} ${name}`);

/** One repository, summed up. */
interface Tally {
  /** Scores of active developer-weekdays: of everybody, and of regular developers. */
  readonly days: number[];
  readonly regularDays: number[];
  regulars: number;
  readonly measures: Map<string, number>;
  readonly categories: Map<string, number>;
  readonly commitScores: number[];
  readonly lineScores: Map<string, number>;
  readonly largest: { score: number; sha: string; subject: string; file: string }[];
}

const add = (map: Map<string, number>, key: string, value: number) => map.set(key, (map.get(key) ?? 0) + value);

async function tally(path: string): Promise<Tally> {
  const repository = await openRepository(path);
  // The default branch alone: what others hold is mostly on its way there, or a copy.
  const branchHead = (await readBranches(repository)).head ?? '';
  const commits = new Map<string, CommitFact>();
  const files = new Map<string, readonly FileFact[]>();
  const notCounted = new Set<string>();
  for await (const event of analyzeRepository(repository, { since, branchHead })) {
    if (event.kind === 'commit') {
      commits.set(event.fact.sha, event.fact);
      if (event.fact.is_final) files.set(event.fact.sha, event.fact.files);
      if (event.fact.not_counted !== null) notCounted.add(event.fact.sha);
    } else if (event.kind === 'final') files.set(event.sha, event.files);
    else if (event.kind === 'verdict') {
      if (event.not_counted === null) notCounted.delete(event.sha);
      else notCounted.add(event.sha);
    }
  }
  const byDeveloper = new Map<string, Map<string, number>>();
  const result: Tally = {
    days: [],
    regularDays: [],
    regulars: 0,
    measures: new Map(),
    categories: new Map(),
    commitScores: [],
    lineScores: new Map(),
    largest: [],
  };
  for (const [sha, fact] of commits) {
    if (notCounted.has(sha) || fact.is_merge) continue;
    let score = 0;
    for (const file of files.get(sha) ?? []) {
      const delta = deltaThousandths(file);
      score += delta;
      for (const [name, value] of Object.entries(file))
        if (typeof value === 'number') add(result.measures, name, value);
      add(result.categories, file.category, delta);
      if (top > 0)
        result.largest.push({ score: delta, sha, subject: fact.message.split('\n')[0] ?? '', file: file.path });
    }
    if (result.largest.length > 5000) {
      result.largest.sort((a, b) => b.score - a.score);
      result.largest.length = 100;
    }
    result.commitScores.push(score / SCALE);
    const local = new Date((fact.authored.at + fact.authored.zone * 60) * 1000);
    const weekday = local.getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const email = fact.author.email.toLowerCase();
    if (isBot(email, fact.author.name)) continue;
    const days = byDeveloper.get(email) ?? new Map<string, number>();
    byDeveloper.set(email, days);
    add(days, local.toISOString().slice(0, 10), score / SCALE);
  }
  for (const days of byDeveloper.values()) {
    result.days.push(...days.values());
    if (days.size < REGULAR_DAYS) continue;
    result.regulars++;
    result.regularDays.push(...days.values());
  }
  result.largest.sort((a, b) => b.score - a.score);
  return result;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}`);
const rows: { name: string; tally: Tally }[] = [];
for (const path of args) {
  const name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path);
  rows.push({ name: name.split('+').at(-1)!, tally: await tally(path) });
}

function print(title: string, columns: readonly string[], cells: (tally: Tally) => (string | number)[]): void {
  console.log(`\n### ${title}\n\n| history | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:').join('|')}|`);
  for (const { name, tally } of rows) console.log(`| ${name} | ${cells(tally).join(' | ')} |`);
}

console.log(`formula ${FORMULA_VERSION}, K ${SCORE.k}, ${sinceText === null ? 'whole history' : `since ${sinceText}`}`);
const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
const spreadOf = (values: readonly number[]) => {
  const sorted = ascending(values);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / Math.max(1, sorted.length);
  return [sorted.length, ...QUANTILES.map((q) => quantile(sorted, q).toFixed(0)), mean.toFixed(0)];
};
const SPREAD = ['days', 'p10', 'p25', 'median', 'p75', 'p90', 'p99', 'mean'];
print(
  `Score of an active weekday, developers with ${REGULAR_DAYS} such days or more`,
  ['developers', ...SPREAD],
  (t) => [t.regulars, ...spreadOf(t.regularDays)],
);
print('The same, everybody but bots', SPREAD, (t) => spreadOf(t.days));
const medians = ascending(rows.map(({ tally: t }) => quantile(ascending(t.regularDays), 0.5)));
console.log(`\nmedian of the regular developers' medians: ${quantile(medians, 0.5).toFixed(1)}`);

const CHANGED = OPERATIONS;
const changed = (t: Tally) => CHANGED.reduce((sum, op) => sum + (t.measures.get(`lines_${op}`) ?? 0), 0);
print('Operations, percent of changed lines', [...CHANGED, 'copied besides', 'churned', 'changed lines'], (t) => [
  ...CHANGED.map((op) => percent(t.measures.get(`lines_${op}`) ?? 0, changed(t))),
  percent(t.measures.get('lines_copied') ?? 0, changed(t)),
  percent(t.measures.get('lines_churned') ?? 0, changed(t)),
  changed(t),
]);
const total = (t: Tally) => t.commitScores.reduce((sum, value) => sum + value, 0) * SCALE;
print('Score by operation, percent', [...SCORED_OPERATIONS, 'doc comments'], (t) => [
  ...SCORED_OPERATIONS.map((op) => percent(t.measures.get(`delta_${op}`) ?? 0, total(t))),
  percent(t.measures.get('doc_delta') ?? 0, total(t)),
]);
const AGES = AGE_BUCKETS.map(({ key }) => key);
print(`Score by age of what was replaced, percent (churn is below ${CHURN_DAYS} days)`, AGES, (t) =>
  AGES.map((age) => percent(t.measures.get(`delta_${age}`) ?? 0, total(t))),
);
const keys = CATEGORIES.map(({ key }) => key).filter((key) => rows.some(({ tally: t }) => t.categories.get(key)));
print('Score by category, percent', keys, (t) => keys.map((key) => percent(t.categories.get(key) ?? 0, total(t))));
print(
  'How the score is spread',
  ['commits', 'top 1 % of commits hold', 'top 10 % hold', 'calls per 1,000 new lines'],
  (t) => {
    const sorted = [...t.commitScores].sort((a, b) => b - a);
    const head = (share: number) =>
      sorted.slice(0, Math.ceil(sorted.length * share)).reduce((sum, value) => sum + value, 0) * SCALE;
    const fresh = (t.measures.get('lines_added') ?? 0) + (t.measures.get('lines_updated') ?? 0);
    return [
      sorted.length,
      percent(head(0.01), total(t)),
      percent(head(0.1), total(t)),
      Math.round((1000 * (t.measures.get('calls') ?? 0)) / Math.max(1, fresh)),
    ];
  },
);
for (const { name, tally: t } of top > 0 ? rows : [])
  for (const { score, sha, subject, file } of t.largest.slice(0, top))
    console.log(`${name} ${(score / SCALE).toFixed(0)} ${sha.slice(0, 10)} ${file} — ${subject.slice(0, 60)}`);
