// A worker process of its own, for tests that kill one. Argument: the database's address. Its only
// handler says "started" and hangs; ended by SIGTERM it stops in order, and says how.
import { openStore } from '../../dist/storage/database/handle.js';
import { startQueueWorker } from '../../dist/storage/queue/worker.js';

const store = await openStore({ databaseUrl: process.argv[2] });
const worker = await startQueueWorker({
  store,
  beatMilliseconds: 200,
  silenceMilliseconds: 1_000,
  pollMilliseconds: 100,
  handBackMilliseconds: 300,
  tasks: {
    refresh_repos: async (_payload, { jobKey }) => {
      console.log(`started ${jobKey}`);
      await new Promise(() => setInterval(() => undefined, 1_000));
    },
  },
});
console.log('ready');
process.on('SIGTERM', async () => {
  await worker.stop();
  await store.close();
  console.log('stopped');
  process.exit(0);
});
