// Settings of imports for tests: everything below one folder, no waiting between attempts.
import { join } from 'node:path';
import { CURRENT_DERIVATION } from '../../src/domain/commits/current-derivation.ts';
import type { ImportSettings } from '../../src/jobs/import/refs.ts';

export const importSettings = (folder: string, changes: Partial<ImportSettings> = {}): ImportSettings => ({
  mirrorsFolder: join(folder, 'mirrors'),
  knownHostsFile: join(folder, 'known_hosts'),
  childEnvironment: { PATH: process.env.PATH ?? '' },
  mirrorLimitBytes: 1_000_000_000,
  fetchTimeoutSeconds: 60,
  refreshMinutes: 15,
  batchBytes: 1_000_000,
  threads: 2,
  derivation: CURRENT_DERIVATION,
  retrySeconds: [],
  ...changes,
});
