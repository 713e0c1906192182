// Who uses the server: one file per user, named after its process. The last one out stops the server,
// so two processes on one data folder can come and go in any order. A server is stopped under the folder's lock, by whoever
// finds no lease there. Who takes a lease and sees nobody in the lock after that may rely on the server that runs then: whoever
// comes to the lock later finds the lease. Who returns one and still sees others leaves the server to them: each
// returns its own before it counts, so the last one counts none.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderHands, OWN_HANDS } from './folder-hands.ts';
import { isMarkAlive, ownProcessMark } from './process-identity.ts';

const LEASE = /^\d+-\d+\.[0-9a-f]+$/;

export interface Lease {
  readonly file: string;
  readonly hands: FolderHands;
}

export function takeLease(folder: string, hands: FolderHands = OWN_HANDS): Lease {
  hands.makeFolder(folder);
  const file = join(folder, `${ownProcessMark()}.${randomBytes(6).toString('hex')}`);
  hands.create(file);
  return { file, hands };
}

export function returnLease({ file, hands }: Lease): void {
  hands.remove(file);
}

/** Counts the leases of living processes and removes those of dead ones. */
export function countLeases(folder: string, hands: FolderHands = OWN_HANDS): number {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  let count = 0;
  for (const name of names) {
    // What is no lease was not put there by us.
    if (!LEASE.test(name)) continue;
    if (isMarkAlive(name.split('.')[0] ?? '')) count++;
    else hands.remove(join(folder, name));
  }
  return count;
}
