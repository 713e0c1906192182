// A process that migrates, for the test that starts many at once. Argument: the database's address.
import { openStore } from '../../dist/storage/database/handle.js';
import { migrate } from '../../dist/storage/database/migrate.js';

const store = await openStore({ databaseUrl: process.argv[2], poolSize: 2 });
console.log(JSON.stringify(await migrate(store)));
await store.close();
