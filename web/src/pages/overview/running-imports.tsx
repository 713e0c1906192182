// Imports under way, above the figures they are filling.
import { isBusy } from '../../api/queries.ts';
import { ImportRow } from '../../imports/import-row.tsx';
import { usePage } from '../../report/page-context.ts';
import { Panel } from '../../ui/surfaces/panel.tsx';

export function RunningImports() {
  const { imports } = usePage();
  return (
    <Panel title="Importing" note="Sums fill in as commits are read; shares are final when the import is complete.">
      <ul>
        {imports.repos.filter(isBusy).map((repo) => (
          <ImportRow key={repo.id} repo={repo} />
        ))}
      </ul>
    </Panel>
  );
}
