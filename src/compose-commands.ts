// The parts of the service as the command line wants them: each command opens what it needs and closes
// it again, beside a running server or alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ENDPOINTS } from './api/endpoints/index.ts';
import { generatedApiFiles } from './api/generated-files.ts';
import type { CliParts, FlagValues } from './cli/cli-parts.ts';
import type { Terminal } from './cli/program.ts';
import { openConfiguredStore, type ServiceParts, startService, startWorkerOnly } from './compose.ts';
import { configFlags, describeConfig } from './config/describe-config.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { processInput } from './config/process-input.ts';
import { renderSettingsPage } from './config/settings-page.ts';
import { createLog } from './kit/create-log.ts';
import { watchSignals } from './kit/watch-signals.ts';
import { createOperations } from './operations/index.ts';
import { backup } from './storage/backup.ts';
import type { Store } from './storage/handle.ts';
import { migrate, migrationStatus } from './storage/migrate.ts';
import { restore } from './storage/restore.ts';

/** Somebody is waiting at the terminal; a service would rather wait for its database. */
const COMMAND_PATIENCE_MILLISECONDS = 2_000;

export function createCliParts(packageFolder: string, terminal: Terminal): CliParts {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const load = (flags: FlagValues): LoadedConfig => loadConfig(processInput(flags, packageFolder));

  /** Configuration and log of a command; a command that only answers a question logs warnings at most. */
  const prepare = (flags: FlagValues, isService: boolean): LoadedConfig & ServiceParts => {
    const loaded = load(flags);
    const { config, sources, warnings } = loaded;
    const level = !isService && sources.log_level === 'default' ? 'warn' : config.log_level;
    const log = createProcessLog(level, config.log_format);
    for (const warning of warnings) log.warn(warning);
    return { ...loaded, log, now: () => new Date() };
  };

  const withStore = async <T>(
    flags: FlagValues,
    run: (store: Store, parts: ServiceParts) => Promise<T>,
  ): Promise<T> => {
    const parts = prepare(flags, false);
    const config = { ...parts.config, database_pool_size: 2 };
    const { store, close } = await openConfiguredStore(config, parts.log, COMMAND_PATIENCE_MILLISECONDS);
    try {
      return await run(store, parts);
    } finally {
      await close();
    }
  };

  return {
    version,
    packageFolder,
    configFlags: configFlags(),

    describeConfig(flags) {
      const loaded = load(flags);
      return { settings: describeConfig(loaded), warnings: loaded.warnings };
    },

    async serve(flags, { importPath }) {
      const parts = prepare(flags, true);
      await runUntilSignal(
        parts.log,
        () => startService(parts.config, parts),
        (service) => {
          terminal.out(`Strata ${version} is ready.

  API            ${service.baseUrl}/api/v1
  Documentation  ${service.baseUrl}/docs
  Credentials    ${service.credentialsPath} (entity ${service.entity})

Ctrl-C stops it.`);
          if (importPath !== undefined)
            terminal.err(`strata: this version cannot import yet; ${importPath} was not imported`);
        },
      );
    },

    async work(flags) {
      const parts = prepare(flags, true);
      await runUntilSignal(
        parts.log,
        () => startWorkerOnly(parts.config, parts),
        () => {
          terminal.out(`Strata ${version} is working on jobs. Ctrl-C stops it.`);
        },
      );
    },

    migrate: (flags, { statusOnly }) =>
      withStore(flags, async (store, { log }) => {
        if (!statusOnly) await migrate(store, { log });
        return migrationStatus(store);
      }),

    withOperations: (flags, run) =>
      withStore(flags, async (store, parts) => {
        await migrate(store, { log: parts.log });
        const operations = createOperations({ store, ...parts });
        try {
          return await run(operations);
        } finally {
          await operations.close();
        }
      }),

    backup: (flags, file) =>
      withStore(flags, async (store, { log }) => {
        await migrate(store, { log });
        const { rows, tables, bytes } = await backup(store, file);
        return `Wrote ${rows} rows of ${tables} tables into ${file} (${bytes} bytes).`;
      }),

    restore: (flags, file) =>
      withStore(flags, async (store, { log }) => {
        const { rows, tables, created_at } = await restore(store, file, { log });
        return `Restored ${rows} rows of ${tables} tables from the backup of ${created_at}.`;
      }),

    generatedFiles: async () =>
      Object.entries({ ...generatedApiFiles(ENDPOINTS), 'docs/settings.md': renderSettingsPage() }).map(
        ([path, content]) => ({ path, content }),
      ),
  };
}

/** Logs go to standard error, so that what a command prints can be piped. */
function createProcessLog(level: string, format: 'auto' | 'pretty' | 'json'): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY === true);
  return createLog({ level, format: isPretty ? 'pretty' : 'json', destination: process.stderr });
}

/** Starts, waits for a signal, stops. A signal during the start ends what has been started by then. */
async function runUntilSignal<T extends { stop(): Promise<void> }>(
  log: Logger,
  start: () => Promise<T>,
  onReady: (started: T) => void,
): Promise<void> {
  const signals = watchSignals(() => {
    log.fatal('stopped at once, because it was asked a second time');
    process.exit(130);
  });
  try {
    const starting = start();
    const isInterrupted = await Promise.race([starting.then(() => false), signals.received.then(() => true)]);
    const service = await starting;
    if (!isInterrupted) {
      onReady(service);
      log.info({ signal: await signals.received }, 'stopping');
    }
    await service.stop();
    log.info('stopped');
  } finally {
    signals.close();
  }
}
