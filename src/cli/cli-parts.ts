// What the commands need of the rest of the service. compose.ts supplies it, so that the command line
// knows nothing of configuration, storage or HTTP.
import type { Operations } from '../operations/index.ts';
import type { OperationsOfReports } from '../operations/report-operations.ts';

/** Flags of the configuration by setting key, as typed. */
export type FlagValues = Readonly<Record<string, string>>;

export interface ConfigFlagRow {
  readonly key: string;
  readonly flags: string;
  readonly description: string;
  readonly scope: 'all' | 'service';
}

export interface SettingRow {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly env: string;
  readonly description: string;
}

export interface MigrationRow {
  readonly name: string;
  readonly applied_at: string | null;
}

export interface GeneratedFile {
  /** From the package folder, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/** What is being run, for the activity trail. */
export interface CommandLine {
  /** `token revoke`. */
  readonly name: string;
  readonly entity: string | undefined;
  /** Arguments and options by name. */
  readonly given: readonly (readonly [string, unknown])[];
}

export interface CliParts {
  /** The same parts, which record the command in the activity trail of whatever database they open. */
  recording(command: CommandLine): CliParts;
  /** The same parts, which refuse a data folder without a database instead of making one. */
  ofExistingData(): CliParts;
  readonly version: string;
  readonly configFlags: readonly ConfigFlagRow[];
  describeConfig(flags: FlagValues): { settings: readonly SettingRow[]; warnings: readonly string[] };
  /** What programs that Strata starts may see of the environment: the way to git. */
  childEnvironment(): Readonly<Record<string, string>>;
  /** Runs API and worker until a signal ends them. Gives the exit code. */
  serve(flags: FlagValues, options: { importPath: string | undefined }): Promise<number>;
  /** Runs a worker alone until a signal ends it. Gives the exit code. */
  work(flags: FlagValues): Promise<number>;
  /** Applies what is missing, or only lists all migrations. */
  migrate(flags: FlagValues, options: { statusOnly: boolean }): Promise<readonly MigrationRow[]>;
  /** Opens the store, brings the schema up to date, runs, and closes what it opened. */
  withOperations<T>(flags: FlagValues, run: (operations: Operations) => Promise<T>): Promise<T>;
  /** The same with no more than reports need; for commands that are not recorded. */
  withReports<T>(flags: FlagValues, run: (operations: OperationsOfReports) => Promise<T>): Promise<T>;
  /**
   * The same with somebody to do queued work: a service that runs already, or a worker in this process,
   * which is then alone.
   */
  withWorker<T>(flags: FlagValues, run: (operations: Operations, isAlone: boolean) => Promise<T>): Promise<T>;
  /** The same for what a command has left to do, which is recorded already. */
  workUntil(flags: FlagValues, run: (operations: Operations, isAlone: boolean) => Promise<void>): Promise<void>;
  /** Says in a sentence what it has done, as restore does. */
  backup(flags: FlagValues, file: string): Promise<string>;
  restore(flags: FlagValues, file: string): Promise<string>;
  generatedFiles(): Promise<readonly GeneratedFile[]>;
  /** Where users reach the service of the configuration: as it is set, or as the service wrote down when it started. */
  serverAddress(flags: FlagValues): Promise<string>;
  readonly packageFolder: string;
}
