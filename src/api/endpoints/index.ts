// Every endpoint, in the order of the specification. One walk of this list makes the router, the OpenAPI
// document and the contract tests.
import { endpointList } from '../endpoint.ts';
import { recordAiUsage, recordAiUsages } from './ai-usages.ts';
import { tokenStatus } from './api-tokens.ts';
import { listDevelopers, recordTimeOff, removeTimeOff, setProcessing } from './developers.ts';
import { listImports, queueImport } from './imports.ts';

export const ENDPOINTS = endpointList(
  tokenStatus,
  recordAiUsage,
  recordAiUsages,
  recordTimeOff,
  removeTimeOff,
  listDevelopers,
  setProcessing,
  queueImport,
  listImports,
);
