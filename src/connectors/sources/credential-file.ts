// Credentials of registered addresses, in a file of the data folder that only its owner can read. They
// never enter the database, a command line or a log.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface CredentialFile {
  find(address: string): Promise<Credentials | null>;
  store(address: string, credentials: Credentials): Promise<void>;
  /** Returns how many there were. */
  remove(addresses: readonly string[]): Promise<number>;
}

const content = z.record(z.string(), z.object({ username: z.string(), password: z.string() }));

export function createCredentialFile(path: string): CredentialFile {
  const read = async (): Promise<Record<string, Credentials>> => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      throw error;
    }
    const parsed = content.safeParse(parseQuietly(text));
    if (!parsed.success) throw new Error(`${path} is not a file of credentials by address; repair or remove it`);
    return parsed.data;
  };
  const write = async (all: Record<string, Credentials>): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    const fresh = `${path}.${process.pid}.new`;
    await rm(fresh, { force: true });
    await writeFile(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, path);
  };
  return {
    find: async (address) => (await read())[address] ?? null,
    async store(address, credentials) {
      await write({ ...(await read()), [address]: credentials });
    },
    async remove(addresses) {
      const all = await read();
      const known = addresses.filter((address) => Object.hasOwn(all, address));
      for (const address of known) delete all[address];
      if (known.length > 0) await write(all);
      return known.length;
    },
  };
}

/** Null for what is not JSON: the parser's own message would quote the file. */
function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
