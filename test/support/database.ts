// A database of its own for each test file, cloned from the migrated template. When the file ends,
// a connection that is still open fails it: a leak here is a leak in the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, inject } from 'vitest';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export interface TestDatabase {
  store: Store;
  databaseUrl: string;
  /** Closes the store, checks that nobody else is connected, and drops. Done at the file's end anyway. */
  drop(): Promise<void>;
}

/** A backend leaves some time after its client; on a busy machine that takes seconds. */
const GRACE_MILLISECONDS = 15_000;
const open = new Set<TestDatabase>();
let count = 0;

function urlOf(database: string): string {
  const url = new URL(inject('databaseUrl'));
  url.pathname = database;
  return url.toString();
}

async function onServer<T>(use: (server: Store) => Promise<T>): Promise<T> {
  const server = await openStore({ databaseUrl: inject('databaseUrl'), poolSize: 1, applicationName: 'test support' });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

async function findConnections(server: Store, name: string): Promise<string[]> {
  const { rows } = await server.pool.query<{ application_name: string; query: string }>(
    `select application_name, query from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [name],
  );
  return rows.map(({ application_name, query }) => `${application_name}: ${query.slice(0, 120)}`);
}

async function dropDatabase(name: string): Promise<void> {
  await onServer(async (server) => {
    const deadline = Date.now() + GRACE_MILLISECONDS;
    let connections = await findConnections(server, name);
    while (connections.length > 0 && Date.now() < deadline) {
      await sleep(20);
      connections = await findConnections(server, name);
    }
    // Only an unforced drop tells an autovacuum worker to leave; a forced one fails on it, because the
    // worker belongs to no role that the tests' user may end.
    const force = connections.length > 0 ? ' with (force)' : '';
    await server.pool.query(`drop database "${name}"${force}`);
    if (connections.length > 0) {
      throw new Error(`connections were left open at the end of the test:\n${connections.join('\n')}`);
    }
  });
}

/** `empty` gives a database without the schema. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const problem = inject('templateProblem');
  if (!options.empty && problem) throw new Error(`there is no template database: ${problem}`);
  const name = `test_${process.pid}_${++count}`;
  const template = options.empty ? 'template0' : TEMPLATE_DATABASE;
  // Without fsync, copying the files takes a sixth of the time of logging every block.
  await onServer((server) => server.pool.query(`create database "${name}" template ${template} strategy file_copy`));
  const databaseUrl = urlOf(name);
  const store = await openStore({ databaseUrl });
  let dropping: Promise<void> | undefined;
  const database: TestDatabase = {
    store,
    databaseUrl,
    drop() {
      open.delete(database);
      dropping ??= store.close().then(() => dropDatabase(name));
      return dropping;
    },
  };
  open.add(database);
  return database;
}

afterAll(async () => {
  const results = await Promise.allSettled([...open].map((database) => database.drop()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
});
