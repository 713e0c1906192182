// Every command of `strata`, in the order in which --help lists them.
import { backupVerbs } from './backup.ts';
import { config } from './config.ts';
import { entityVerbs } from './entity.ts';
import { generate } from './generate.ts';
import { lineHistory } from './line-history.ts';
import { migrate } from './migrate.ts';
import { serve, worker } from './serve.ts';
import { settingsVerbs } from './settings.ts';
import { tokenVerbs } from './token.ts';
import { userVerbs } from './user.ts';
import type { Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [
  serve,
  worker,
  migrate,
  config,
  ...settingsVerbs,
  ...entityVerbs,
  ...userVerbs,
  ...tokenVerbs,
  ...backupVerbs,
  lineHistory,
  generate,
];
