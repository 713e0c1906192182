// What a command that shows a report needs of all that the service can do. Whoever waits for it at a terminal waits for
// nothing else to be loaded.
import { createEffectiveSettings } from './access/effective-settings.ts';
import { createAccessOperations } from './access/grant.ts';
import type { Operations } from './index.ts';
import type { OperationParts } from './operation-parts.ts';
import { createReportOperations } from './reports/reports.ts';

export type OperationsOfReports = Pick<Operations, 'access' | 'reports'>;

export const createOperationsOfReports = (parts: OperationParts): OperationsOfReports => ({
  access: createAccessOperations(parts, createEffectiveSettings(parts)),
  reports: createReportOperations(parts),
});
