// The effective settings as a person may see them: secrets masked, each with its source.
import type { LoadedConfig } from './load-config.ts';
import { flagName, SETTING_KEYS, SETTINGS, type SettingKey } from './settings-table.ts';

export interface SettingDescription {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly source: string;
  readonly env: string;
  readonly description: string;
}

const MASK = '***';

/** Hides the password of an address and keeps the rest, which one needs to see to find a mistake. */
export function maskSecret(value: string): string {
  if (!URL.canParse(value)) return MASK;
  const address = new URL(value);
  if (address.password !== '') address.password = MASK;
  for (const name of address.searchParams.keys()) {
    if (/pass|secret|key|token/i.test(name)) address.searchParams.set(name, MASK);
  }
  return address.href;
}

export const describeConfig = ({ config, sources }: LoadedConfig): SettingDescription[] =>
  SETTING_KEYS.map((key) => {
    const value = config[key];
    const shown = SETTINGS[key].secret && typeof value === 'string' ? maskSecret(value) : value;
    return { key, value: shown, source: sources[key], env: SETTINGS[key].env, description: SETTINGS[key].description };
  });

export interface ConfigFlag {
  readonly key: string;
  /** As commander wants it: `--port <value>`. */
  readonly flags: string;
  readonly description: string;
  readonly scope: 'all' | 'service';
}

/** The flags that the command line offers, read from the same table. */
export function configFlags(defaultData: string): ConfigFlag[] {
  const flags = SETTING_KEYS.flatMap((key): ConfigFlag[] => {
    const { flag, description, default: initial, type } = SETTINGS[key];
    if (flag === 'none') return [];
    const values = type.accepts.startsWith('one of ') ? ` Accepted: ${type.accepts}.` : '';
    const shown = key === 'data' ? defaultData : String(initial);
    const suffix = shown === '' ? '' : ` (default: ${shown})`;
    return [{ key, flags: `--${flagName(key)} <value>`, description: `${description}${values}${suffix}`, scope: flag }];
  });
  return [{ key: 'config', flags: '--config <file>', description: 'JSON file with settings.', scope: 'all' }, ...flags];
}
