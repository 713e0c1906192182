// Every endpoint, in the order of the specification. One walk of this list makes the router, the OpenAPI
// document and the contract tests.
import { endpointList } from '../endpoint.ts';
import { recordAiUsage, recordAiUsages } from './ai-usages.ts';
import { tokenStatus } from './api-tokens.ts';
import { listAudits } from './audits.ts';
import { listDefects, recordDefect } from './critical-defects.ts';
import { listDevelopers, recordTimeOff, removeTimeOff, setProcessing } from './developers.ts';
import { listImports, queueImport } from './imports.ts';
import { readLineHistory } from './line-history.ts';
import { listLlmTokens } from './llm-tokens.ts';
import { offboardEntity } from './offboard.ts';
import { provisionUser } from './provision-user.ts';
import { listReleases, recordRelease } from './releases.ts';
import { readReport } from './reports.ts';
import { introspectSegments } from './segment-introspections.ts';
import { SURVEY_ENDPOINTS } from './surveys.ts';
import { createTeam, deleteTeam, listTeamRepos, showTeam, updateTeam } from './teams.ts';

export const ENDPOINTS = endpointList(
  tokenStatus,
  listLlmTokens,
  provisionUser,
  offboardEntity,
  recordAiUsage,
  recordAiUsages,
  readLineHistory,
  recordDefect,
  listDefects,
  listAudits,
  recordTimeOff,
  removeTimeOff,
  listDevelopers,
  setProcessing,
  queueImport,
  listImports,
  recordRelease,
  listReleases,
  ...SURVEY_ENDPOINTS,
  readReport,
  introspectSegments,
  createTeam,
  showTeam,
  updateTeam,
  deleteTeam,
  listTeamRepos,
);
