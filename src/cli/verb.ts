// What a command of `strata` is: a row with its name, its arguments and options, and what it does.
import type { CliParts, FlagValues } from './cli-parts.ts';

export interface VerbOption {
  /** As commander wants it: `--entity <slug>`, `--json`. */
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
  /** What is meant where it is not given. */
  readonly whenAbsent?: string;
}

export interface VerbArgument {
  /** `<slug>` is required, `[slug]` is not; `<file...>`, as the last one, takes several. */
  readonly name: string;
  readonly description: string;
}

export interface VerbCall {
  /** In the order of the row's `arguments`, each value of one that takes several; one that was not given is undefined. */
  readonly args: readonly (string | undefined)[];
  /** The row's own options by camelCase name. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Flags of the configuration, as typed. */
  readonly flags: FlagValues;
  readonly parts: CliParts;
  /** Writes one line to standard output. */
  out(line: string): void;
  /** Writes one line to standard error. */
  err(line: string): void;
  /** Whether anybody still reads standard output: `head` stops early. */
  hasReader(): boolean;
}

export interface Verb {
  /** `serve`, or `token create` for a command of a group. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly VerbArgument[];
  readonly options?: readonly VerbOption[];
  /** Which flags of the configuration it takes: all, those that make sense without a service, or none. */
  readonly configuration: 'service' | 'store' | 'none';
  /** Changes nothing, and so leaves nothing in the activity trail. */
  readonly isReadOnly?: true;
  /** Begins with a data folder that is not there yet; other commands refuse it, so that a mistyped path makes nothing. */
  readonly makesData?: true;
  /** Gives the exit code when it is not 0. */
  run(call: VerbCall): Promise<number | undefined> | Promise<void>;
}

/** The entity of a fresh installation, for commands that work on it unless another one is named. */
export const DEFAULT_ENTITY = 'local';

export const ENTITY_OPTION: VerbOption = {
  flags: '--entity <slug>',
  description: `The entity. Default: ${DEFAULT_ENTITY}.`,
  whenAbsent: DEFAULT_ENTITY,
};

export const JSON_OPTION: VerbOption = { flags: '--json', description: 'Print JSON.' };

export const optionText = (call: VerbCall, name: string): string | undefined => {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
};

/** For commands with `ENTITY_OPTION`. */
export const entityOf = (call: VerbCall): string => optionText(call, 'entity') ?? DEFAULT_ENTITY;
