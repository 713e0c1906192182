// Everything that a process is put together from, each part built once: the store, secrets and links for any
// command, and for a service also code hosts, sources of repos and mail. What only a service needs is imported when
// one is put together, so that a quick answer does not wait for it.
import { hkdfSync } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import { CURRENT_DERIVATION } from '../domain/commits/current-derivation.ts';
import { StrataError } from '../domain/errors.ts';
import type { LinkParts } from '../domain/surveys/link.ts';
import type { JobParts } from '../jobs/task.ts';
import { inDataFolder } from '../kit/make-data-folder.ts';
import {
  createLazySecretBox,
  type KeySource,
  parseSecretKey,
  readKeyFile,
  readOrMakeKeyFile,
  type SecretBox,
} from '../kit/sealed-secret.ts';
import { Teardown } from '../kit/teardown.ts';
import type { OperationParts } from '../operations/index.ts';
import type { Store } from '../storage/database/handle.ts';
import { mirrorsFolderOf } from './mirrors-folder.ts';
import { serverAddressOf } from './server-address.ts';
import { lazyTrackerSites } from './tracker-sites.ts';

/** What a process brings along. */
export interface ProcessParts {
  readonly config: Config;
  readonly log: Logger;
  /** Of this program. */
  readonly version: string;
  now(): Date;
}

/** With the database of the configuration. */
export interface StoreParts extends ProcessParts {
  readonly store: Store;
  /** Seals secrets that must be read again; its key is read when it is first used. */
  readonly secrets: SecretBox;
  readonly links: LinkParts;
  /** The address of this process's own server, for links, once it has one. */
  listensAt(address: string): void;
  close(): Promise<void>;
}

/** With everything that operations and jobs of a service work with. */
export interface ServiceParts {
  readonly config: Config;
  readonly log: Logger;
  readonly store: Store;
  readonly operations: OperationParts;
  readonly jobs: JobParts;
  listensAt(address: string): void;
}

export interface OpenOptions {
  /** How long to wait for a database that does not answer. */
  readonly connectTimeoutMilliseconds?: number;
  /** The same once it has answered; as long if not given. */
  readonly reconnectTimeoutMilliseconds?: number;
  /** False leaves the schema as it is. */
  readonly migrates?: boolean;
  /** Refuses a data folder without a database, instead of making one there. */
  readonly needsData?: boolean;
  /** Called once, when there is time to do something else: a database takes a while to start. */
  whileStarting?(): void;
}

/** The database named in the configuration, or the embedded one: joined if it runs, started if not. */
export async function openParts(process: ProcessParts, options: OpenOptions = {}): Promise<StoreParts> {
  const { config, log } = process;
  const teardown = new Teardown();
  return teardown.guard(async () => {
    const whileStarting = (): void => {
      options.whileStarting?.();
      // A failure shows when it is used.
      loadStore().catch(() => undefined);
    };
    let databaseUrl = config.database_url;
    if (databaseUrl === null) {
      const [{ hasServerFolder }, { startEmbedded }] = await Promise.all([
        import('../storage/embedded/server-folder.ts'),
        import('../storage/embedded/start-embedded.ts'),
      ]);
      if (options.needsData === true && !hasServerFolder(config.data)) throw noData(config.data);
      const embedded = await startEmbedded({ dataDir: config.data, log, whileStarting });
      teardown.add(() => embedded.stop());
      databaseUrl = embedded.databaseUrl;
    } else whileStarting();
    const [{ openStore }, { migrate }] = await loadStore();
    const store = await openStore({
      databaseUrl,
      poolSize: config.database_pool_size,
      connectTimeoutMilliseconds: options.connectTimeoutMilliseconds ?? 15_000,
      ...(options.reconnectTimeoutMilliseconds === undefined
        ? {}
        : { reconnectTimeoutMilliseconds: options.reconnectTimeoutMilliseconds }),
      log,
    });
    teardown.add(() => store.close());
    if (options.migrates !== false) await migrate(store, { log });
    let listening: string | null = null;
    return {
      ...process,
      store,
      secrets: createLazySecretBox(secretKeyOf(config)),
      links: createLinkParts(config, () => listening),
      listensAt(address) {
        listening = address;
      },
      close: () => teardown.run(),
    };
  });
}

const loadStore = () =>
  Promise.all([import('../storage/database/handle.ts'), import('../storage/database/migrate.ts')]);

const noData = (folder: string): StrataError =>
  new StrataError(
    'invalid_parameter',
    `data: there is no Strata data in ${JSON.stringify(folder)}; strata serve and strata import make it, --data or STRATA_DATA names another folder`,
  );

/** The secret of the service, from the configuration or a file beside the data; other keys are derived from it. */
function secretKeyOf({ secret_key, data }: Pick<Config, 'secret_key' | 'data'>): KeySource {
  const given = () => (secret_key === null ? null : parseSecretKey(secret_key));
  const file = inDataFolder(data, 'secret.key');
  return { make: () => given() ?? readOrMakeKeyFile(file), read: () => given() ?? readKeyFile(file) };
}

/** Links that the service puts into mail and records. */
export function createLinkParts(config: Config, listening: () => string | null = () => null): LinkParts {
  let key: Buffer | undefined;
  return {
    // Read when a link is first made: a command that makes none needs no secret.
    get key() {
      // Derived, so that a signing key that leaks opens nothing that was sealed.
      key ??= Buffer.from(hkdfSync('sha256', secretKeyOf(config).make(), 'strata', 'survey links', 32));
      return key;
    },
    baseUrl: () => serverAddressOf(config, listening()).replace(/\/+$/, ''),
  };
}

export const operationPartsOf = ({ config, store, log, now, secrets, links, version }: StoreParts): OperationParts => ({
  trackerSites: lazyTrackerSites({ config, now }),
  store,
  log,
  now,
  secrets,
  links,
  version,
  derivation: CURRENT_DERIVATION,
  door: { hasPasswords: config.password_sign_in },
  importFolders: isLoopback(config.host) ? config.import_folders : [],
  forgetMirror: async (repo) => {
    const { forgetMirror } = await import('../jobs/repo-mirrors.ts');
    await forgetMirror(mirrorsFolderOf(config), repo);
  },
});

/** Whether only this machine can reach a server that listens there. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

export async function createServiceParts(parts: StoreParts): Promise<ServiceParts> {
  const { config, log, store, secrets, links, now } = parts;
  const [
    { createCodeHosts },
    { createCollectors },
    { createAiCollectors },
    { readAuthorities },
    { createSmtpSender },
    { createImportParts },
    { listTargets },
  ] = await Promise.all([
    import('../connectors/hosts/code-hosts.ts'),
    import('../connectors/collect/collectors.ts'),
    import('../connectors/ai/ai-collectors.ts'),
    import('../connectors/http/certificate-authorities.ts'),
    import('../connectors/mail/smtp-sender.ts'),
    import('./imports.ts'),
    import('../cli/verbs/import.ts'),
  ]);
  const authorities = config.ca_file === '' ? null : readAuthorities(config.ca_file);
  const reach = {
    allowPrivate: config.allow_private_addresses,
    ...(authorities === null ? {} : { authorities }),
    now,
  };
  const codeHosts = createCodeHosts(reach);
  const collectors = createCollectors(reach);
  const aiCollectors = createAiCollectors(reach);
  const { sources, credentials, mirrors, imports } = createImportParts({
    config,
    store,
    secrets,
    codeHosts,
    authorities,
    now,
  });
  const { smtp_url, mail_from, public_url } = config;
  return {
    config,
    log,
    store,
    operations: {
      ...operationPartsOf(parts),
      listTargets,
      codeHosts,
      sources,
      credentials,
      mirrors,
      mail: { canSend: smtp_url !== null, publicUrl: public_url },
    },
    jobs: {
      store,
      now,
      secrets,
      links,
      codeHosts,
      collectors,
      aiCollectors,
      keepsRawAnswers: config.raw_answer_days > 0,
      rawAnswerDays: config.raw_answer_days,
      sources,
      credentials,
      imports,
      activityRetentionDays: config.activity_retention_days,
      ...(smtp_url === null ? {} : { mail: createSmtpSender(smtp_url, mail_from) }),
    },
    listensAt: parts.listensAt,
  };
}
