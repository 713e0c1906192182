// Flags, environment and file → one frozen object. A flag wins over the environment, the environment
// over the file, the file over the default. All problems are collected before any is reported.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { StrataError } from '../domain/errors.ts';
import { nearestName } from '../kit/text/nearest-name.ts';
import { decodeUtf8, describeNotUtf8 } from '../kit/text/utf8.ts';
import { flagName, OTHER_VARIABLES, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings-table.ts';

export interface Config extends Settings {
  /** What child processes such as git may see of our environment, and nothing else. */
  readonly child_environment: Readonly<Record<string, string>>;
}

export interface ConfigInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flag values by setting key, as typed; absent keys were not given. */
  readonly flags: Readonly<Partial<Record<SettingKey | 'config', string>>>;
  readonly platform: NodeJS.Platform;
  readonly workingFolder: string;
  /** The folder that holds package.json. */
  readonly packageFolder: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Where each value came from: a flag, a variable, the file or the default, in words. */
  readonly sources: Readonly<Record<SettingKey, string>>;
  readonly warnings: readonly string[];
}

/** Carries every problem found, one per line. */
export class ConfigError extends StrataError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      'invalid_parameter',
      `the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Relative paths are meant from where they are written. */
const PATHS: ReadonlySet<SettingKey> = new Set(['data', 'repositories', 'ca_file', 'import_folders']);

const resolvePaths = (base: string, value: unknown): unknown =>
  Array.isArray(value)
    ? Object.freeze(value.map((path) => resolve(base, String(path))))
    : value === ''
      ? value
      : resolve(base, String(value));

// SSH_AUTH_SOCK lets git reach private hosts with the operator's agent; the proxies let it reach any.
const PASSED_TO_CHILDREN =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|(https?|no|all)_proxy|SystemRoot|ComSpec|PATHEXT|USERPROFILE)$/i;

/** Needs nothing of the settings, so that a command without a service works when they are wrong. */
export function childEnvironment({ environment }: ConfigInput): Readonly<Record<string, string>> {
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED_TO_CHILDREN.test(entry[0]),
  );
  return Object.freeze(Object.fromEntries(passed));
}

export function loadConfig(input: ConfigInput): LoadedConfig {
  const problems: string[] = [];
  const warnings: string[] = [];
  const file = readConfigFile(input, problems);
  const values: Partial<Record<SettingKey, unknown>> = {};
  const sources = {} as Record<SettingKey, string>;

  for (const key of SETTING_KEYS) {
    const setting = SETTINGS[key];
    const given = findGiven(key, input, file);
    sources[key] = given?.source ?? 'default';
    if (given === null) {
      values[key] = key === 'data' ? defaultDataFolder(input) : setting.default;
      continue;
    }
    const value = setting.type.parse(given.text);
    if (value === undefined) {
      const shown = setting.secret ? '(hidden)' : JSON.stringify(given.text);
      problems.push(`${given.name} is ${shown}; accepted is ${setting.type.accepts}`);
    } else {
      values[key] = PATHS.has(key) ? resolvePaths(given.base, value) : value;
    }
  }

  const knownVariables = [...SETTING_KEYS.map((key) => SETTINGS[key].env), ...OTHER_VARIABLES];
  for (const name of Object.keys(input.environment)) {
    if (name.startsWith('STRATA_') && !knownVariables.includes(name)) warnings.push(unknown(name, knownVariables));
  }
  for (const name of Object.keys(file.values)) {
    if (!Object.hasOwn(SETTINGS, name)) warnings.push(`${unknown(name, SETTING_KEYS)} (in ${file.path})`);
  }
  if (problems.length > 0) throw new ConfigError(problems);

  const child_environment = childEnvironment(input);
  // Every key was set in the loop above or a problem was thrown.
  const config = Object.freeze({ ...(values as Settings), child_environment });
  return { config, sources, warnings };
}

// The prefix that all variables share would make any two of them look alike.
const PREFIX = /^STRATA_/;

function unknown(name: string, known: readonly string[]): string {
  const byEnding = new Map(known.map((candidate) => [candidate.replace(PREFIX, ''), candidate]));
  const nearest = nearestName(name.replace(PREFIX, ''), byEnding.keys());
  return `${name} is not a setting and has no effect${nearest === null ? '' : `; did you mean ${byEnding.get(nearest)}?`}`;
}

interface Given {
  /** How the person who set it calls it. */
  readonly name: string;
  readonly text: string;
  readonly source: string;
  /** The folder that a relative path is meant from. */
  readonly base: string;
}

function findGiven(key: SettingKey, input: ConfigInput, file: ConfigFile): Given | null {
  const flag = input.flags[key];
  const base = input.workingFolder;
  if (flag !== undefined)
    return { name: `--${flagName(key)}`, text: flag.trim(), source: `flag --${flagName(key)}`, base };
  const { env } = SETTINGS[key];
  // An empty variable is what container tools pass for one that is not set.
  const variable = input.environment[env]?.trim();
  if (variable) return { name: env, text: variable, source: `environment ${env}`, base };
  const fromFile = file.values[key];
  if (fromFile !== undefined && fromFile !== null) {
    const text = Array.isArray(fromFile)
      ? fromFile.join(',')
      : typeof fromFile === 'object'
        ? JSON.stringify(fromFile)
        : String(fromFile);
    return {
      name: `"${key}" in ${file.path}`,
      text: text.trim(),
      source: `file ${file.path}`,
      base: dirname(file.path),
    };
  }
  return null;
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function readConfigFile(input: ConfigInput, problems: string[]): ConfigFile {
  const named = input.flags.config ?? (input.environment.STRATA_CONFIG?.trim() || undefined);
  if (named === undefined) return { path: '', values: {} };
  const name = input.flags.config === undefined ? 'STRATA_CONFIG' : '--config';
  const path = resolve(input.workingFolder, named);
  const accepted = 'accepted is a JSON file with one object of settings';
  try {
    const parsed: unknown = JSON.parse(readText(path));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return { path, values: parsed as Record<string, unknown> };
    }
    problems.push(`${name} is ${JSON.stringify(named)}, which holds no JSON object; ${accepted}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${name} is ${JSON.stringify(named)}, which cannot be read (${reason}); ${accepted}`);
  }
  return { path, values: {} };
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  const text = decodeUtf8(bytes);
  if (text === null) throw new Error(`it ${describeNotUtf8(bytes)}`);
  return text;
}

/** Beside the sources in a checkout; where the platform keeps a user's data otherwise. */
export function defaultDataFolder({ environment, platform, packageFolder }: ConfigInput): string {
  if (existsSync(join(packageFolder, 'src'))) return join(packageFolder, 'data');
  const home = environment.HOME ?? environment.USERPROFILE ?? packageFolder;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Strata');
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Strata');
  const shared = environment.XDG_DATA_HOME;
  return join(shared && isAbsolute(shared) ? shared : join(home, '.local', 'share'), 'strata');
}
