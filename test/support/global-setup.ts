// Runs once before all test files: builds dist/ (worker threads and command-line tests use it), and
// starts one PostgreSQL with a migrated template database that test files clone.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { SUPERUSER } from '../../src/storage/embedded/initialise-cluster.ts';
import { countLeases } from '../../src/storage/embedded/leases.ts';
import { readPostmasterFile } from '../../src/storage/embedded/postmaster-file.ts';
import { processesLivingIn } from '../../src/storage/embedded/process-identity.ts';
import { SERVICE_ROLE } from '../../src/storage/embedded/service-role.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../src/storage/embedded/start-embedded.ts';

export const TEMPLATE_DATABASE = 'strata_template';
const FOLDER_PREFIX = 'strata-test-';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server's maintenance database. */
    databaseUrl: string;
    /** Why there is no template database; empty when there is one. */
    templateProblem: string;
  }
}

/** The service's role makes no databases and no roles; that of the tests does. */
async function allowDatabases({ port }: EmbeddedDatabase, dataDir: string): Promise<void> {
  const superuser = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password: readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim(),
    database: 'postgres',
  });
  await superuser.connect();
  await superuser.query(`alter role ${SERVICE_ROLE} createdb createrole`);
  await superuser.end();
}

async function createTemplate(databaseUrl: string): Promise<void> {
  const server = await openStore({ databaseUrl });
  await server.pool.query(`create database ${TEMPLATE_DATABASE}`);
  await server.close();
  const url = new URL(databaseUrl);
  url.pathname = TEMPLATE_DATABASE;
  const template = await openStore({ databaseUrl: url.toString() });
  try {
    await migrate(template);
  } finally {
    await template.close();
  }
}

/** Ends the servers of test runs that were killed, and removes their folders. */
function sweepAbandonedServers(): void {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    try {
      const stat = statSync(folder);
      // A young folder may belong to a run that is just starting.
      if (!name.startsWith(FOLDER_PREFIX) || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < 600_000)
        continue;
      if (countLeases(join(folder, 'postgres', 'leases')) > 0) continue;
      const file = readPostmasterFile(join(folder, 'postgres', 'cluster'));
      if (file && processesLivingIn(join(folder, 'postgres', 'cluster'))?.includes(file.pid))
        process.kill(file.pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Somebody else is sweeping too; what is left is for the next run.
    }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const result = spawnSync(process.execPath, ['bin/build.mjs'], { stdio: 'inherit' });
  if (result.status !== 0) throw new Error('the build failed, so no test can run');

  sweepAbandonedServers();
  // Processes of tests are ended without being asked: what they leave is removed here.
  const repos = mkdtempSync(join(tmpdir(), 'strata-repos-'));
  process.env.TEST_REPOS_FOLDER = repos;
  const dataDir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({
    dataDir,
    // Nothing here must outlive the run.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' },
  });
  await allowDatabases(server, dataDir);
  project.provide('databaseUrl', server.databaseUrl);
  // A broken migration must fail the tests that need the schema, not those of the rest of the house.
  const problem = await createTemplate(server.databaseUrl).then(() => '', String);
  project.provide('templateProblem', problem);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(repos, { recursive: true, force: true });
  };
}
