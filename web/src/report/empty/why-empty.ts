// Why a chart has nothing to show. Nine reasons, decided in this order; each names one thing to do.

import { isUnknown } from '../../api/blank-unknown.ts';
import type { ImportedRepo, Report, Segment } from '../../api/queries.ts';
import { isBusy } from '../../api/queries.ts';
import { importedFrom, seesNobody } from '../../api/said-of-report.ts';
import { addDays, formatDay } from '../../text/dates.ts';
import { countOf, formatCount } from '../../text/numbers.ts';
import { inSentence, sentence, UNKNOWN_WHY } from '../../text/words.ts';
import type { Days } from '../../url/range.ts';
import type { View } from '../../url/view.ts';

export type EmptyReason =
  | 'no repo'
  | 'import under way'
  | 'import failed'
  | 'data missing'
  | 'outside the data'
  | 'filters'
  | 'withheld'
  | 'not visible'
  | 'zero';

export interface EmptyAnswer {
  readonly reason: EmptyReason;
  readonly title: string;
  readonly text: string;
  /** The view that would show something, or the page to go to. */
  readonly action:
    | { readonly label: string; readonly change: Partial<View> }
    | { readonly label: string; readonly page: 'imports' }
    | null;
  /** A line to copy that sends what is missing. */
  readonly command: string | null;
}

export interface EmptyFacts {
  readonly segment: Segment;
  readonly report: Report | undefined;
  readonly repos: readonly ImportedRepo[];
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly days: Days;
  readonly view: View;
  /** What people call the team, if one is chosen. */
  readonly teamName: string | null;
  /** The same of an AI provider. */
  readonly providerName: string | null;
}

const needsCommits = ({ data_requirements: kinds }: Segment): boolean => kinds.some((kind) => kind === 'commits');

const EVIDENCE_COMES_FROM =
  'Whether AI had a part is not known: tools leave evidence as co-authors and notes of commits, in the names of agents, and in reports of their use.';

export function explainEmpty(facts: EmptyFacts): EmptyAnswer {
  const { segment, report, repos, view } = facts;
  const importing = hasData(facts) ? null : explainImports(repos);
  // Without commits the import is what there is to say, not which kinds of data are missing because of it.
  if (importing !== null && needsCommits(segment)) return importing;
  if (!segment.is_available) return missingData(segment.missing, segment.unavailable_reason);
  if (importing !== null && importing.reason !== 'no repo') return importing;
  // The statistic has its data, and its split has not: there are no teams to split it by.
  if (report?.missing !== undefined && report.missing.length > 0) return missingData(report.missing, null);
  const outside = notImported(facts) ?? outsideData(facts);
  if (outside !== null) return outside;
  if (report !== undefined && seesNobody(report)) return notVisible(report);
  const withheld = report?.context.withheld;
  if (withheld !== undefined) {
    return answer(
      'withheld',
      fewerThan(withheld.floor),
      `Figures of groups this small are withheld, so that they do not single anybody out. ${countOf(withheld.contributors, 'person', 'people')} stand behind this one.`,
      view.team === null ? null : { label: 'Show all teams', change: { team: null, at: null } },
    );
  }
  if (report !== undefined && isUnknown(report)) {
    return answer('data missing', 'Unknown, not zero', `${UNKNOWN_WHY} ${EVIDENCE_COMES_FROM}`, null);
  }
  const filters = chosenFilters(facts);
  if (filters.length > 0) {
    const [last] = filters.slice(-1) as [Filter];
    return answer(
      'filters',
      `Nothing ${filters.map(({ words }) => words).join(' ')} in these days`,
      'The chosen filters leave no record.',
      { label: `Remove ${last.name}`, change: { ...last.without, at: null } },
    );
  }
  if (report !== undefined && report.context.contributors.covered < report.context.contributors.total) {
    return notVisible(report);
  }
  return nothingCounted(segment);
}

/** Of an entity without a commit: what its imports do, or that there is none. Null where they are complete. */
export function explainImports(repos: readonly ImportedRepo[]): EmptyAnswer | null {
  if (repos.length === 0) {
    return answer('no repo', 'Nothing imported yet', 'Import a repository and its charts appear here.', {
      label: 'Import a repository',
      page: 'imports',
    });
  }
  const busy = repos.find(isBusy);
  if (busy !== undefined) {
    return answer(
      'import under way',
      `Importing, ${formatCount(busy.percent_complete)} % done`,
      'Sums fill in as commits are read; shares follow when the import is complete.',
      { label: 'Watch the import', page: 'imports' },
    );
  }
  const failed = repos.find(({ phase_em: phase }) => phase === 'failed');
  if (failed === undefined) return null;
  return answer('import failed', `The import of ${failed.repo_path} failed`, sentence(failed.error_detail), {
    label: 'Retry or change it',
    page: 'imports',
  });
}

/** Of a group that is too small to be shown. */
export const fewerThan = (floor: number): string => `Fewer than ${formatCount(floor)} people`;

function notVisible({ context: { contributors } }: Report): EmptyAnswer {
  return answer(
    'not visible',
    `${formatCount(contributors.total - contributors.covered)} of ${formatCount(contributors.total)} people are not yours to see`,
    'An admin decides whose figures each role sees, and whose commits are counted.',
    null,
  );
}

/** Days before the window of an import: there may have been commits, and nobody looked. */
function notImported({ report, days }: EmptyFacts): EmptyAnswer | null {
  const from = report === undefined ? null : importedFrom(report);
  if (from === null || days.end >= from) return null;
  return answer('outside the data', notImportedBefore(from), IMPORT_FURTHER_BACK, {
    label: 'Import further back',
    page: 'imports',
  });
}

export const notImportedBefore = (day: string): string => `Not imported before ${formatDay(day)}`;

export const IMPORT_FURTHER_BACK =
  'A repo that is imported again with “Everything”, or by strata import --since all, is read from its beginning.';

/** A count of none is an answer; a share of none, or a mean, has no value, which is something else. */
function nothingCounted({ title, interval_combination: combination, divided_by: base }: Segment): EmptyAnswer {
  if (combination === 'sum') return answer('zero', 'Nothing happened', `${title}: none in these days.`, null);
  const why = base === null ? 'nothing in these days has one yet.' : `these days have no ${base} to divide by yet.`;
  return answer('zero', 'No value in these days', `${title}: ${why}`, null);
}

const answer = (
  reason: EmptyReason,
  title: string,
  text: string,
  action: EmptyAnswer['action'],
  command: string | null = null,
): EmptyAnswer => ({ reason, title, text, action, command });

const hasData = ({ firstDay }: EmptyFacts): boolean => firstDay !== null;

function missingData([missing]: Segment['missing'], reason: string | null | undefined): EmptyAnswer {
  if (missing === undefined) {
    return answer('data missing', 'The data for this is missing', sentence(reason ?? ''), null);
  }
  return answer(
    'data missing',
    `Needs ${inSentence(missing.title)}`,
    missing.remedy,
    missing.page === 'imports' ? { label: 'Go to imports', page: 'imports' } : null,
    missing.page === 'imports' ? null : missing.curl,
  );
}

function outsideData({
  segment,
  firstDay,
  lastDay,
  days,
}: Pick<EmptyFacts, 'segment' | 'firstDay' | 'lastDay' | 'days'>): EmptyAnswer | null {
  if (firstDay === null || lastDay === null || !needsCommits(segment)) return null;
  if (!isOutside(days, firstDay, lastDay)) return null;
  return answer(
    'outside the data',
    days.start > lastDay ? 'No commits in these days yet' : 'These days are before the first commit',
    `There are commits from ${formatDay(firstDay)} to ${formatDay(lastDay)}.`,
    { label: 'Show the last days with commits', change: { range: lastDaysOf(firstDay, lastDay), at: null } },
  );
}

const SHOWN_DAYS = 90;

const isOutside = (days: Days, firstDay: string, lastDay: string): boolean =>
  days.end < firstDay || days.start > lastDay;

/** The last 90 days up to the newest commit, as the address writes them. */
export function lastDaysOf(firstDay: string, lastDay: string): string {
  const start = addDays(lastDay, 1 - SHOWN_DAYS);
  return `${start < firstDay ? firstDay : start}..${lastDay}`;
}

/** Whether a statistic of commits is shown for days that have none, where all its values are 0 or absent. */
export const hasNothingBecauseOutside = (
  facts: Pick<EmptyFacts, 'segment' | 'firstDay' | 'lastDay' | 'days'>,
): boolean => outsideData(facts) !== null;

/** Whether there cannot be anything to show, whatever is answered: what stands around a chart is left out then. */
export const isEmptyFromTheStart = (facts: Pick<EmptyFacts, 'segment' | 'firstDay' | 'lastDay' | 'days'>): boolean =>
  !facts.segment.is_available ||
  (facts.firstDay === null && needsCommits(facts.segment)) ||
  hasNothingBecauseOutside(facts);

interface Filter {
  readonly name: string;
  readonly words: string;
  readonly without: Partial<View>;
}

function chosenFilters({ view, teamName, providerName }: EmptyFacts): Filter[] {
  const filters: Filter[] = [];
  if (view.who !== null) filters.push({ name: view.who, words: `of ${view.who}`, without: { who: null } });
  if (view.team !== null) {
    filters.push({
      name: `team ${teamName ?? view.team}`,
      words: `of team ${teamName ?? view.team}`,
      without: { team: null },
    });
  }
  if (view.ai !== null) {
    filters.push({ name: providerName ?? view.ai, words: `by ${providerName ?? view.ai}`, without: { ai: null } });
  }
  if (view.in !== null) filters.push({ name: view.in, words: `in ${view.in}`, without: { in: null } });
  return filters;
}
