// How an import stands, in words.
import type { ImportedRepo } from '../api/queries.ts';
import { formatRelative } from '../text/dates.ts';
import { countOf, formatCount } from '../text/numbers.ts';

export function describeState(repo: ImportedRepo, now: Date): string {
  switch (repo.phase_em) {
    case 'waiting':
      return describeWait(repo, now);
    case 'fetching':
      return 'Fetching from its host';
    case 'reading':
      return `${formatCount(repo.percent_complete)} %`;
    case 'offered':
      return 'Offered, waits for acceptance';
    case 'failed':
      return 'Failed';
    case 'complete': {
      const last = repo.last_processed_at ?? repo.finished_at;
      return [
        countOf(repo.commits_complete_count, 'commit'),
        ...(last === null ? [] : [formatRelative(last, now)]),
        ...(repo.next_look_at === null ? [] : [`looks again ${formatRelative(repo.next_look_at, now)}`]),
      ].join(' · ');
    }
  }
}

/** Failed before the first commit, as at a mistyped address: to be rid of it takes nothing away, and needs no question. */
export const hasNothingToLose = (
  repo: Pick<ImportedRepo, 'phase_em' | 'commit_processed_count' | 'pull_request_processed_count'>,
): boolean =>
  repo.phase_em === 'failed' && repo.commit_processed_count === 0 && repo.pull_request_processed_count === 0;

const WAITS: Readonly<Record<NonNullable<ImportedRepo['waits_for_em']>, string>> = {
  retry: 'The last attempt failed',
  quota: 'The host allows no more calls for now',
  worker: 'Waiting: no worker is running',
  turn: 'Waiting for its turn',
};

/** An attempt that is due later says when. */
function describeWait({ waits_for_em: reason, waits_until: until }: ImportedRepo, now: Date): string {
  const words = reason === null ? 'Waiting to start' : WAITS[reason];
  if (until === null) return words;
  const when = formatRelative(until, now);
  return `${words}, tries again ${when === 'just now' ? 'shortly' : when}`;
}

export function describeProgress(repo: ImportedRepo): string {
  const expected = repo.expected_commit_count;
  return [
    expected === null || expected === 0
      ? countOf(repo.commit_processed_count, 'commit')
      : `${formatCount(repo.commit_processed_count)} of ${countOf(expected, 'commit')}`,
    ...(repo.commits_per_second === null ? [] : [`${formatCount(repo.commits_per_second)}/s`]),
    ...(repo.seconds_left === null ? [] : [`${formatSeconds(repo.seconds_left)} left`]),
  ].join(' · ');
}

const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${formatCount(Math.max(1, Math.round(seconds)))} s` : `${formatCount(Math.round(seconds / 60))} min`;
