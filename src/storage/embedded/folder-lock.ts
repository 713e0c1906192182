// Mutual exclusion between processes on one folder, by Lamport's bakery algorithm with files as
// tickets. Each ticket's name holds its owner, so a ticket of a dead process is ignored and removed
// without the races that a single lock file has when two processes find it stale at once.
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMarkAlive, ownProcessMark } from './process-identity.ts';

interface Ticket {
  file: string;
  /** 0 while its owner is still choosing a number. */
  number: number;
  owner: string;
}

const TICKET = /^(\d{12})\.(\d+-\d+)\.[0-9a-f]+$/;
const POLL_MILLISECONDS = 15;

function readLivingTickets(folder: string): Ticket[] {
  const tickets: Ticket[] = [];
  for (const file of readdirSync(folder)) {
    const match = TICKET.exec(file);
    if (!match) continue;
    const owner = match[2] ?? '';
    if (isMarkAlive(owner)) tickets.push({ file, number: Number(match[1]), owner });
    else rmSync(join(folder, file), { force: true });
  }
  return tickets;
}

const createEmpty = (path: string): void => closeSync(openSync(path, 'wx'));
const ticketName = (number: number, tail: string): string => `${String(number).padStart(12, '0')}.${tail}`;

/** Whether another process is inside or waits to get in. */
export function isLockWantedByOthers(folder: string): boolean {
  return readLivingTickets(folder).some(({ owner }) => owner !== ownProcessMark());
}

/** Runs `work` while no other process (and no other call in this one) is inside on the same folder. */
export async function withFolderLock<T>(
  folder: string,
  work: () => Promise<T>,
  options: { timeoutMilliseconds?: number } = {},
): Promise<T> {
  const timeoutMilliseconds = options.timeoutMilliseconds ?? 120_000;
  mkdirSync(folder, { recursive: true });
  const tail = `${ownProcessMark()}.${randomBytes(6).toString('hex')}`;
  const choosing = ticketName(0, tail);
  createEmpty(join(folder, choosing));
  let mine = choosing;
  try {
    const highest = Math.max(0, ...readLivingTickets(folder).map((ticket) => ticket.number));
    mine = ticketName(highest + 1, tail);
    renameSync(join(folder, choosing), join(folder, mine));
    const deadline = Date.now() + timeoutMilliseconds;
    for (;;) {
      // A name sorts by number, then by owner: the order of the bakery. One still choosing sorts first.
      const ahead = readLivingTickets(folder).filter((ticket) => ticket.file < mine);
      if (ahead.length === 0) break;
      if (Date.now() > deadline) {
        const holders = ahead.map((ticket) => ticket.owner.split('-')[0]).join(', ');
        throw new Error(
          `the lock ${folder} was not free within ${timeoutMilliseconds / 1000} s; held by process ${holders}`,
        );
      }
      await sleep(POLL_MILLISECONDS);
    }
    return await work();
  } finally {
    rmSync(join(folder, choosing), { force: true });
    rmSync(join(folder, mine), { force: true });
  }
}
