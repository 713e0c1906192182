// What the service can do, by resource. The API and the command line both call these.
import type { Caller } from '../domain/caller.ts';
import { type AiUsageOperations, createAiUsageOperations } from './ai-usages.ts';
import { createDeveloperOperations, type DeveloperOperations } from './developers.ts';
import { createEntityOperations, type EntityOperations } from './entities.ts';
import { createImportOperations, type ImportOperations } from './imports.ts';
import type { OperationParts } from './operation-parts.ts';
import { createSettingOperations, type SettingOperations } from './settings.ts';
import { createTimeOffOperations, type TimeOffOperations } from './time-off.ts';
import { createTokenOperations, type TokenOperations } from './tokens.ts';
import { createUserOperations, type UserOperations } from './users.ts';

export { type Actor, OPERATOR } from './actor.ts';
export type { Scope } from './authorise.ts';
export type { ImportOperations, ImportWindow } from './imports.ts';
export type { OperationParts } from './operation-parts.ts';
export type * from './records.ts';

export interface Operations {
  readonly entities: EntityOperations & { timeZone(caller: Caller): Promise<string> };
  readonly users: UserOperations;
  readonly tokens: TokenOperations;
  readonly settings: SettingOperations;
  readonly imports: ImportOperations;
  readonly aiUsages: AiUsageOperations;
  readonly developers: DeveloperOperations;
  readonly timeOff: TimeOffOperations;
  /** Writes what is still in memory. */
  close(): Promise<void>;
}

export function createOperations(parts: OperationParts): Operations {
  const settings = createSettingOperations(parts);
  const tokens = createTokenOperations(parts);
  return {
    entities: { ...createEntityOperations(parts), timeZone: settings.timeZone },
    users: createUserOperations(parts),
    tokens,
    settings,
    imports: createImportOperations(parts),
    aiUsages: createAiUsageOperations(parts),
    developers: createDeveloperOperations(parts, settings),
    timeOff: createTimeOffOperations(parts, settings),
    close: () => tokens.close(),
  };
}
