// Each night: some of what is stored is to be read again at the hosts and compared, because webhooks and lists of changes
// leave gaps. The tokens do it when nothing more urgent is due.
import { GIT_PROVIDER_NAMES } from '../../domain/repos/code-host.ts';
import { TRACKER_KINDS } from '../../domain/work/issue.ts';
import { wantComparisons } from '../../storage/collect/reconciliations.ts';
import type { Task } from '../task.ts';

export const reconcileHosts: Task<'reconcile_hosts'> = {
  description: 'Chooses what is read again at code hosts and trackers and compared with what is stored.',
  cron: { pattern: '41 1 * * *', payload: {} },
  async run(_payload, { log }, { store, collectors, now }) {
    const trackerKinds = Object.keys(TRACKER_KINDS).filter(
      (kind) => collectors?.itemsOf(kind).includes('issue') === true,
    );
    const lateStreams = GIT_PROVIDER_NAMES.flatMap((provider) =>
      (collectors?.streamsOf(provider) ?? []).flatMap(({ name, changesForDays }) =>
        changesForDays === undefined ? [] : [{ provider, stream: name, days: changesForDays }],
      ),
    );
    const wanted = await wantComparisons(store.db, { trackerKinds, lateStreams }, now());
    if (wanted > 0) log.info({ wanted }, 'pull requests and issues are to be compared with their hosts and trackers');
  },
};
