// The table of trackers that can be connected, and how an account finds its own.
import type { ConnectedKind, TrackerAccount, TrackerSites, VerifiedTracker } from '../../domain/work/tracker-site.ts';
import type { CollectorParts } from '../collect/collector.ts';
import { createCollectors } from '../collect/collectors.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../http/guarded-fetch.ts';
import { verifyAzureBoards } from './azure-boards/verify.ts';
import { verifyJira } from './jira/verify.ts';
import { verifyLinear } from './linear/collector.ts';

type VerifyTracker = (account: TrackerAccount, parts: CollectorParts, signal: AbortSignal) => Promise<VerifiedTracker>;

const VERIFIERS: Record<ConnectedKind, VerifyTracker> = {
  azure_boards: verifyAzureBoards,
  jira: verifyJira,
  jira_server: verifyJira,
  linear: verifyLinear,
};

export function createTrackerSites({ now, ...options }: GuardedFetchOptions & { now(): Date }): TrackerSites {
  const fetch = createGuardedFetch(options);
  const collectors = createCollectors({ now, ...options });
  return {
    streamsOf: async (kind) => collectors.streamsOf(kind),
    verify: (account, signal) => VERIFIERS[account.kind](account, { fetch, now }, signal),
  };
}
