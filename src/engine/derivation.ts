// What the facts of this version of the program follow from.
import type { Derivation } from '../domain/commits/derivation.ts';
import { CHURN_DAYS } from '../domain/commits/line-model.ts';
import { FORMULA_VERSION } from './judge/score-table.ts';

export const CURRENT_DERIVATION: Derivation = {
  formula_version: FORMULA_VERSION,
  churn_days: CHURN_DAYS,
  // 1: lines that hide errors; records of Agent Trace that name the parent
  // 2: trailers that deny AI are no evidence
  measures: 2,
};
