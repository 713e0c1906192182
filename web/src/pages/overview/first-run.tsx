// Nothing is imported yet: one field, and the page turns into the first chart by itself.
import { ImportForm } from '../../imports/import-form.tsx';
import { usePage } from '../../report/page-context.ts';
import { Panel } from '../../ui/surfaces/panel.tsx';
import styles from './overview.module.css';

export function FirstRun() {
  const { entity } = usePage();
  return (
    <div className={styles.first} data-first-run="">
      <title>{`Welcome · ${entity.name} · Strata`}</title>
      <header>
        <h1>Import your first repository</h1>
        <p className={styles.lead}>
          Strata reads its history line by line: what was added, rewritten, moved or copied, whose line it replaced, and
          how long it had lived. The first chart appears while it reads.
        </p>
      </header>
      <Panel title="Import">
        <ImportForm />
      </Panel>
    </div>
  );
}
