// A process that uses the embedded database of a data folder, for tests that kill and share it.
// Argument: the data folder. Says {"ready":…} or {"failed":…}; SIGTERM makes it leave in order.
import { startEmbedded } from '../../dist/storage/embedded/start-embedded.js';

const say = (value) => console.log(JSON.stringify(value));
const toStderr = (fields, message) => console.error(message, JSON.stringify(fields));
let whiles = 0;
try {
  const database = await startEmbedded({
    dataDir: process.argv[2],
    watchMilliseconds: 100,
    whileStarting: () => {
      whiles += 1;
    },
    settings: { shared_buffers: '32MB' },
    log: { debug() {}, info() {}, warn: toStderr, error: toStderr },
  });
  const { databaseUrl, pid, port, origin } = database;
  process.on('SIGTERM', async () => {
    await database.stop();
    say({ left: true });
    process.exit(0);
  });
  say({ ready: { databaseUrl, pid, port, origin, whiles } });
  setInterval(() => undefined, 60_000);
} catch (error) {
  say({ failed: error.message });
  process.exit(1);
}
