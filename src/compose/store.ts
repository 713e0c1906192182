// The database of the configuration. By itself, so that commands that only ask it do not load the service.
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import { Teardown } from '../kit/teardown.ts';
import { openStore, type Store } from '../storage/database/handle.ts';
import { startEmbedded } from '../storage/embedded/start-embedded.ts';

export interface OpenStore {
  readonly store: Store;
  close(): Promise<void>;
}

/** The database named in the configuration, or the embedded one: joined if it runs, started if not. */
export async function openConfiguredStore(
  config: Config,
  log: Logger,
  /** How long to wait for a database that does not answer. */
  retryMilliseconds = 15_000,
): Promise<OpenStore> {
  const teardown = new Teardown();
  return teardown.guard(async () => {
    let databaseUrl = config.database_url;
    if (databaseUrl === null) {
      const embedded = await startEmbedded({ dataDir: config.data, log });
      teardown.add(() => embedded.stop());
      databaseUrl = embedded.databaseUrl;
    }
    const store = await openStore({
      databaseUrl,
      poolSize: config.database_pool_size,
      connectRetryMilliseconds: retryMilliseconds,
      log,
    });
    teardown.add(() => store.close());
    return { store, close: () => teardown.run() };
  });
}
