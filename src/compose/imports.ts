// Where repositories come from and where their mirrors lie, from the configuration.
import type { Config } from '../config/load-config.ts';
import { addressRule } from '../connectors/sources/check-address.ts';
import { type CredentialFile, createCredentialFile } from '../connectors/sources/credential-file.ts';
import { createFolderSource } from '../connectors/sources/folder.ts';
import { createHostedSource } from '../connectors/sources/hosted.ts';
import { createRegisteredSource } from '../connectors/sources/registered.ts';
import { CURRENT_DERIVATION } from '../domain/commits/current-derivation.ts';
import type { CodeHosts } from '../domain/repos/code-host.ts';
import type { RepoMirrors } from '../domain/repos/mirrors.ts';
import type { RepoSource } from '../domain/repos/source.ts';
import { RETRY_SECONDS } from '../jobs/import/failure.ts';
import type { ImportSettings } from '../jobs/import/refs.ts';
import { createRepoMirrors } from '../jobs/repo-mirrors.ts';
import { inDataFolder } from '../kit/make-data-folder.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import { writePrivateFile } from '../kit/write-private-file.ts';
import type { Store } from '../storage/database/handle.ts';
import {
  findHostedRepo,
  listHostedOrganizations,
  listHostedRepos,
  openAccount,
} from '../storage/repos/provider-connections.ts';
import { findSource, listSources } from '../storage/repos/repos.ts';
import { createFolderRule } from './folder-rule.ts';
import { mirrorsFolderOf } from './mirrors-folder.ts';

export interface ImportParts {
  readonly sources: readonly RepoSource[];
  readonly credentials: CredentialFile;
  readonly imports: ImportSettings;
  readonly mirrors: RepoMirrors;
}

const MEGABYTE = 1_000_000;

interface ImportNeeds {
  /** Null: the public ones. */
  readonly authorities: readonly string[] | null;
  readonly config: Config;
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly codeHosts: CodeHosts;
  now(): Date;
}

export function createImportParts({ config, store, secrets, codeHosts, authorities, now }: ImportNeeds): ImportParts {
  const credentials = createCredentialFile(inDataFolder(config.data, 'git-credentials.json'));
  const reach = { isAllowed: addressRule(config.allow_private_addresses), authorities };
  const registered = createRegisteredSource({
    find: (entityId, path) => findSource(store.db, entityId, path),
    list: (entityId) => listSources(store.db, entityId),
    credentials,
    reach,
  });
  const hosted = createHostedSource({
    find: async (entityId, path) =>
      (await findHostedRepo(store.db, entityId, path)).map(({ path: named, clone_url, connection }) => ({
        path: named,
        clone_url,
        failure: connection.error_em,
        openAccount: () => openAccount(connection, secrets),
      })),
    listRepos: (entityId) => listHostedRepos(store.db, entityId),
    listOrganizations: (entityId) => listHostedOrganizations(store.db, entityId),
    codeHosts,
    reach,
  });
  // What the operator named comes before what users connected.
  const folders =
    config.repositories === '' ? [] : [createFolderSource(config.repositories, createFolderRule(config, store))];
  const sources = [registered, ...folders, hosted];
  const imports: ImportSettings = {
    mirrorsFolder: mirrorsFolderOf(config),
    knownHostsFile: inDataFolder(config.data, 'known_hosts'),
    childEnvironment: { ...config.child_environment, ...trustOfGit(config, authorities) },
    mirrorLimitBytes: config.mirror_limit_megabytes * MEGABYTE,
    fetchTimeoutSeconds: config.fetch_timeout_seconds,
    refreshMinutes: config.refresh_minutes,
    batchBytes: config.import_batch_kilobytes * 1000,
    threads: config.analysis_threads === 0 ? null : config.analysis_threads,
    derivation: CURRENT_DERIVATION,
    retrySeconds: RETRY_SECONDS,
  };
  return { sources, credentials, imports, mirrors: createRepoMirrors({ store, sources, imports, now }) };
}

/** Git reads authorities from one file, which takes the place of the public ones: it holds both. */
function trustOfGit({ data }: Config, authorities: readonly string[] | null): Record<string, string> {
  if (authorities === null) return {};
  const bundle = inDataFolder(data, 'ca-bundle.pem');
  writePrivateFile(bundle, `${authorities.join('\n')}\n`);
  return { GIT_SSL_CAINFO: bundle };
}
