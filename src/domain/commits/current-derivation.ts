// What the facts of this version of the program follow from. Reports compare it with that of stored facts, so it stands
// apart from the engine, which they do without.
import type { Derivation } from './derivation.ts';
import { CHURN_DAYS } from './line-model.ts';

/** Of the constants of Diff Delta, which are in engine/judge/score-table.ts. */
export const FORMULA_VERSION = 5;

export const CURRENT_DERIVATION: Derivation = {
  formula_version: FORMULA_VERSION,
  churn_days: CHURN_DAYS,
  // 1: lines that hide errors; records of Agent Trace that name the parent
  // 2: trailers that deny AI are no evidence
  // 3: calls and hidden errors of copied lines
  measures: 3,
};
