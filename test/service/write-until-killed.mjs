// Creates entities one after another and prints each slug once its creation is acknowledged.
// Arguments: data folder, prefix of the slugs.
import { createCliParts } from '../../dist/compose/commands.js';

const [data, prefix] = process.argv.slice(2);
const parts = createCliParts(process.cwd(), { out: console.log, err: console.error });
await parts.withOperations({ data }, async ({ entities }) => {
  for (let number = 1; ; number++) {
    const { slug } = await entities.create('operator', { slug: `${prefix}-${number}` });
    process.stdout.write(`${slug}\n`);
  }
});
