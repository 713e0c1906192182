// Everything that is collected from Linear, and whether a key reads it.
import { HostError } from '../../../domain/repos/code-host.ts';
import type { TrackerAccount, VerifiedTracker } from '../../../domain/work/tracker-site.ts';
import { type CollectorParts, createCollector } from '../../collect/collector.ts';
import { viewer } from './answers.ts';
import { createLinearClient } from './client.ts';
import { VIEWER } from './queries.ts';
import { cycles, issues, oneIssue, projects, states } from './streams.ts';

export const linearCollector = createCollector({
  streams: [states, issues, projects, cycles],
  items: [oneIssue],
  resourceOf: () => 'core',
  connect(account, parts) {
    if (account.source !== 'tracker') throw new Error('Linear is a tracker');
    return createLinearClient(account, parts);
  },
});

export async function verifyLinear(
  account: TrackerAccount,
  parts: CollectorParts,
  signal: AbortSignal,
): Promise<VerifiedTracker> {
  const found = await createLinearClient(account, parts).query(VIEWER, {}, viewer, signal);
  if (found.teams.nodes.length === 0) throw new HostError('insufficient_scope', "the key's owner sees no team");
  const { name, email, organization } = found.viewer;
  return {
    name: organization.name,
    account_name: name ?? email ?? '',
    project_count: found.teams.nodes.length,
    workspace: organization.urlKey,
  };
}
