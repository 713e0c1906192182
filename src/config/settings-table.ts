// Every setting of the service, one row each. The environment variable, the key in the file and the
// flag are the row's name in three spellings: rate_limit_per_minute, STRATA_RATE_LIMIT_PER_MINUTE,
// --rate-limit-per-minute. `DATABASE_URL` keeps the name that every hosting platform gives it.
import {
  boolean,
  fileOrNone,
  folder,
  folderOrNone,
  folderOwners,
  folders,
  hops,
  hostName,
  hostNames,
  integer,
  mailbox,
  oneOf,
  origins,
  passphrase,
  type SettingType,
  secretKey,
  url,
} from './setting-types.ts';

export interface Setting<T> {
  readonly type: SettingType<T>;
  readonly default: T;
  readonly description: string;
  readonly env: string;
  /** Which commands take it as a flag: all of them, only those that run the service, or none. */
  readonly flag: 'all' | 'service' | 'none';
  readonly secret: boolean;
}

type Options<T> = Partial<Pick<Setting<T>, 'env' | 'flag' | 'secret'>>;

const row = <T>(type: SettingType<T>, initial: NoInfer<T>, description: string, options: Options<T> = {}) => ({
  type,
  default: initial,
  description,
  flag: 'none' as const,
  secret: false,
  ...options,
});

const ROWS = {
  port: row(integer(0, 65_535), 7080, 'Port of the HTTP server; 0 takes a free one.', { flag: 'service' }),
  host: row(hostName(), '127.0.0.1', 'Address the HTTP server listens on; 0.0.0.0 opens it to the network.', {
    flag: 'service',
  }),
  data: row(folder(), '', 'Folder of the embedded database, credentials.json and repository mirrors.', { flag: 'all' }),
  database_url: row(
    url(['postgres', 'postgresql']),
    null,
    'PostgreSQL 15 or newer to use instead of the embedded one.',
    {
      env: 'DATABASE_URL',
      secret: true,
    },
  ),
  database_pool_size: row(integer(2, 200), 10, 'Most connections that one process opens to the database.'),
  public_url: row(
    url(['http', 'https']),
    null,
    'Address under which users reach the service, for links and credentials.',
  ),
  trust_proxy: row(
    hops(),
    0,
    'Proxies of yours in front: the client address is that many from the right in X-Forwarded-For. 0 ignores the header.',
  ),
  allowed_hosts: row(
    hostNames(),
    [],
    'Further host names under which the server is reached. It always answers to addresses, localhost and the name in public_url; a request for any other name is refused.',
  ),
  password_sign_in: row(
    boolean(),
    true,
    'Whether people may sign in with a password; links of `strata sign-in-link` and invitations always work.',
  ),
  import_folders: row(
    folders(),
    [],
    'Folders below which super admins may import repositories from the dashboard, while the server listens on a loopback address alone.',
    { flag: 'service' },
  ),
  cors_origins: row(origins(), [], 'Origins whose pages may call the API from a browser.'),
  rate_limit_per_minute: row(integer(1, 10_000_000), 600, 'Requests that one token may make per minute.'),
  otlp_rows_per_minute: row(
    integer(1, 1_000_000_000),
    3_000_000,
    'Points and log records of telemetry that one ingest token may send per minute.',
  ),
  otlp_bytes_per_minute: row(
    integer(1_024, 1_099_511_627_776),
    1_073_741_824,
    'Bytes of telemetry, unpacked, that one ingest token may send per minute.',
  ),
  body_limit_bytes: row(integer(1_024, 1_073_741_824), 1_048_576, 'Largest request body accepted.'),
  request_timeout_seconds: row(integer(1, 3_600), 30, 'Time after which a request is answered with an error.'),
  shutdown_grace_seconds: row(integer(0, 3_600), 20, 'Time that running requests and jobs get when the service stops.'),
  worker_concurrency: row(integer(1, 256), 2, 'Jobs that one process works on at the same time.', { flag: 'service' }),
  worker_silence_seconds: row(
    integer(2, 3_600),
    30,
    'Time without a sign of life after which the jobs of a worker are given to others.',
  ),
  repositories: row(
    folderOrNone(),
    '',
    'Folder of bare repositories, laid out <organization>/<repo>.git, that imports may name; empty for none.',
    { flag: 'service' },
  ),
  repository_owners: row(
    folderOwners(),
    [],
    'Entities that the organizations of that folder belong to; without a rule all belong to the first entity of this service.',
  ),
  refresh_minutes: row(
    integer(0, 10_080),
    15,
    'Time between two looks for new commits in an imported repo; 0 never looks.',
  ),
  mirror_limit_megabytes: row(integer(1, 10_000_000), 20_000, 'Largest mirror of one repository.'),
  fetch_timeout_seconds: row(integer(1, 86_400), 7_200, 'Longest time that one clone or fetch may take.'),
  raw_answer_days: row(
    integer(0, 3_650),
    30,
    'Days for which answers of code hosts and trackers are kept as they came, compressed; 0 keeps none.',
  ),
  allow_private_addresses: row(
    boolean(),
    false,
    'Let repositories be cloned, and code hosts be asked, at addresses in private networks and of this machine.',
  ),
  ca_file: row(
    fileOrNone(),
    '',
    'File of certificate authorities, in PEM form, that are trusted in addition to the public ones, for cloning and for calls of code hosts.',
  ),
  secret_key: row(
    secretKey(),
    null,
    'Key that seals the tokens of code hosts and AI providers, and signs links of surveys. Without it, the file secret.key of the data folder; several machines on one database need the same.',
    { secret: true },
  ),
  backup_passphrase: row(
    passphrase(),
    null,
    'Passphrase that strata backup encrypts with, and strata restore reads with; without one backups are not encrypted.',
    { secret: true },
  ),
  import_batch_kilobytes: row(integer(1, 1_000_000), 2_000, 'Facts that an import stores in one transaction.'),
  analysis_threads: row(integer(0, 64), 0, 'Threads of one analysis; 0 takes one for each processor, at most 6.'),
  smtp_url: row(
    url(['smtp', 'smtps']),
    null,
    'Mail server, such as smtp://user:password@mail.example.org:587; without one mail stays in the outbox.',
    { secret: true },
  ),
  mail_from: row(mailbox(), 'Strata <strata@localhost>', 'Sender of the mail that the service writes.'),
  activity_retention_days: row(
    integer(1, 36_500),
    365,
    'Days that the activity trail is kept: who did what, from where, and how it ended.',
  ),
  log_level: row(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'Least severe log kept. Commands that only answer a question keep warnings unless this is set.',
    {
      flag: 'all',
    },
  ),
  log_format: row(oneOf(['auto', 'pretty', 'json']), 'auto', 'auto is pretty on a terminal and JSON elsewhere.', {
    flag: 'all',
  }),
};

type Rows = typeof ROWS;
export type SettingKey = keyof Rows;
export type Settings = { readonly [K in SettingKey]: Rows[K]['default'] };

export const SETTINGS = Object.fromEntries(
  Object.entries(ROWS).map(([key, setting]) => [key, { env: `STRATA_${key.toUpperCase()}`, ...setting }]),
) as { readonly [K in SettingKey]: Setting<Settings[K]> };

export const SETTING_KEYS = Object.keys(ROWS) as SettingKey[];

export const flagName = (key: SettingKey | 'config'): string => key.replaceAll('_', '-');

/** Variables that start with STRATA_ and are no settings of this table. */
export const OTHER_VARIABLES = ['STRATA_CONFIG'];
