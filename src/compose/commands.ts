// The parts of the service as the command line wants them: each command opens what it needs and closes
// it again, beside a running server or alone. Parts are imported by the commands that use them, so that
// a quick answer does not wait for what it does not need.

import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { CliParts, CommandLine, FlagValues } from '../cli/cli-parts.ts';
import type { Terminal } from '../cli/program.ts';
import { readVersion } from '../cli/version.ts';
import { configFlags, describeConfig } from '../config/describe-config.ts';
import { childEnvironment, defaultDataFolder, type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { processInput } from '../config/process-input.ts';
import { flagName, type SettingKey } from '../config/settings-table.ts';
import { type ParentChannel, parentChannel } from '../kit/parent-channel.ts';
import { counted } from '../kit/text/counted.ts';
import { type SignalWatch, watchSignals } from '../kit/watch-signals.ts';
import type { Operations } from '../operations/index.ts';
import type { OpenOptions, ProcessParts, StoreParts } from './parts.ts';
import type { Service } from './service.ts';

/** Somebody is waiting at the terminal; a service would rather wait for its database. */
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;

/** How a command uses the parts. */
interface Use {
  /** Entered into the activity trail. */
  readonly command?: CommandLine;
  readonly needsData?: true;
}

export function createCliParts(packageFolder: string, terminal: Terminal, use: Use = {}): CliParts {
  const version = readVersion(packageFolder);
  const load = (flags: FlagValues): LoadedConfig => loadConfig(processInput(flags, packageFolder));

  /** Configuration and log of a command; a command that only answers a question logs warnings at most. */
  const prepare = async (flags: FlagValues, isService: boolean): Promise<ProcessParts> => {
    // Mirrors hold private code: what this process and git write is for this user alone.
    process.umask(0o077);
    const { config, sources, warnings } = load(flags);
    const level = !isService && sources.log_level === 'default' ? 'warn' : config.log_level;
    const log = await createProcessLog(level, config.log_format);
    for (const warning of warnings) log.warn(warning);
    return { config, log, version, now: () => new Date() };
  };

  const withParts = async <T>(
    flags: FlagValues,
    options: Pick<OpenOptions, 'migrates' | 'whileStarting'>,
    run: (parts: StoreParts) => Promise<T>,
  ): Promise<T> => {
    const prepared = await prepare(flags, false);
    const { openParts } = await import('./parts.ts');
    const own = { ...prepared, config: { ...prepared.config, database_pool_size: 2 } };
    return untilInterrupted(async (interrupted) => {
      const parts = await openParts(own, {
        ...options,
        needsData: use.needsData === true,
        connectTimeoutMilliseconds: CONNECT_TIMEOUT_MILLISECONDS,
      });
      try {
        return await Promise.race([run(parts), interrupted]);
      } finally {
        await parts.close();
      }
    });
  };

  /** Runs a command and enters it into the activity trail, whatever comes of it. */
  const recorded = async <T>(operations: Operations, run: () => Promise<T>): Promise<T> => {
    if (use.command === undefined) return run();
    const { recordCommand } = await import('./record-command.ts');
    return recordCommand(operations, use.command, run);
  };

  const working = async <T>(
    flags: FlagValues,
    makesData: boolean,
    run: (operations: Operations, isAlone: boolean, interrupted: Promise<never>) => Promise<T>,
  ): Promise<T> => {
    const parts = await prepare(flags, false);
    const { startWorkingOperations } = await import('./service.ts');
    return untilInterrupted(async (interrupted) => {
      const { operations, isAlone, stop } = await startWorkingOperations(parts, { makesData });
      try {
        return await run(operations, isAlone, interrupted);
      } finally {
        await stop();
      }
    });
  };

  const loadOperations = () => Promise.all([import('../operations/index.ts'), import('./parts.ts')]);

  const withOperationsOf = async <T>(parts: StoreParts, run: (operations: Operations) => Promise<T>): Promise<T> => {
    const [{ createOperations }, { operationPartsOf }] = await loadOperations();
    const operations = createOperations(operationPartsOf(parts));
    try {
      return await recorded(operations, () => run(operations));
    } finally {
      await operations.close();
    }
  };

  return {
    version,
    recording: (command) => createCliParts(packageFolder, terminal, { ...use, command }),
    ofExistingData: () => createCliParts(packageFolder, terminal, { ...use, needsData: true }),
    packageFolder,
    configFlags: configFlags(defaultDataFolder(processInput({}, packageFolder))),

    childEnvironment: () => childEnvironment(processInput({}, packageFolder)),

    describeConfig(flags) {
      const loaded = load(flags);
      return { settings: describeConfig(loaded), warnings: loaded.warnings };
    },

    async serve(flags, { importPath }) {
      const parts = await prepare(flags, true);
      const { describeRefused, findTargets, queueTargets } = await import('../cli/verbs/import.ts');
      const targets = importPath === undefined ? [] : findTargets(importPath, undefined);
      const [{ startService }, { startWorkerProcess }] = await Promise.all([
        import('./service.ts'),
        import('./worker-process.ts'),
      ]);
      const worker = { script: join(packageFolder, 'bin', 'strata.mjs'), args: flagArguments(flags), log: parts.log };
      return runUntilSignal(
        parts,
        () => startService(parts, () => startWorkerProcess(worker), join(packageFolder, 'dist', 'web')),
        (service) => {
          terminal.out(`Strata ${version} is ready.

  Dashboard      ${service.baseUrl}/
  API            ${service.baseUrl}/api/v1
  Documentation  ${service.baseUrl}/docs
  Credentials    ${service.credentialsPath} (entity ${service.entity})

Ctrl-C stops it.`);
          showSignInLink(service, terminal).catch((error: unknown) =>
            terminal.err(`strata: no sign-in link could be made: ${String(error)}`),
          );
          if (targets.length === 0) return;
          queueTargets(service.operations, service.entity, targets, {}).then(
            ({ watched, refused }) => {
              const address = `${service.baseUrl}/e/${service.entity}/imports`;
              for (const each of refused) terminal.err(`strata: ${describeRefused(each)}`);
              for (const { path } of watched) terminal.out(`Importing ${path}; ${address} shows how far it is.`);
            },
            (error: unknown) => terminal.err(`strata: ${importPath} was not imported: ${String(error)}`),
          );
        },
      );
    },

    async work(flags) {
      const parts = await prepare(flags, true);
      const { startWorkerOnly } = await import('./service.ts');
      const parent = parentChannel();
      if (parent !== null) return workFor(parent, parts, () => startWorkerOnly(parts));
      return runUntilSignal(
        parts,
        () => startWorkerOnly(parts),
        () => {
          terminal.out(`Strata ${version} is working on jobs. Ctrl-C stops it.`);
        },
      );
    },

    migrate: (flags, { statusOnly }) =>
      withParts(flags, { migrates: !statusOnly }, async ({ store }) => {
        const { migrationStatus } = await import('../storage/database/migrate.ts');
        return migrationStatus(store);
      }),

    withOperations(flags, run) {
      return withParts(flags, meanwhile(loadOperations), (parts) => withOperationsOf(parts, run));
    },

    withReports(flags, run) {
      const load = () => Promise.all([import('../operations/report-operations.ts'), import('./parts.ts')]);
      return withParts(flags, meanwhile(load), async (parts) => {
        const [{ createOperationsOfReports }, { operationPartsOf }] = await load();
        return run(createOperationsOfReports(operationPartsOf(parts)));
      });
    },

    withWorker: (flags, run) =>
      working(flags, true, (operations, isAlone, interrupted) =>
        // The race is what is recorded: an interrupted command is in the trail too.
        recorded(operations, () => Promise.race([run(operations, isAlone), interrupted])),
      ),

    workUntil: (flags, run) =>
      working(flags, false, (operations, isAlone, interrupted) =>
        Promise.race([run(operations, isAlone), interrupted]),
      ),

    backup: (flags, file) =>
      withParts(flags, {}, (parts) =>
        withOperationsOf(parts, async () => {
          const { backup } = await import('../storage/backup/backup.ts');
          const passphrase = parts.config.backup_passphrase;
          const { rows, tables, bytes, mailsLeftOut } = await backup(parts.store, file, { passphrase });
          const kind = passphrase === null ? '' : ', encrypted';
          const left =
            mailsLeftOut === 0
              ? ''
              : ` ${mailsLeftOut} waiting mails are not in it; set backup_passphrase to keep them.`;
          return `Wrote ${rows} rows of ${tables} tables into ${file} (${bytes} bytes${kind}).${left}`;
        }),
      ),

    restore: (flags, file) =>
      withParts(flags, { migrates: false }, async (parts) => {
        const { restore } = await import('../storage/backup/restore.ts');
        const passphrase = parts.config.backup_passphrase;
        const { rows, tables, created_at } = await restore(parts.store, file, { log: parts.log, passphrase });
        // Before, there is no trail to enter it into.
        await withOperationsOf(parts, async () => undefined);
        const { listLockedTokens } = await import('../storage/collect/locked-tokens.ts');
        const locked = (await listLockedTokens(parts.store.db, parts.secrets, null)).length;
        const left =
          locked === 0
            ? ''
            : ` ${counted(locked, 'token')} of code hosts and trackers cannot be opened with the key of this folder: bring secret.key of the old one here (or set secret_key) before you start the service, or store them again.`;
        return `Restored ${rows} rows of ${tables} tables from the backup of ${created_at}.${left}`;
      }),

    async serverAddress(flags) {
      const { serverAddressOf } = await import('./server-address.ts');
      return serverAddressOf(load(flags).config);
    },

    async generatedFiles() {
      const [
        { ENDPOINTS },
        { generatedApiFiles },
        { renderSettingsPage },
        { generatedMetricFiles },
        { generatedEngineFiles },
      ] = await Promise.all([
        import('../endpoints/index.ts'),
        import('../api/generated-files.ts'),
        import('../config/settings-page.ts'),
        import('../metrics/generated-files.ts'),
        import('../engine/generated-files.ts'),
      ]);
      const files = {
        ...generatedApiFiles(ENDPOINTS),
        'docs/settings.md': renderSettingsPage(),
        ...generatedMetricFiles(),
        ...generatedEngineFiles(),
      };
      return Object.entries(files).map(([path, content]) => ({ path, content }));
    },
  };
}

/** Loads modules while the database starts; a failure shows when they are used. */
const meanwhile = (load: () => Promise<unknown>): Pick<OpenOptions, 'whileStarting'> => ({
  whileStarting: () => void load().catch(() => undefined),
});

/** Only a person at the terminal is shown a key: whatever else reads the output may keep it. */
async function showSignInLink({ baseUrl, operations }: Service, terminal: Terminal): Promise<void> {
  if (process.stderr.isTTY !== true)
    return terminal.out('`strata sign-in-link` prints a link that signs a browser in.');
  const [{ signInLink }, { OPERATOR }] = await Promise.all([
    import('../domain/access/sign-in.ts'),
    import('../operations/index.ts'),
  ]);
  const { key } = await operations.signIn.makeLink(OPERATOR);
  terminal.err(`\n  Sign in        ${signInLink(baseUrl, 'link', key)}\n                 (once, within ten minutes)`);
}

/** Logs go to standard error, so that what a command prints can be piped. */
async function createProcessLog(level: string, format: 'auto' | 'pretty' | 'json'): Promise<Logger> {
  const [{ createLog }, { isColored }] = await Promise.all([
    import('../kit/create-log.ts'),
    import('../cli/terminal/text.ts'),
  ]);
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY === true);
  return createLog({
    level,
    format: isPretty ? 'pretty' : 'json',
    isColored: isColored(process.stderr),
    destination: process.stderr,
  });
}

/** Runs a command that a signal makes fail, so that it can close what it has opened, the database above all. */
async function untilInterrupted<T>(run: (interrupted: Promise<never>) => Promise<T>): Promise<T> {
  const signals = watchSignals(() => process.exit(130));
  let isInterrupted = false;
  const interrupted = signals.received.then((signal): never => {
    isInterrupted = true;
    throw new Error(`stopped by ${signal}; work that is queued goes on with the next service or command`);
  });
  interrupted.catch(() => undefined); // the signal may come when nobody races with it any more
  try {
    return await run(interrupted);
  } finally {
    signals.close();
    if (isInterrupted) endSoon();
  }
}

/** Ends the process when its exit code and last lines are out: what still runs then is stuck and was given up. */
function endSoon(): void {
  setTimeout(() => process.exit(), 100).unref();
}

/** Beyond the grace time: to hand jobs back, to end connections and to stop the database. */
const STOP_TIMEOUT_SECONDS = 30;

/** Settings as they were typed, for another command. */
const flagArguments = (flags: FlagValues): string[] =>
  Object.entries(flags).flatMap(([key, value]) => [`--${flagName(key as SettingKey | 'config')}`, value]);

/** Below requests, above nothing: jobs take what the API leaves of the processors. */
const JOB_PRIORITY = 10;

/** Works for the service that started this process, until that stops it or is gone. */
async function workFor(
  parent: ParentChannel,
  parts: ProcessParts,
  start: () => Promise<Pick<Service, 'leftJobs' | 'stop'> & { listensAt(address: string): void }>,
): Promise<number> {
  // Before there are threads and git processes, which inherit it.
  setPriority(JOB_PRIORITY);
  let started: Pick<Service, 'leftJobs'> | undefined;
  const code = await runUntilSignal(
    parts,
    start,
    (worker) => {
      started = worker;
      parent.onMessage((message) => message.kind === 'listens at' && worker.listensAt(message.address));
      parent.send({ kind: 'ready' });
    },
    parent.watch(),
  );
  parent.send({ kind: 'stopped', leftJobs: started?.leftJobs ?? [] });
  return code;
}

/** Starts, waits for a signal, stops. A signal during the start ends what has been started by then. */
async function runUntilSignal<T extends Pick<Service, 'leftJobs' | 'stop'>>(
  { log, config }: ProcessParts,
  start: () => Promise<T>,
  onReady: (started: T) => void,
  signals: SignalWatch = watchSignals(() => {
    log.fatal('stopped at once, because of a second signal');
    process.exit(130);
  }),
): Promise<number> {
  try {
    const starting = start();
    const isInterrupted = await Promise.race([starting.then(() => false), signals.received.then(() => true)]);
    const service = await starting;
    if (!isInterrupted) {
      onReady(service);
      log.info({ signal: await signals.received }, 'stopping');
    }
    const timeout = setTimeout(
      () => {
        log.fatal('stopped all the same, because something did not end in time');
        process.exit(1);
      },
      (config.shutdown_grace_seconds + STOP_TIMEOUT_SECONDS) * 1000,
    );
    await service.stop();
    clearTimeout(timeout);
    log.info('stopped');
    return service.leftJobs.length === 0 ? 0 : 1;
  } finally {
    signals.close();
    endSoon();
  }
}
