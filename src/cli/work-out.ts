// What a command leaves in the queue and figures depend on: without a service it would wait for the next one, and reports
// would be wrong until then.
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../operations/access/actor.ts';
import type { Operations } from '../operations/index.ts';
import type { VerbCall } from './verb.ts';

const LOOK_MS = 250;
/** A service works for others too, whose work a command need not wait for. */
const LONGEST_BESIDE_SERVICE_MS = 60_000;

interface Waiting {
  readonly entity: string;
  readonly isAlone: boolean;
  /** What follows from stored data, or with that all imports that are queued. */
  readonly what: 'derivations' | 'all';
}

/** Waits until an entity's figures are worked out. */
export async function untilWorkedOut(
  call: VerbCall,
  { imports }: Operations,
  { entity, isAlone, what }: Waiting,
): Promise<void> {
  const isLeft = () => imports.isWorkingOut(OPERATOR, entity, what);
  if (!(await isLeft())) return;
  const say = call.options.json === true ? call.err : call.out;
  say('Working out what follows: releases, defects, coding time, sums.');
  const endsAt = isAlone ? Number.POSITIVE_INFINITY : Date.now() + LONGEST_BESIDE_SERVICE_MS;
  do await sleep(LOOK_MS);
  while (Date.now() < endsAt && (await isLeft()));
  const stillWorks = isAlone ? 'failed and is tried again by the next service or command' : 'goes on in the service';
  if (await imports.isWorkingOut(OPERATOR, entity, isAlone ? 'left' : what)) say(`Some of it ${stillWorks}.`);
}

/** Runs a command that changes something, and what follows from it where nobody else does. */
export async function withWorkingOut<T>(
  call: VerbCall,
  entity: string,
  run: (operations: Operations) => Promise<T>,
): Promise<T> {
  const { result, isLeft } = await call.parts.withOperations(call.flags, async (operations) => {
    const result = await run(operations);
    const { imports } = operations;
    const isLeft = (await imports.isWorkingOut(OPERATOR, entity, 'all')) && !(await imports.hasWorker());
    return { result, isLeft };
  });
  if (isLeft) {
    await call.parts.workUntil(call.flags, (operations, isAlone) =>
      untilWorkedOut(call, operations, { entity, isAlone, what: 'all' }),
    );
  }
  return result;
}
