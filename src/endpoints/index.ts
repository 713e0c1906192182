// Every endpoint, in the order of the specification. One walk of this list makes the router, the OpenAPI
// document and the contract tests.

import { tokenStatus } from './access/api-tokens.ts';
import { offboardEntity } from './access/offboard.ts';
import { provisionUser } from './access/provision-user.ts';
import { listActivity } from './activity/activity.ts';
import { listAiIdentities, setAiIdentity } from './ai/identities.ts';
import { listLlmTokens } from './ai/llm-tokens.ts';
import { listAiSources } from './ai/sources.ts';
import { recordAiUsage, recordAiUsages, removeAiUsage } from './ai/usages.ts';
import { listAudits } from './audits/audits.ts';
import { readLineHistory } from './commits/line-history.ts';
import { listDefects, recordDefect, removeDefect } from './delivery/critical-defects.ts';
import { listReleases, recordRelease, removeRelease } from './delivery/releases.ts';
import { endpointList } from './endpoint.ts';
import {
  listDevelopers,
  listTimeOff,
  mergeDevelopers,
  recordTimeOff,
  removeTimeOff,
  setProcessing,
  splitDeveloper,
  suggestMerges,
} from './people/developers.ts';
import { readReport } from './reports/reports.ts';
import { introspectSegments } from './reports/segment-introspections.ts';
import { listImports, queueImport, removeImport } from './repos/imports.ts';
import { SURVEY_ENDPOINTS } from './surveys/surveys.ts';
import { createTeam, deleteTeam, listTeamRepos, showTeam, updateTeam } from './teams/teams.ts';
import { addTracker, listTrackers, removeTracker } from './work/trackers.ts';

export const ENDPOINTS = endpointList(
  tokenStatus,
  listLlmTokens,
  provisionUser,
  offboardEntity,
  recordAiUsage,
  recordAiUsages,
  removeAiUsage,
  listAiIdentities,
  setAiIdentity,
  listAiSources,
  readLineHistory,
  recordDefect,
  listDefects,
  removeDefect,
  listAudits,
  recordTimeOff,
  removeTimeOff,
  listTimeOff,
  suggestMerges,
  mergeDevelopers,
  splitDeveloper,
  listDevelopers,
  setProcessing,
  queueImport,
  listImports,
  removeImport,
  recordRelease,
  listReleases,
  removeRelease,
  ...SURVEY_ENDPOINTS,
  readReport,
  introspectSegments,
  createTeam,
  showTeam,
  updateTeam,
  deleteTeam,
  listTeamRepos,
  listActivity,
  addTracker,
  listTrackers,
  removeTracker,
);
