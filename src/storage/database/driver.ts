// The driver of PostgreSQL. Every module that uses more of it than its types takes it from here.
import { createRequire } from 'node:module';
import type Pg from 'pg';

/**
 * While it loads, pg finds out whether it runs at a certain host: by the name of the browser, which Node has from 21 on, else by
 * making a Response. For that one Node loads its whole HTTP client, which takes longer than all of pg.
 */
function loadNamed(): typeof Pg {
  const load = (): typeof Pg => createRequire(import.meta.url)('pg') as typeof Pg;
  if ('navigator' in globalThis) return load();
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Node.js' }, configurable: true });
  try {
    return load();
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator');
  }
}

const { Client, Pool, types }: typeof Pg = loadNamed();

export { Client, Pool, types };
