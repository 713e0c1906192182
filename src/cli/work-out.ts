// What a command leaves in the queue and figures depend on: without a service it would wait for the next one, and reports
// would be wrong until then.
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../operations/access/actor.ts';
import type { Operations } from '../operations/index.ts';
import type { VerbCall } from './verb.ts';

const LOOK_MS = 250;

/**
 * Waits until an entity's figures are worked out. Where this process is the only one that works, that is all that was
 * queued; beside a service others may import for hours, and only what follows from stored data is waited for.
 */
export async function untilWorkedOut(
  call: VerbCall,
  { imports }: Operations,
  { entity, isAlone }: { readonly entity: string; readonly isAlone: boolean },
): Promise<void> {
  const isLeft = () => imports.isWorkingOut(OPERATOR, entity, isAlone ? 'all' : 'derivations');
  if (!(await isLeft())) return;
  const say = call.options.json === true ? call.err : call.out;
  say('Working out what follows: releases, defects, coding time, sums.');
  do await sleep(LOOK_MS);
  while ((await isLeft()) && (isAlone || (await imports.hasWorker())));
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
      untilWorkedOut(call, operations, { entity, isAlone }),
    );
  }
  return result;
}
