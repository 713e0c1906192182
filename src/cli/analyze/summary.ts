// Sums up commit facts for the screen that `strata analyze` prints. A commit counts once its final files are
// known: from the start, or when `finish` brings them.

import {
  DEFAULT_WEIGHTS,
  EVIDENCE_CLASSES,
  type EvidenceClass,
  evidenceClassOf,
  WHOLE,
} from '../../domain/ai/evidence.ts';
import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import { AGE_BUCKETS, OPERATIONS, type Operation } from '../../domain/commits/line-model.ts';
import { authorOfRecord, directorsOf } from '../../engine/identity/author-of-record.ts';
import { type IdentityKind, identityKey, identityKind } from '../../engine/identity/read-identity.ts';
import type { LimitReason } from '../../engine/model/diff.ts';
import type { CommitFact, FileFact, Identity, NotCounted } from '../../engine/model/facts.ts';
import { isSkipReason } from '../../engine/model/skip-reason.ts';

export interface SummaryTotals {
  readonly commits: number;
  readonly notCounted: Readonly<Partial<Record<NotCounted, number>>>;
  /** People who authored counted commits or directed an agent that did. */
  readonly developers: number;
  /** AI agents that authored counted commits, and those commits. */
  readonly agents: number;
  readonly agentCommits: number;
  /** Service accounts and their commits, which do not count. */
  readonly bots: number;
  readonly botCommits: number;
  /** Seconds since 1970; null without a counted commit. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly operations: Readonly<Record<Operation, number>>;
  readonly ages: Readonly<Record<string, number>>;
  readonly linesChanged: number;
  readonly linesChurned: number;
  /** Thousandths, by the weights of the evidence. */
  readonly aiLines: number;
  /** Thousandths that are sure: exact records, and commits of AI agents. */
  readonly aiLinesLow: number;
  /** Thousandths of all lines of commits with evidence of AI. */
  readonly aiLinesHigh: number;
  readonly aiCommits: number;
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

/** Every age but that of new code, which replaced nothing. */
export const REPLACED_AGES = AGE_BUCKETS.filter((bucket) => bucket.key !== 'new');

/**
 * What one commit adds to the sums, kept until the end: which commits count is known only then. A row of
 * numbers instead of an object, because there is one for every commit of a history.
 */
const COLUMNS = [
  'state',
  'notCounted',
  'author',
  'agent',
  'at',
  'isLimited',
  'hasEvidence',
  'evidence',
  'model',
  ...OPERATIONS,
  'ages',
  'age1',
  'age2',
  'age3',
  'age4',
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

const CLASSES = Object.keys(EVIDENCE_CLASSES) as EvidenceClass[];
const NONE = -1;

interface Author {
  readonly key: string;
  readonly kind: IdentityKind;
}

/** A service account, also a host's own: its commits do not count, as in reports. */
const isBot = ({ kind }: Author): boolean => kind === 'bot' || kind === 'host';

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
  const authorNumber = (author: Identity): number => {
    const number = spellings.of(`${author.email}\n${author.name}`);
    authors[number] ??= { key: identityKey(author), kind: identityKind(author) };
    return number;
  };

  const addFiles = (row: number, files: readonly FileFact[]) => {
    const { data } = commits;
    for (const file of files) {
      data[row + COLUMN.added]! += file.lines_added;
      data[row + COLUMN.deleted]! += file.lines_deleted;
      data[row + COLUMN.moved]! += file.lines_moved;
      data[row + COLUMN.updated]! += file.lines_updated;
      data[row + COLUMN.find_replaced]! += file.lines_find_replaced;
      data[row + COLUMN.copy_pasted]! += file.lines_copy_pasted;
      data[row + COLUMN.ages]! += file.age_lt_2w;
      data[row + COLUMN.ages + 1]! += file.age_lt_1m;
      data[row + COLUMN.ages + 2]! += file.age_lt_1y;
      data[row + COLUMN.ages + 3]! += file.age_lt_2y;
      data[row + COLUMN.ages + 4]! += file.age_gte_2y;
      data[row + COLUMN.linesChurned]! += file.lines_churned;
      data[row + COLUMN.aiLines]! += file.ai_lines_changed;
      data[row + COLUMN.delta]! +=
        file.delta_added + file.delta_updated + file.delta_deleted + file.delta_find_replaced;
      const lines = file.lines_updated + file.lines_deleted + file.lines_find_replaced;
      const isOwnCode = file.category !== 'autogenerated' && file.category !== 'third_party';
      if (lines === 0 || !isOwnCode || file.status === 'deleted') continue;
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
      const author = authorNumber(fact.author);
      const isByAgent = authors[author]!.kind === 'ai_agent';
      const director = isByAgent ? authorOfRecord(fact, directorsOf(fact)) : null;
      data[row + COLUMN.author] = director === null ? author : authorNumber(director);
      data[row + COLUMN.agent] = isByAgent ? author : NONE;
      // A date may lie in any millennium; a chart of all its weeks would not end.
      data[row + COLUMN.at] = storableSeconds(fact.authored.at);
      data[row + COLUMN.isLimited] = reasons.size > 0 ? 1 : 0;
      data[row + COLUMN.hasEvidence] = fact.contributor_kind !== 'unknown' ? 1 : 0;
      const [credit] = fact.ai;
      const evidence = credit === undefined ? null : evidenceClassOf(credit.source);
      data[row + COLUMN.evidence] = evidence === null ? NONE : CLASSES.indexOf(evidence);
      data[row + COLUMN.model] = credit === undefined ? NONE : models.of(credit.model);
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
    aiLinesLow: 0,
    aiLinesHigh: 0,
    aiCommits: 0,
    agentCommits: 0,
    botCommits: 0,
    linesWithEvidence: 0,
    delta: 0,
    limited: 0,
  };
  const notCounted: Partial<Record<NotCounted, number>> = {};
  const people = new Set<string>();
  const agents = new Set<string>();
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
    const author = authors[of('author')]!;
    if (isBot(author)) {
      bots.add(author.key);
      totals.botCommits += 1;
      continue;
    }
    totals.commits += 1;
    if (author.kind === 'person') people.add(author.key);
    if (of('agent') !== NONE) {
      agents.add(authors[of('agent')]!.key);
      totals.agentCommits += 1;
    }
    const at = of('at');
    totals.firstAt = Math.min(totals.firstAt ?? at, at);
    totals.lastAt = Math.max(totals.lastAt ?? at, at);
    let changed = 0;
    for (const operation of OPERATIONS) {
      operations[operation] += of(operation);
      changed += of(operation);
    }
    for (const [index, { key }] of REPLACED_AGES.entries()) ages[key]! += data[row + COLUMN.ages + index]!;
    totals.linesChanged += changed;
    totals.linesChurned += of('linesChurned');
    const evidence = CLASSES[of('evidence')];
    const aiLines = evidence === undefined ? 0 : (of('aiLines') * DEFAULT_WEIGHTS[evidence]) / WHOLE;
    if (evidence !== undefined) {
      totals.aiCommits += 1;
      totals.aiLines += aiLines;
      totals.aiLinesLow += EVIDENCE_CLASSES[evidence].isSure ? of('aiLines') : 0;
      totals.aiLinesHigh += changed * WHOLE;
    }
    totals.delta += of('delta');
    if (of('hasEvidence') === 1) totals.linesWithEvidence += changed;
    if (of('model') !== NONE && aiLines > 0) addTo(modelLines, models[of('model')]!, aiLines);
    addTo(weeks, weekOf(at), of('delta'));
  }
  const linesOfPath = new Map<string, number>();
  for (let at = 0; at < rewritten.count * 3; at += 3) {
    const row = rewritten.data[at]!;
    if (data[row + COLUMN.state] !== FINAL || data[row + COLUMN.notCounted] !== 0) continue;
    if (isBot(authors[data[row + COLUMN.author]!]!)) continue;
    addTo(linesOfPath, paths[rewritten.data[at + 1]!]!, rewritten.data[at + 2]!);
  }
  return {
    ...totals,
    limits,
    notCounted,
    developers: people.size,
    agents: agents.size,
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
  return { added: 0, deleted: 0, moved: 0, updated: 0, find_replaced: 0, copy_pasted: 0 };
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
