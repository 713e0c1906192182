// Who uses the server: one file per user, named after its process. The last one out stops the server,
// so two processes on one data folder can come and go in any order. Call only under the folder lock.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMarkAlive, ownProcessMark } from './process-identity.ts';

export interface Lease {
  readonly file: string;
}

export function takeLease(folder: string): Lease {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${ownProcessMark()}.${randomBytes(6).toString('hex')}`);
  writeFileSync(file, '');
  return { file };
}

export function returnLease(lease: Lease): void {
  rmSync(lease.file, { force: true });
}

/** Counts the leases of living processes and removes those of dead ones. */
export function countLeases(folder: string): number {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const name of readdirSync(folder)) {
    if (isMarkAlive(name.split('.')[0] ?? '')) count++;
    else rmSync(join(folder, name), { force: true });
  }
  return count;
}
