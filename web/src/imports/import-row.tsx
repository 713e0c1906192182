// One repo and how its import stands.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { type ImportedRepo, isBusy } from '../api/queries.ts';
import { mayCall, usePage } from '../report/page-context.ts';
import { countOf, formatCount } from '../text/numbers.ts';
import { sentence, wireWords } from '../text/words.ts';
import { Button } from '../ui/controls/button.tsx';
import { ProgressBar } from '../ui/marks/progress-bar.tsx';
import { Notice } from '../ui/surfaces/notice.tsx';
import { describeProgress, describeState, hasNothingToLose } from './describe-import.ts';
import styles from './import-row.module.css';

export function ImportRow({ repo }: { readonly repo: ImportedRepo }) {
  const page = usePage();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const asked = { resource_path: page.entity.slug, repo_path: repo.repo_path };
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['imports', page.entity.slug] });
  const retry = useMutation({ mutationFn: () => call('POST /imports', asked), onSuccess });
  const remove = useMutation({ mutationFn: () => call('DELETE /imports', asked), onSuccess });
  const isWorking = retry.isPending || remove.isPending;
  const hasFailed = repo.phase_em === 'failed';
  const remarks = repo.skipped_commit_count + repo.left_out_branches.length + repo.cut_off_commit_count;
  return (
    <li className={styles.row} data-phase={repo.phase_em}>
      <div className={styles.line}>
        <span className={styles.name}>{repo.repo_path}</span>
        <span className={styles.state}>{describeState(repo, new Date())}</span>
        {hasFailed && mayCall(page, 'POST /imports') ? (
          <Button size="small" onClick={() => retry.mutate()} disabled={isWorking}>
            Retry
          </Button>
        ) : null}
        {hasNothingToLose(repo) && mayCall(page, 'DELETE /imports') ? (
          <Button size="small" onClick={() => remove.mutate()} disabled={isWorking}>
            Remove
          </Button>
        ) : null}
      </div>
      {isBusy(repo) && (
        <div className={styles.progress}>
          <ProgressBar label={`Import of ${repo.repo_path}`} percent={repo.percent_complete} />
          <p className={styles.numbers}>{describeProgress(repo)}</p>
        </div>
      )}
      {(hasFailed || repo.waits_for_em === 'retry') && repo.error_detail !== '' && (
        <Notice kind="error">{sentence(repo.error_detail)}</Notice>
      )}
      {[...new Set([retry, remove].flatMap(({ error }) => error?.message ?? []))].map((message) => (
        <Notice key={message} kind="error">
          {sentence(message)}
        </Notice>
      ))}
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
    repo.cut_off_commit_count > 0 ? 'history cut off' : '',
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
      {repo.cut_off_commit_count > 0 && (
        <li>
          the source is a shallow clone; <code>git fetch --unshallow</code> in it brings what is before{' '}
          {countOf(repo.cut_off_commit_count, 'commit')}
        </li>
      )}
    </ul>
  );
}
