// Mutual exclusion between processes on one folder, by Lamport's bakery algorithm with files as
// tickets. Each ticket's name holds its owner, so a ticket of a dead process is ignored and removed
// without the races that a single lock file has when two processes find it stale at once.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderHands, OWN_HANDS } from './folder-hands.ts';
import { isMarkAlive, ownProcessMark } from './process-identity.ts';

interface Ticket {
  file: string;
  /** 0 while its owner is still choosing a number. */
  number: number;
  owner: string;
}

const TICKET = /^(\d{12})\.(\d+-\d+)\.[0-9a-f]+$/;
const POLL_MILLISECONDS = 15;

function readLivingTickets(folder: string, hands: FolderHands): Ticket[] {
  const tickets: Ticket[] = [];
  for (const file of readdirSync(folder)) {
    const match = TICKET.exec(file);
    if (!match) continue;
    const owner = match[2] ?? '';
    if (isMarkAlive(owner)) tickets.push({ file, number: Number(match[1]), owner });
    else hands.remove(join(folder, file));
  }
  return tickets;
}

const ticketName = (number: number, tail: string): string => `${String(number).padStart(12, '0')}.${tail}`;

/** Whether anybody is inside or waits to get in, another call in this process included. */
export function isLockWanted(folder: string, hands: FolderHands = OWN_HANDS): boolean {
  return readLivingTickets(folder, hands).length > 0;
}

/** Whether another process is inside or waits to get in. */
export function isLockWantedByOthers(folder: string, hands: FolderHands = OWN_HANDS): boolean {
  return readLivingTickets(folder, hands).some(({ owner }) => owner !== ownProcessMark());
}

/** For a process that ends now and cannot wait for its turn: nobody gets in before it has ended. */
export function blockUntilEnd(folder: string, hands: FolderHands = OWN_HANDS): void {
  hands.makeFolder(folder);
  hands.create(join(folder, ticketName(0, `${ownProcessMark()}.${randomBytes(6).toString('hex')}`)));
}

/** Runs `work` while no other process (and no other call in this one) is inside on the same folder. */
export async function withFolderLock<T>(
  folder: string,
  work: () => Promise<T>,
  options: { timeoutMilliseconds?: number; hands?: FolderHands } = {},
): Promise<T> {
  const timeoutMilliseconds = options.timeoutMilliseconds ?? 120_000;
  const hands = options.hands ?? OWN_HANDS;
  hands.makeFolder(folder);
  const tail = `${ownProcessMark()}.${randomBytes(6).toString('hex')}`;
  const choosing = ticketName(0, tail);
  hands.create(join(folder, choosing));
  let mine = choosing;
  let isNumbered = false;
  try {
    const highest = Math.max(0, ...readLivingTickets(folder, hands).map((ticket) => ticket.number));
    mine = ticketName(highest + 1, tail);
    hands.rename(join(folder, choosing), join(folder, mine));
    isNumbered = true;
    const deadline = Date.now() + timeoutMilliseconds;
    for (;;) {
      // A name sorts by number, then by owner: the order of the bakery. One still choosing sorts first.
      const ahead = readLivingTickets(folder, hands).filter((ticket) => ticket.file < mine);
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
    if (!isNumbered) hands.remove(join(folder, choosing));
    hands.remove(join(folder, mine));
  }
}
