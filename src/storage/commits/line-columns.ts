// Sums over the columns that stand for operations, as SQL. A column is null where it would be 0.
import { lineMeasure } from '../../domain/commits/file-measures.ts';
import type { Operation } from '../../domain/commits/line-model.ts';

/** Lines of the operations in a row of the table that `alias` names. */
export const sumLines = (alias: string, operations: readonly Operation[]): string =>
  operations.map((operation) => `coalesce(${alias}.${lineMeasure(operation)}, 0)`).join(' + ');

/** The same for tables of sums, whose columns are never null. */
export const sumFilledLines = (alias: string, operations: readonly Operation[]): string =>
  operations.map((operation) => `${alias}.${lineMeasure(operation)}`).join(' + ');
