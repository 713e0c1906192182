import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFlags, describeConfig, maskSecret } from '../../src/config/describe-config.ts';
import { ConfigError, type ConfigInput, loadConfig } from '../../src/config/load-config.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (input: Partial<ConfigInput> = {}) =>
  loadConfig({
    environment: {},
    flags: {},
    platform: 'linux',
    workingFolder: folder,
    packageFolder: process.cwd(),
    ...input,
  });

const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

const problemsOf = (input: Partial<ConfigInput>): readonly string[] => {
  try {
    load(input);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

describe('configuration', () => {
  it('without any input holds the defaults and says so', () => {
    const { config, sources, warnings } = load();
    expect(config).toMatchObject({ port: 7080, host: '127.0.0.1', database_url: null, log_format: 'auto' });
    expect(config.data).toBe(join(process.cwd(), 'data'));
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(warnings).toEqual([]);
  });

  it('cannot be changed after it was made', () => {
    const { config } = load();
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.child_environment, { PATH: '' })).toThrow(TypeError);
  });

  it('takes a flag over the environment, the environment over the file, and the file over the default', () => {
    const config = file(
      'order.json',
      '{"port": 1001, "host": "0.0.0.0", "rate_limit_per_minute": 5, "trust_proxy": true}',
    );
    const loaded = load({
      environment: { STRATA_CONFIG: config, STRATA_PORT: '1002', STRATA_HOST: '::1' },
      flags: { port: '1003' },
    });
    expect(loaded.config).toMatchObject({ port: 1003, host: '::1', rate_limit_per_minute: 5, trust_proxy: 1 });
    expect(loaded.sources.port).toBe('flag --port');
    expect(loaded.sources.host).toBe('environment STRATA_HOST');
    expect(loaded.sources.rate_limit_per_minute).toBe(`file ${join(folder, 'order.json')}`);
    expect(loaded.sources.body_limit_bytes).toBe('default');
  });

  it('reports every problem at once, each with its name, its value and what is accepted', () => {
    const config = file('wrong.json', '{"worker_concurrency": "many"}');
    const problems = problemsOf({
      environment: { STRATA_PORT: '70000', STRATA_LOG_LEVEL: 'loud', STRATA_TRUST_PROXY: 'maybe' },
      flags: { config, host: 'two words' },
    });
    expect(problems).toEqual([
      'STRATA_PORT is "70000"; accepted is a whole number from 0 to 65535',
      '--host is "two words"; accepted is an IP address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
      'STRATA_TRUST_PROXY is "maybe"; accepted is the number of proxies in front, 0 to 10, or true for one',
      `"worker_concurrency" in ${join(folder, 'wrong.json')} is "many"; accepted is a whole number from 1 to 256`,
      'STRATA_LOG_LEVEL is "loud"; accepted is one of trace, debug, info, warn, error, fatal, silent',
    ]);
  });

  it('does not repeat a secret value that is malformed', () => {
    expect(problemsOf({ environment: { DATABASE_URL: 'mysql://me:hunter2@db/x' } })).toEqual([
      'DATABASE_URL is (hidden); accepted is an address that starts with postgres:// or postgresql://',
    ]);
  });

  it.each([
    ['missing.json', null, /cannot be read/],
    ['broken.json', '{"port":', /cannot be read/],
    ['list.json', '[1]', /holds no JSON object/],
    [
      'latin.json',
      Buffer.from('{"data":\n"/home/j\u00fcrgen"}', 'latin1'),
      /\(it is not UTF-8 \(line 2 has the byte 0xFC\)\)/,
    ],
    ['wide.json', Buffer.from('\uFEFF{"port":1}', 'utf16le'), /\(it is UTF-16, not UTF-8\)/],
  ])('a file %s is refused with the reason', (name, content, reason) => {
    if (content !== null) file(name, content);
    expect(problemsOf({ flags: { config: name } })[0]).toMatch(reason);
    expect(problemsOf({ environment: { STRATA_CONFIG: name } })[0]).toMatch(/^STRATA_CONFIG is /);
  });

  it('a file with a byte-order mark is read', () => {
    expect(load({ flags: { config: file('marked.json', '\uFEFF{"port": 1234}') } }).config.port).toBe(1234);
  });

  it('warns of variables and keys it does not know, with the nearest name', () => {
    const config = file('unknown.json', '{"prot": 1}');
    const { warnings } = load({ environment: { STRATA_PROT: '1', STRATA_ZEBRA: '1', OTHER: '1' }, flags: { config } });
    expect(warnings).toEqual([
      'STRATA_PROT is not a setting and has no effect; did you mean STRATA_PORT?',
      'STRATA_ZEBRA is not a setting and has no effect',
      `prot is not a setting and has no effect; did you mean port? (in ${join(folder, 'unknown.json')})`,
    ]);
  });

  it('treats an empty variable as one that is not set', () => {
    expect(load({ environment: { STRATA_PORT: '', DATABASE_URL: ' ' } }).config).toMatchObject({
      port: 7080,
      database_url: null,
    });
  });

  it('reads a relative data folder from where it was named', () => {
    expect(load({ flags: { data: 'here' } }).config.data).toBe(join(folder, 'here'));
    const config = file('data.json', '{"data": "../elsewhere"}');
    expect(load({ flags: { config } }).config.data).toBe(join(folder, '..', 'elsewhere'));
  });

  it.each([
    ['linux', { HOME: '/home/me' }, '/home/me/.local/share/strata'],
    ['linux', { HOME: '/home/me', XDG_DATA_HOME: '/srv/me' }, '/srv/me/strata'],
    ['linux', { HOME: '/home/me', XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/strata'],
    ['darwin', { HOME: '/Users/me' }, '/Users/me/Library/Application Support/Strata'],
  ] as const)('installed on %s with %j keeps its data in %s', (platform, environment, expected) => {
    expect(load({ platform, environment, packageFolder: folder }).config.data).toBe(expected);
  });

  it('lets child processes see where programs are, and no secret', () => {
    const { child_environment } = load({
      environment: {
        PATH: '/bin',
        HOME: '/root',
        https_proxy: 'http://p',
        DATABASE_URL: 'postgres://a:b@c/d',
        AWS_KEY: 'x',
      },
    }).config;
    expect(child_environment).toEqual({ PATH: '/bin', HOME: '/root', https_proxy: 'http://p' });
  });

  it('describes every setting and masks the secret ones', () => {
    const described = describeConfig(load({ environment: { DATABASE_URL: 'postgres://me:hunter2@db:5432/strata' } }));
    expect(described.map(({ key }) => key)).toEqual(SETTING_KEYS);
    expect(JSON.stringify(described)).not.toContain('hunter2');
    expect(described.find(({ key }) => key === 'database_url')).toMatchObject({
      value: 'postgres://me:***@db:5432/strata',
      source: 'environment DATABASE_URL',
    });
  });

  it.each([
    ['postgres://db/x?password=hunter2&sslmode=require', 'postgres://db/x?password=***&sslmode=require'],
    ['no address', '***'],
  ])('masks %s', (value, shown) => {
    expect(maskSecret(value)).toBe(shown);
  });

  it('never offers a secret as a flag, because others can see command lines', () => {
    const flags = configFlags('/data').map(({ key }) => key);
    expect(flags).toContain('port');
    expect(SETTING_KEYS.filter((key) => SETTINGS[key].secret && flags.includes(key))).toEqual([]);
  });
});
