// Sums up commit facts for what `strata analyze` prints: the screen, and as JSON. A commit counts once its final
// files are known: from the start, or when `finish` brings them. Sums are kept in the integers of the facts, and
// `totals` gives them in real units.

import {
  DEFAULT_WEIGHTS,
  EVIDENCE_CLASSES,
  type EvidenceClass,
  evidenceClassOf,
  WHOLE,
} from '../../domain/ai/evidence.ts';
import { dateIn } from '../../domain/calendar/calendar-date.ts';
import { isoTime } from '../../domain/calendar/iso-time.ts';
import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import { thousandthsToNumber } from '../../domain/commits/file-measures.ts';
import {
  LEFT_OUT_CATEGORIES,
  type LeftOutCategory,
  OPERATIONS,
  type Operation,
  type ReplacedAge,
} from '../../domain/commits/line-model.ts';
import { authorOfRecord, directorsOf } from '../../engine/identity/author-of-record.ts';
import { type IdentityKind, identityKey, identityKind } from '../../engine/identity/read-identity.ts';
import {
  type CommitFact,
  type FileRows,
  type Identity,
  NOT_COUNTED,
  type NotCounted,
} from '../../engine/model/facts.ts';
import { isSkipReason, SKIP_REASONS, type SkipReason } from '../../engine/model/skip-reason.ts';
import { AGES, FileSums, SUM_COLUMNS } from './file-sums.ts';

/** What `--format json` prints. `docs/analyze.md` describes every key. */
export interface SummaryTotals {
  readonly commit_count: number;
  readonly not_counted: Readonly<Record<NotCounted, number>>;
  /** Commits that were not read in full. */
  readonly skipped_commit_count: number;
  readonly skip_reasons: Readonly<Record<SkipReason, number>>;
  /** People who authored counted commits or directed an agent that did. */
  readonly developer_count: number;
  /** AI agents that authored counted commits, and those commits. */
  readonly agent_count: number;
  readonly agent_commit_count: number;
  /** Service accounts and their commits, which do not count. */
  readonly bot_count: number;
  readonly bot_commit_count: number;
  /** ISO 8601 in UTC; null without a counted commit. */
  readonly first_commit_authored_at: string | null;
  readonly last_commit_authored_at: string | null;
  readonly diff_delta: number;
  /** This and all further lines are of processed files. */
  readonly lines_changed: number;
  /** Changed lines of other files. */
  readonly lines_left_out: {
    readonly lines: number;
    /** Of the changed lines of all files. */
    readonly percent: number;
    readonly by_category: Readonly<Record<LeftOutCategory, number>>;
  };
  readonly lines_churned: number;
  readonly line_operation_counts: Readonly<Record<Operation, number>>;
  readonly line_age_counts: Readonly<Record<ReplacedAge, number>>;
  /** Null when no changed line has evidence: then the AI share is unknown, not zero. */
  readonly ai_lines: number | null;
  /** Of those what is sure: exact records, and commits of AI agents. */
  readonly ai_lines_low: number | null;
  /** All changed lines of commits with evidence of AI. */
  readonly ai_lines_high: number | null;
  /** Commits with evidence of AI. */
  readonly ai_commit_count: number;
  /** Changed lines of commits that carry any evidence, human or AI. */
  readonly lines_with_evidence: number;
  /** Largest first. */
  readonly ai_models: readonly { readonly model: string; readonly ai_lines: number }[];
  /** Weeks with a counted commit, earliest first; `start_date` is a Monday in UTC. */
  readonly weeks: readonly { readonly start_date: string; readonly diff_delta: number }[];
  readonly most_rewritten_files: readonly { readonly path: string; readonly lines_rewritten: number }[];
}

export interface Summary {
  /** Without rows of files its final ones are not known. */
  add(commit: { readonly fact: CommitFact; readonly rows: FileRows | null }): void;
  /** The final files of a commit that was added before they were known. */
  finish(commit: { readonly sha: string; readonly rows: FileRows }): void;
  /** Replaces what the fact said of counting, once it is known which commits repeat others. */
  judge(verdict: Pick<CommitFact, 'sha' | 'not_counted'>): void;
  /** Why commits do not count; those that do are not in it. */
  reasons(): ReadonlyMap<string, NotCounted | 'bot'>;
  totals(): SummaryTotals;
}

export const WEEK_SECONDS = 7 * 86_400;
/** 1970-01-01 was a Thursday: the first Monday is four days on. */
const FIRST_MONDAY = 4 * 86_400;
const REWRITTEN_SHOWN = 5;

interface Author {
  readonly key: string;
  readonly kind: IdentityKind;
}

/** A service account, also a host's own: its commits do not count, as in reports. */
const isBot = ({ kind }: Author): boolean => kind === 'bot' || kind === 'host';

const reasonOf = ({ notCounted, author }: CommitSums): NotCounted | 'bot' | null =>
  notCounted ?? (isBot(author) ? 'bot' : null);

/** What one commit adds to the sums, kept until the end: which commits count is known only then. */
interface CommitSums {
  /** The author of record. */
  readonly author: Author;
  readonly agent: Author | null;
  readonly authoredAt: number;
  readonly skipReasons: readonly SkipReason[];
  readonly hasEvidence: boolean;
  readonly evidence: EvidenceClass | null;
  readonly model: string | null;
  notCounted: NotCounted | null;
  /** Its row among the sums of files; null until the final files are known. */
  files: number | null;
}

export function createSummary(): Summary {
  const commits = new Map<string, CommitSums>();
  const sums = new FileSums();
  const authorOf = createAuthorLookup();
  return {
    add({ fact, rows }) {
      if (commits.has(fact.sha) && rows === null) return;
      const author = authorOf(fact.author);
      const agent = author.kind === 'ai_agent' ? author : null;
      const director = agent === null ? null : authorOfRecord(fact, directorsOf(fact));
      commits.set(fact.sha, {
        author: director === null ? author : authorOf(director),
        agent,
        // A date may lie in any millennium; a chart of all its weeks would not end.
        authoredAt: storableSeconds(fact.authored.at),
        skipReasons: skipReasonsOf(fact),
        hasEvidence: fact.contributor_kind !== 'unknown',
        evidence: fact.ai[0] === undefined ? null : evidenceClassOf(fact.ai[0].source),
        model: fact.ai[0]?.model ?? null,
        notCounted: fact.not_counted,
        files: rows === null ? null : sums.add(rows),
      });
    },
    finish({ sha, rows }) {
      const commit = commits.get(sha);
      if (commit !== undefined) commit.files ??= sums.add(rows);
    },
    judge({ sha, not_counted }) {
      const commit = commits.get(sha);
      if (commit !== undefined) commit.notCounted = not_counted;
    },
    reasons() {
      const reasons = new Map<string, NotCounted | 'bot'>();
      for (const [sha, commit] of commits) {
        const reason = reasonOf(commit);
        if (reason !== null) reasons.set(sha, reason);
      }
      return reasons;
    },
    totals: () => sumUp(commits.values(), sums),
  };
}

const NOT_SKIPPED: readonly SkipReason[] = [];

function skipReasonsOf({ limits }: CommitFact): readonly SkipReason[] {
  if (limits.length === 0) return NOT_SKIPPED;
  return [...new Set(limits.map(({ reason }) => reason).filter(isSkipReason))];
}

/** Finds out once for each spelling who an author is: doing it for each commit costs too much. */
function createAuthorLookup(): (author: Identity) => Author {
  const known = new Map<string, Author>();
  return (author) => {
    const spelling = `${author.email}\n${author.name}`;
    let found = known.get(spelling);
    if (found === undefined) {
      found = { key: identityKey(author), kind: identityKind(author) };
      known.set(spelling, found);
    }
    return found;
  };
}

function sumUp(commits: Iterable<CommitSums>, fileSums: FileSums): SummaryTotals {
  const counted = fileSums.sum();
  const notCounted = zeros(NOT_COUNTED);
  const skipReasons = zeros(SKIP_REASONS);
  const people = new Set<string>();
  const agents = new Set<string>();
  const bots = new Set<string>();
  const modelLines = new Map<string, number>();
  const weeks = new Map<number, number>();
  let [commitCount, skippedCount, agentCommitCount, botCommitCount, aiCommitCount] = [0, 0, 0, 0, 0];
  let [firstAt, lastAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [linesChanged, linesWithEvidence] = [0, 0];
  let [aiLines, aiLinesLow, aiLinesHigh] = [0, 0, 0];
  for (const commit of commits) {
    const { author, agent, authoredAt, files, evidence, model } = commit;
    if (files === null) continue;
    if (commit.skipReasons.length > 0) skippedCount += 1;
    for (const reason of commit.skipReasons) skipReasons[reason] += 1;
    const reason = reasonOf(commit);
    if (reason === 'bot') {
      bots.add(author.key);
      botCommitCount += 1;
    } else if (reason !== null) notCounted[reason] += 1;
    if (reason !== null) continue;
    commitCount += 1;
    if (author.kind === 'person') people.add(author.key);
    if (agent !== null) {
      agents.add(agent.key);
      agentCommitCount += 1;
    }
    firstAt = Math.min(firstAt, authoredAt);
    lastAt = Math.max(lastAt, authoredAt);
    const numbers = counted.add(files);
    let changed = 0;
    for (let i = 0; i < OPERATIONS.length; i++) changed += numbers[SUM_COLUMNS.operations + i]!;
    linesChanged += changed;
    if (commit.hasEvidence) linesWithEvidence += changed;
    if (evidence !== null) {
      const written = numbers[SUM_COLUMNS.aiLineThousandths]!;
      const credited = (written * DEFAULT_WEIGHTS[evidence]) / WHOLE;
      aiCommitCount += 1;
      aiLines += credited;
      aiLinesLow += EVIDENCE_CLASSES[evidence].isSure ? written : 0;
      aiLinesHigh += changed * WHOLE;
      if (model !== null && credited > 0) addTo(modelLines, model, credited);
    }
    addTo(weeks, weekOf(authoredAt), numbers[SUM_COLUMNS.deltaThousandths]!);
  }
  const totalsOf = <Key extends string>(keys: readonly Key[], first: number) =>
    Object.fromEntries(keys.map((key, i) => [key, counted.total(first + i)])) as Record<Key, number>;
  const leftOut = totalsOf(LEFT_OUT_CATEGORIES, SUM_COLUMNS.leftOut);
  const linesLeftOut = LEFT_OUT_CATEGORIES.reduce((sum, category) => sum + leftOut[category], 0);
  return {
    commit_count: commitCount,
    not_counted: notCounted,
    skipped_commit_count: skippedCount,
    skip_reasons: skipReasons,
    developer_count: people.size,
    agent_count: agents.size,
    agent_commit_count: agentCommitCount,
    bot_count: bots.size,
    bot_commit_count: botCommitCount,
    first_commit_authored_at: commitCount === 0 ? null : isoTime(firstAt),
    last_commit_authored_at: commitCount === 0 ? null : isoTime(lastAt),
    diff_delta: thousandthsToNumber(counted.total(SUM_COLUMNS.deltaThousandths)),
    lines_changed: linesChanged,
    lines_left_out: {
      lines: linesLeftOut,
      percent: linesLeftOut === 0 ? 0 : Math.round((1000 * linesLeftOut) / (linesChanged + linesLeftOut)) / 10,
      by_category: leftOut,
    },
    lines_churned: counted.total(SUM_COLUMNS.linesChurned),
    line_operation_counts: totalsOf(OPERATIONS, SUM_COLUMNS.operations),
    line_age_counts: totalsOf(AGES, SUM_COLUMNS.ages),
    ai_lines: linesWithEvidence === 0 ? null : thousandthsToNumber(Math.round(aiLines)),
    ai_lines_low: linesWithEvidence === 0 ? null : thousandthsToNumber(aiLinesLow),
    ai_lines_high: linesWithEvidence === 0 ? null : thousandthsToNumber(aiLinesHigh),
    ai_commit_count: aiCommitCount,
    lines_with_evidence: linesWithEvidence,
    ai_models: largestFirst(modelLines).map(([name, lines]) => ({
      model: name,
      ai_lines: thousandthsToNumber(Math.round(lines)),
    })),
    weeks: [...weeks]
      .sort(([a], [b]) => a - b)
      .map(([start, sum]) => ({ start_date: dateIn(start, 'UTC'), diff_delta: thousandthsToNumber(sum) })),
    most_rewritten_files: largestFirst(counted.rewritten())
      .slice(0, REWRITTEN_SHOWN)
      .map(([path, lines]) => ({ path, lines_rewritten: lines })),
  };
}

function zeros<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
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
