// One life of a process in the kill -9 test: starts the embedded database, migrates, then writes rows
// as fast as it can and says each only once it is committed. Arguments: the data folder, the number of
// this life. SIGTERM makes it leave in order.
import { writeSync } from 'node:fs';
import { openStore } from '../../dist/storage/database/handle.js';
import { migrate } from '../../dist/storage/database/migrate.js';
import { startEmbedded } from '../../dist/storage/embedded/start-embedded.js';

// Synchronous, so that nothing said is lost in a buffer when the process is killed.
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const [dataDir, life] = process.argv.slice(2);
try {
  const database = await startEmbedded({ dataDir, watchMilliseconds: 50, settings: { shared_buffers: '32MB' } });
  const store = await openStore({ databaseUrl: database.databaseUrl, poolSize: 4 });
  await migrate(store);
  await store.pool.query(
    'create table if not exists kept (life int not null, writer int not null, n int not null, primary key (life, writer, n))',
  );
  const { rows } = await store.pool.query('select life, writer, n from kept');
  let leaving = false;
  let writers = [];
  process.on('SIGTERM', async () => {
    leaving = true;
    await Promise.all(writers);
    await store.close();
    await database.stop();
    say({ left: true });
    process.exit(0);
  });
  say({
    ready: { pid: database.pid, origin: database.origin, rows: rows.map((row) => [row.life, row.writer, row.n]) },
  });
  writers = [0, 1, 2].map(async (writer) => {
    for (let n = 0; !leaving; n++) {
      try {
        await store.pool.query('insert into kept values ($1, $2, $3)', [life, writer, n]);
        say({ wrote: [Number(life), writer, n] });
      } catch {
        if (!leaving) await new Promise((resolve) => setTimeout(resolve, 20)); // the server was killed; not acknowledged
      }
    }
  });
} catch (error) {
  say({ failed: error.message });
  process.exit(1);
}
