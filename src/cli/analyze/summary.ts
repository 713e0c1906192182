// Sums up commit facts for the screen that `strata analyze` prints. A commit counts once its final files are
// known: from the start, or when `finish` brings them.

import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import { AGE_MEASURES, ageMeasure, deltaOf, lineMeasure } from '../../domain/commits/file-measures.ts';
import {
  AGED_OPERATIONS,
  isOwnCode,
  OPERATIONS,
  type Operation,
  REPLACED_AGES,
} from '../../domain/commits/line-model.ts';
import { identityKey, identityKind } from '../../engine/identity/read-identity.ts';
import type { LimitReason } from '../../engine/model/diff.ts';
import type { CommitFact, FileFact, NotCounted } from '../../engine/model/facts.ts';
import { isSkipReason } from '../../engine/model/skip-reason.ts';

export interface SummaryTotals {
  readonly commits: number;
  readonly notCounted: Readonly<Partial<Record<NotCounted, number>>>;
  readonly developers: number;
  /** Service accounts and AI tools that authored counted commits. */
  readonly bots: number;
  /** Seconds since 1970; null without a counted commit. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly operations: Readonly<Record<Operation, number>>;
  readonly ages: Readonly<Record<string, number>>;
  readonly linesChanged: number;
  readonly linesChurned: number;
  /** Thousandths. */
  readonly aiLines: number;
  /** Changed lines of commits that carry any evidence, human or AI. */
  readonly linesWithEvidence: number;
  /** Thousandths of lines, largest first. */
  readonly aiModels: readonly { readonly model: string; readonly lines: number }[];
  /** Thousandths of a Diff Delta point. */
  readonly delta: number;
  /** Monday 00:00 UTC in seconds → thousandths of a point. */
  readonly weeks: ReadonlyMap<number, number>;
  readonly rewritten: readonly { readonly path: string; readonly lines: number }[];
  /** Commits that were not read in full, in all and by reason. */
  readonly limited: number;
  readonly limits: Readonly<Partial<Record<LimitReason, number>>>;
}

export interface Summary {
  add(fact: CommitFact): void;
  /** The final files of a commit that was added before they were known. */
  finish(commit: { readonly sha: string; readonly files: readonly FileFact[] }): void;
  /** Replaces what the fact said of counting, once it is known which commits repeat others. */
  judge(verdict: Pick<CommitFact, 'sha' | 'not_counted'>): void;
  totals(): SummaryTotals;
}

export const WEEK_SECONDS = 7 * 86_400;
/** 1970-01-01 was a Thursday: the first Monday is four days on. */
const FIRST_MONDAY = 4 * 86_400;
const REWRITTEN_SHOWN = 5;

/**
 * What one commit adds to the sums, kept until the end: which commits count is known only then. A row of
 * numbers instead of an object, because there is one for every commit of a history.
 */
const COLUMNS = [
  'state',
  'notCounted',
  'author',
  'at',
  'isLimited',
  'hasEvidence',
  'model',
  ...OPERATIONS,
  ...AGE_MEASURES,
  'linesChurned',
  'aiLines',
  'delta',
] as const;
const COLUMN = Object.fromEntries(COLUMNS.map((name, index) => [name, index])) as Record<
  (typeof COLUMNS)[number],
  number
>;
const WIDTH = COLUMNS.length;
/** A row that counts; one that waits for its files, or was replaced, does not. */
const FINAL = 1;
const REASONS: readonly (NotCounted | null)[] = [
  null,
  'merge',
  'rebase_copy',
  'cherry_pick_copy',
  'squash_source',
  'ignored_revision',
  'outside_window',
];

interface Author {
  readonly key: string;
  readonly isPerson: boolean;
}

/** Gives each distinct text a number, from 0 on. */
class Numbered {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

class Rows {
  readonly #width: number;
  data: Float64Array;
  count = 0;

  constructor(width: number) {
    this.#width = width;
    this.data = new Float64Array(width * 1024);
  }

  /** Where the new row begins. */
  push(): number {
    const at = this.count++ * this.#width;
    if (at === this.data.length) {
      const larger = new Float64Array(at * 2);
      larger.set(this.data);
      this.data = larger;
    }
    return at;
  }
}

interface Kept {
  readonly commits: Rows;
  /** In turn: where the commit's row begins, path number, rewritten lines. */
  readonly rewritten: Rows;
  readonly authors: readonly Author[];
  readonly models: readonly string[];
  readonly paths: readonly string[];
  readonly limits: SummaryTotals['limits'];
}

export function createSummary(): Summary {
  const rowOfSha = new Map<string, number>();
  const commits = new Rows(WIDTH);
  const rewritten = new Rows(3);
  const spellings = new Numbered();
  const authors: Author[] = [];
  const models = new Numbered();
  const paths = new Numbered();
  const limits: Partial<Record<LimitReason, number>> = {};

  // Telling what an author is costs too much to do per commit.
  const authorNumber = ({ author }: CommitFact): number => {
    const number = spellings.of(`${author.email}\n${author.name}`);
    authors[number] ??= { key: identityKey(author), isPerson: identityKind(author) === 'person' };
    return number;
  };

  const addFiles = (row: number, files: readonly FileFact[]) => {
    const { data } = commits;
    for (const file of files) {
      for (const operation of OPERATIONS) data[row + COLUMN[operation]]! += file[lineMeasure(operation)];
      for (const age of AGE_MEASURES) data[row + COLUMN[age]]! += file[age];
      data[row + COLUMN.linesChurned]! += file.lines_churned;
      data[row + COLUMN.aiLines]! += file.ai_lines_changed;
      data[row + COLUMN.delta]! += deltaOf(file);
      let lines = 0;
      for (const operation of AGED_OPERATIONS) lines += file[lineMeasure(operation)];
      if (lines === 0 || !isOwnCode(file.category) || file.status === 'deleted') continue;
      const at = rewritten.push();
      rewritten.data[at] = row;
      rewritten.data[at + 1] = paths.of(file.path);
      rewritten.data[at + 2] = lines;
    }
    data[row + COLUMN.state] = FINAL;
  };

  return {
    add(fact) {
      const before = rowOfSha.get(fact.sha);
      const reasons = new Set(fact.limits.map(({ reason }) => reason).filter(isSkipReason));
      if (before !== undefined) {
        if (!fact.is_final) return;
        commits.data[before + COLUMN.state] = 0;
      } else for (const reason of reasons) limits[reason] = (limits[reason] ?? 0) + 1;
      const row = commits.push();
      rowOfSha.set(fact.sha, row);
      const { data } = commits;
      data[row + COLUMN.notCounted] = REASONS.indexOf(fact.not_counted);
      data[row + COLUMN.author] = authorNumber(fact);
      // A date may lie in any millennium; a chart of all its weeks would not end.
      data[row + COLUMN.at] = storableSeconds(fact.authored.at);
      data[row + COLUMN.isLimited] = reasons.size > 0 ? 1 : 0;
      data[row + COLUMN.hasEvidence] = fact.contributor_kind !== 'unknown' ? 1 : 0;
      data[row + COLUMN.model] = fact.ai[0] === undefined ? -1 : models.of(fact.ai[0].model);
      if (fact.is_final) addFiles(row, fact.files);
    },
    finish({ sha, files }) {
      const row = rowOfSha.get(sha);
      if (row !== undefined && commits.data[row + COLUMN.state] !== FINAL) addFiles(row, files);
    },
    judge({ sha, not_counted }) {
      const row = rowOfSha.get(sha);
      if (row !== undefined) commits.data[row + COLUMN.notCounted] = REASONS.indexOf(not_counted);
    },
    totals: () => sumUp({ commits, rewritten, authors, models: models.texts, paths: paths.texts, limits }),
  };
}

function sumUp({ commits, rewritten, authors, models, paths, limits }: Kept): SummaryTotals {
  const totals = {
    commits: 0,
    firstAt: null as number | null,
    lastAt: null as number | null,
    linesChanged: 0,
    linesChurned: 0,
    aiLines: 0,
    linesWithEvidence: 0,
    delta: 0,
    limited: 0,
  };
  const notCounted: Partial<Record<NotCounted, number>> = {};
  const people = new Set<string>();
  const bots = new Set<string>();
  const operations = noOperations();
  const ages: Record<string, number> = Object.fromEntries(REPLACED_AGES.map((bucket) => [bucket.key, 0]));
  const weeks = new Map<number, number>();
  const modelLines = new Map<string, number>();
  const { data } = commits;
  for (let row = 0; row < commits.count * WIDTH; row += WIDTH) {
    const of = (name: keyof typeof COLUMN): number => data[row + COLUMN[name]]!;
    if (of('state') !== FINAL) continue;
    totals.limited += of('isLimited');
    const reason = REASONS[of('notCounted')] ?? null;
    if (reason !== null) {
      notCounted[reason] = (notCounted[reason] ?? 0) + 1;
      continue;
    }
    totals.commits += 1;
    const author = authors[of('author')]!;
    (author.isPerson ? people : bots).add(author.key);
    const at = of('at');
    totals.firstAt = Math.min(totals.firstAt ?? at, at);
    totals.lastAt = Math.max(totals.lastAt ?? at, at);
    let changed = 0;
    for (const operation of OPERATIONS) {
      operations[operation] += of(operation);
      changed += of(operation);
    }
    for (const { key } of REPLACED_AGES) ages[key]! += of(ageMeasure(key));
    totals.linesChanged += changed;
    totals.linesChurned += of('linesChurned');
    totals.aiLines += of('aiLines');
    totals.delta += of('delta');
    if (of('hasEvidence') === 1) totals.linesWithEvidence += changed;
    if (of('model') >= 0 && of('aiLines') > 0) addTo(modelLines, models[of('model')]!, of('aiLines'));
    addTo(weeks, weekOf(at), of('delta'));
  }
  const linesOfPath = new Map<string, number>();
  for (let at = 0; at < rewritten.count * 3; at += 3) {
    const row = rewritten.data[at]!;
    if (data[row + COLUMN.state] !== FINAL || data[row + COLUMN.notCounted] !== 0) continue;
    addTo(linesOfPath, paths[rewritten.data[at + 1]!]!, rewritten.data[at + 2]!);
  }
  return {
    ...totals,
    limits,
    notCounted,
    developers: people.size,
    bots: bots.size,
    operations,
    ages,
    aiModels: largestFirst(modelLines).map(([model, lines]) => ({ model, lines })),
    weeks,
    rewritten: largestFirst(linesOfPath)
      .slice(0, REWRITTEN_SHOWN)
      .map(([path, lines]) => ({ path, lines })),
  };
}

function noOperations(): Record<Operation, number> {
  return Object.fromEntries(OPERATIONS.map((operation) => [operation, 0])) as Record<Operation, number>;
}

function largestFirst(map: ReadonlyMap<string, number>): [string, number][] {
  return [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function weekOf(at: number): number {
  return Math.floor((at - FIRST_MONDAY) / WEEK_SECONDS) * WEEK_SECONDS + FIRST_MONDAY;
}

function addTo<Key>(map: Map<Key, number>, key: Key, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value);
}
