// Every endpoint, in the order of the specification. One walk of this list makes the router, the OpenAPI
// document and the contract tests.

import { tokenStatus } from './access/api-tokens.ts';
import { offboardEntity } from './access/offboard.ts';
import { provisionUser } from './access/provision-user.ts';
import { listActivity } from './activity/activity.ts';
import { listConnections, listImportable, removeConnection } from './admin/connections.ts';
import { createEntity, listEntities } from './admin/entities.ts';
import { listJobs, listMail } from './admin/operations.ts';
import { changeSetting, listSettings, resetSetting } from './admin/settings.ts';
import { createToken, listTokens, revokeToken } from './admin/tokens.ts';
import { changeUser, createUser, listUsers, removeRole, removeUser } from './admin/users.ts';
import { readAiImpact } from './ai/ai-impact.ts';
import { listAiIdentities, setAiIdentity } from './ai/identities.ts';
import { readLineSurvival } from './ai/line-survival.ts';
import { addLlmToken, listLlmTokens, removeLlmToken } from './ai/llm-tokens.ts';
import { listAiSources } from './ai/sources.ts';
import { recordAiUsage, recordAiUsages, removeAiUsage } from './ai/usages.ts';
import { listAudits } from './audits/audits.ts';
import { readLineHistory } from './commits/line-history.ts';
import { listDefects, recordDefect, removeDefect } from './delivery/critical-defects.ts';
import { listReleases, recordRelease, removeRelease } from './delivery/releases.ts';
import { createInvitation, listInvitations, removeInvitation } from './door/invitations.ts';
import { readMe, setPassword, setPreferences } from './door/me.ts';
import { endSession, listSessions, signInByLink, signInByPassword, signInOptions } from './door/sessions.ts';
import { type Endpoint, endpointList } from './endpoint.ts';
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
import { readReports } from './reports/report-batch.ts';
import { readReport } from './reports/reports.ts';
import { introspectSegments } from './reports/segment-introspections.ts';
import { listCandidates, listImports, queueAddress, queueFolder, queueImport, removeImport } from './repos/imports.ts';
import { SURVEY_ENDPOINTS } from './surveys/surveys.ts';
import { createTeam, deleteTeam, listTeamRepos, showTeam, updateTeam } from './teams/teams.ts';
import { addTracker, listTrackers, removeTracker } from './work/trackers.ts';

const CALLS: readonly Endpoint[] = [
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
  readLineSurvival,
  readAiImpact,
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
  queueAddress,
  queueFolder,
  listCandidates,
  recordRelease,
  listReleases,
  removeRelease,
  ...SURVEY_ENDPOINTS,
  readReport,
  readReports,
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
  signInOptions,
  signInByLink,
  signInByPassword,
  listSessions,
  endSession,
  createInvitation,
  listInvitations,
  removeInvitation,
  setPassword,
  setPreferences,
  listTokens,
  createToken,
  revokeToken,
  addLlmToken,
  removeLlmToken,
  listConnections,
  listImportable,
  removeConnection,
  listSettings,
  changeSetting,
  resetSetting,
  listUsers,
  createUser,
  changeUser,
  removeRole,
  removeUser,
  listEntities,
  createEntity,
  listMail,
  listJobs,
];

export const ENDPOINTS = endpointList(...CALLS, readMe(CALLS));
