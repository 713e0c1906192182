// What was imported and what is under way, from where, and a form for more.
import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, type ImportedRepo, isBusy } from '../../api/queries.ts';
import { ImportForm } from '../../imports/import-form.tsx';
import { ImportRow } from '../../imports/import-row.tsx';
import { mayCall, usePage } from '../../report/page-context.ts';
import { formatDay, formatRelative } from '../../text/dates.ts';
import { countOf } from '../../text/numbers.ts';
import { sentence } from '../../text/words.ts';
import { CopyLine, Empty } from '../../ui/surfaces/empty.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import layout from '../../ui/surfaces/page.module.css';
import { Panel } from '../../ui/surfaces/panel.tsx';
import styles from './imports.module.css';

/** What needs attention first. */
const rankOf = (repo: ImportedRepo): number => (isBusy(repo) ? 0 : repo.phase_em === 'failed' ? 1 : 2);

export function ImportsPage() {
  const page = usePage();
  const { imports, entity } = page;
  const repos = imports.repos.toSorted((a, b) => rankOf(a) - rankOf(b) || a.repo_path.localeCompare(b.repo_path));
  const { first_on: first, last_on: last } = imports.data;
  return (
    <div className={layout.page}>
      <title>{`Imports · ${entity.name} · Strata`}</title>
      <header className={layout.head}>
        <h1>Imports</h1>
        <p>{first === null || last === null ? null : `Commits from ${formatDay(first)} to ${formatDay(last)}`}</p>
      </header>
      {imports.has_worker || !repos.some(isBusy) ? null : (
        <Notice kind="warning">
          No worker is running, so imports wait. Start one with <code>strata worker</code> or <code>strata serve</code>.
        </Notice>
      )}
      <div className={styles.columns}>
        <Panel title="Repos" note={repos.length === 0 ? undefined : countOf(repos.length, 'repo')}>
          {repos.length === 0 ? (
            <Empty title="Nothing imported yet" text="The bar of an import appears here." reason="no repo" />
          ) : (
            <ul>
              {repos.map((repo) => (
                <ImportRow key={repo.id} repo={repo} />
              ))}
            </ul>
          )}
        </Panel>
        <div className={layout.page}>
          <Panel title="Import">
            <ImportForm />
          </Panel>
          {mayCall(page, 'GET /connections') && <Connections />}
        </div>
      </div>
    </div>
  );
}

const STATES = { ok: 'Connected', listing: 'Listing repos', failed: 'Failed' } as const;

function Connections() {
  const { entity, segments } = usePage();
  const line = segments.get('pr_cycle')?.missing.find(({ data_kind: kind }) => kind === 'pull_requests')?.curl;
  const { data, error } = useQuery(connectionsQuery(entity.slug));
  return (
    <Panel title="Connections to code hosts">
      {error === null ? null : <Notice kind="error">{sentence(error.message)}</Notice>}
      {data !== undefined && data.connections.length === 0 ? (
        <>
          <p className={styles.quiet}>
            None yet. A connection lists a host’s repositories, lets them be imported by name, and collects their pull
            requests and issues. It needs a token that the code host gave you.
          </p>
          {line === null || line === undefined ? null : <CopyLine line={line} />}
        </>
      ) : null}
      <ul className={styles.connections}>
        {(data?.connections ?? []).map((connection) => (
          <li key={connection.id} data-state={connection.state_em}>
            <p className={styles.name}>
              <b>{connection.git_provider_title}</b> <span className={styles.state}>{STATES[connection.state_em]}</span>
            </p>
            <p className={styles.quiet}>
              {[
                connection.endpoint_url?.replace(/^https?:\/\//, '') ?? null,
                connection.state_em === 'listing' ? null : countOf(connection.repo_count, 'repo'),
                connection.last_listed_at === null
                  ? null
                  : `listed ${formatRelative(connection.last_listed_at, new Date())}`,
              ]
                .filter((text) => text !== null && text !== '')
                .join(' · ')}
            </p>
            {connection.error_detail === null || connection.error_detail === '' ? null : (
              <Notice kind="error">{sentence(connection.error_detail)}</Notice>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
