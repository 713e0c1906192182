// Enters a command of the operator into the activity trail of the database that it works on.
import { userInfo } from 'node:os';
import type { CommandLine } from '../cli/cli-parts.ts';
import { SERVICE_ENTITY_ID } from '../domain/activity/activity.ts';
import { OPERATOR, type Operations, outcomeOf } from '../operations/index.ts';

export async function recordCommand<T>(
  { activity, access }: Pick<Operations, 'activity' | 'access'>,
  command: CommandLine,
  run: () => Promise<T>,
): Promise<T> {
  const { entity } = command;
  /** Looked up afterwards too: the command may be what makes the entity. */
  const findEntityId = async (): Promise<number> => {
    if (entity === undefined) return SERVICE_ENTITY_ID;
    const place = await access.locate(OPERATOR, entity).catch(() => null);
    return place?.entity?.id ?? SERVICE_ENTITY_ID;
  };
  const record = async (outcome: ReturnType<typeof outcomeOf>): Promise<void> =>
    activity.record({
      actor: OPERATOR,
      operatorName: operatorName(),
      entityId: await findEntityId(),
      operation: `strata ${command.name}`,
      outcome,
      resource: entity ?? null,
      parameters: command.given.filter(([, value]) => value !== undefined),
    });
  let result: T;
  try {
    result = await run();
  } catch (error) {
    await record(outcomeOf(error));
    throw error;
  }
  await record('success');
  return result;
}

/** Whoever is logged in at the machine. A user without a name, as in some containers, has a number. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
