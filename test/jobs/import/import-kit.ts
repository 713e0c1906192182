// Imports in one process: a database, a folder for mirrors, and the import job run directly, so that each
// step can be looked at. Real processes are the business of the end-to-end and fault tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createCredentialFile } from '../../../src/connectors/sources/credential-file.ts';
import { createRegisteredSource } from '../../../src/connectors/sources/registered.ts';
import type { RepoSource } from '../../../src/domain/repos/source.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { createDigest } from '../../../src/engine/model/digest.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import type { ImportSettings } from '../../../src/jobs/import/refs.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import type { JobContext, JobParts } from '../../../src/jobs/task.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { insertEntity } from '../../../src/storage/access/entities.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { type ImportRow, queueImport, readImport } from '../../../src/storage/repos/imports.ts';
import { findSource, listSources, type RegisteredSource, registerSource } from '../../../src/storage/repos/repos.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { createTestDatabase } from '../../support/database.ts';
import { importSettings } from '../../support/import-settings.ts';

export interface ImportKit {
  readonly store: Store;
  readonly folder: string;
  readonly entityId: number;
  readonly parts: JobParts;
  /** Registers and queues; returns the import's id. */
  queue(name: string, source: RegisteredSource, window?: { all?: boolean; from?: string }): Promise<number>;
  /** Runs the job once, and returns the record. */
  run(importId: number): Promise<ImportRow>;
  /** Queues the whole history of a folder and runs it. */
  importFolder(name: string, path: string): Promise<ImportRow>;
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-imports-'));
  folders.push(folder);
  return folder;
}

export async function createImportKit(
  options: {
    settings?: Partial<ImportSettings>;
    sources?: readonly RepoSource[];
    store?: Store;
    isAllowed?: (ip: string) => boolean;
  } = {},
): Promise<ImportKit> {
  const store = options.store ?? (await createTestDatabase()).store;
  const folder = makeFolder();
  const entity = await insertEntity(store.db, {
    slug: `e${Date.now()}${Math.floor(Math.random() * 1e6)}`,
    name: 'test',
  });
  const entityId = entity!.id;
  const registered = createRegisteredSource({
    find: (id, path) => findSource(store.db, id, path),
    list: (id) => listSources(store.db, id),
    credentials: createCredentialFile(join(folder, 'git-credentials.json')),
    reach: { isAllowed: options.isAllowed ?? (() => false), authorities: null },
  });
  const parts: JobParts = {
    store,
    sources: options.sources ?? [registered],
    imports: importSettings(folder, options.settings),
    now: () => new Date(),
  };
  const kit: ImportKit = {
    store,
    folder,
    entityId,
    parts,
    async queue(name, source, window = { all: true }) {
      const path = { organization: 'acme', repo: name };
      await registerSource(store.db, entityId, path, source);
      const row = await queueImport(store.db, {
        entity_id: entityId,
        organization_slug: path.organization,
        repo_slug: path.repo,
        wanted_from: window.from ?? null,
        wants_all: window.all ?? false,
      });
      return row.id;
    },
    async run(importId) {
      await importRepo.run({ entity_id: entityId, import_id: importId }, jobContext(), parts);
      return (await readImport(store.db, { entityId, importId }))!;
    },
    async importFolder(name, path) {
      return kit.run(await kit.queue(name, { kind: 'path', address: path }));
    },
    async query(text, values = []) {
      return (await store.pool.query(text, values)).rows;
    },
  };
  return kit;
}

/** `onBatch` is called before each batch of an import is stored: the moment at which imports log their progress. */
export const jobContext = (
  signal: AbortSignal = new AbortController().signal,
  onBatch: () => void = () => undefined,
): JobContext => ({
  jobId: '0',
  jobKey: 'test',
  attempt: 1,
  maxAttempts: 1000,
  signal,
  log: { ...silentLog, debug: (_fields, message) => void (message === 'the import goes on' && onBatch()) },
});

/** What `strata analyze --digest --since all` prints. */
export async function digestOfRepository(path: string): Promise<string> {
  const digest = createDigest();
  for await (const event of analyzeRepository(await openRepository(path), { since: null, threads: 2 }))
    digest.add(event);
  return digest.value();
}

const FACT_TABLES = [
  'commits',
  'commit_files',
  'line_flows',
  'commit_ai',
  'committers',
  'committer_identities',
  'signatures',
  'branches',
  'tags',
  'daily_commits',
  'daily_facts',
  'daily_ai',
  'daily_people',
  'data_versions',
];

/** Every row of the tables that imports fill, with the transaction that wrote it: no write goes unseen. */
export async function snapshot(kit: ImportKit): Promise<Record<string, object[]>> {
  const tables: Record<string, object[]> = {};
  for (const table of FACT_TABLES) {
    tables[table] = await kit.query(
      `select xmin::text, ctid::text, t.* from ${table} t where entity_id = $1 order by ctid`,
      [kit.entityId],
    );
  }
  return tables;
}

/** All that is stored of a repo, without numbers that depend on the order of storing. */
export async function contentOf(kit: ImportKit, repoId: number | null): Promise<Record<string, unknown>> {
  const daily = (table: string, order: string) =>
    kit.query<Record<string, unknown>>(
      `select p.email, t.* from ${table} t join committers p on p.entity_id = t.entity_id and p.id = t.committer_id
       where t.entity_id = $1 and t.repo_id = $2 order by authored_on, p.email, ${order}`,
      [kit.entityId, repoId],
    );
  const withoutIds = (rows: Record<string, unknown>[]) =>
    rows.map(({ entity_id, repo_id, committer_id, duplicate_lines, lines_copied, ...row }) => row);
  return {
    digest: await digestStoredFacts(kit.store.db, { entityId: kit.entityId, repoId: repoId ?? -1 }),
    commits: await kit.query(
      `select encode(sha, 'hex') as sha, encode(children, 'hex') as children, presence, state, not_counted,
              encode(derived_from, 'hex') as derived_from, on_default_branch, rolled_up
       from commits where entity_id = $1 and repo_id = $2 and presence = 'existent' order by sha`,
      [kit.entityId, repoId],
    ),
    branches: await kit.query(
      `select name, encode(head_sha, 'hex') as head from branches
       where entity_id = $1 and repo_id = $2 and deleted_at is null order by name`,
      [kit.entityId, repoId],
    ),
    daily_commits: withoutIds(await daily('daily_commits', 'counted_in, commit_count')),
    daily_facts: withoutIds(await daily('daily_facts', 'counted_in, category, utc_on')),
    daily_ai: withoutIds(await daily('daily_ai', 'counted_in, provider, model, source, category')),
  };
}
