// One repo and how its import stands.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { type ImportedRepo, isBusy } from '../api/queries.ts';
import { mayCall, usePage } from '../report/page-context.ts';
import { formatRelative } from '../text/dates.ts';
import { countOf, formatCount } from '../text/numbers.ts';
import { capitalize, wireWords } from '../text/words.ts';
import { Button } from '../ui/controls/button.tsx';
import { ProgressBar } from '../ui/marks/progress-bar.tsx';
import { Notice } from '../ui/surfaces/notice.tsx';
import styles from './import-row.module.css';

export function ImportRow({ repo }: { readonly repo: ImportedRepo }) {
  const page = usePage();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const retry = useMutation({
    mutationFn: () => call('POST /imports', { resource_path: page.entity.slug, repo_path: repo.repo_path }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['imports', page.entity.slug] }),
  });
  const hasFailed = repo.phase_em === 'failed';
  const remarks = repo.skipped_commit_count + repo.left_out_branches.length;
  return (
    <li className={styles.row} data-phase={repo.phase_em}>
      <div className={styles.line}>
        <span className={styles.name}>{repo.repo_path}</span>
        <span className={styles.state}>{describeState(repo, new Date())}</span>
        {hasFailed && mayCall(page, 'POST /imports') ? (
          <Button size="small" onClick={() => retry.mutate()} disabled={retry.isPending}>
            Retry
          </Button>
        ) : null}
      </div>
      {isBusy(repo) && (
        <div className={styles.progress}>
          <ProgressBar label={`Import of ${repo.repo_path}`} percent={repo.percent_complete} />
          <p className={styles.numbers}>{describeProgress(repo)}</p>
        </div>
      )}
      {hasFailed && <Notice kind="error">{capitalize(repo.error_detail)}</Notice>}
      {retry.error === null ? null : <Notice kind="error">{capitalize(retry.error.message)}</Notice>}
      {remarks > 0 && (
        <div>
          <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {remarkWords(repo)}
          </button>
          {isOpen && <Remarks repo={repo} />}
        </div>
      )}
    </li>
  );
}

const remarkWords = (repo: ImportedRepo): string =>
  [
    repo.skipped_commit_count > 0 ? `${countOf(repo.skipped_commit_count, 'commit')} not read in full` : '',
    repo.left_out_branches.length > 0 ? `${countOf(repo.left_out_branches.length, 'branch', 'branches')} left out` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');

function Remarks({ repo }: { readonly repo: ImportedRepo }) {
  return (
    <ul className={styles.remarks}>
      {repo.skipped_commits.map(({ sha, reason, path }) => (
        <li key={`${sha} ${path}`}>
          <code>{sha.slice(0, 7)}</code> {wireWords(reason)}
          {path === '' ? null : (
            <>
              {' '}
              in <code>{path}</code>
            </>
          )}
        </li>
      ))}
      {repo.skipped_commit_count > repo.skipped_commits.length && (
        <li>and {formatCount(repo.skipped_commit_count - repo.skipped_commits.length)} more</li>
      )}
      {repo.left_out_branches.map(({ name, reason, commit_count: count }) => (
        <li key={name}>
          <code>{name}</code>, {countOf(count, 'commit')}:{' '}
          {reason === 'orphan' ? 'shares no commit with the default branch' : 'left out by a pattern of the settings'}
        </li>
      ))}
    </ul>
  );
}

export function describeState(repo: ImportedRepo, now: Date): string {
  switch (repo.phase_em) {
    case 'waiting':
      return 'Waiting for a worker';
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
