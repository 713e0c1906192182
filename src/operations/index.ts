// What the service can do, by resource. The API and the command line both call these.
import type { Caller } from '../domain/access/caller.ts';
import { createEntityOperations, type EntityOperations } from './access/entities.ts';
import { createOffboardOperations, type OffboardOperations } from './access/offboard.ts';
import { createProvisionUserOperations, type ProvisionUserOperations } from './access/provision-user.ts';
import { createSettingOperations, type SettingOperations } from './access/settings.ts';
import { createTokenOperations, type TokenOperations } from './access/tokens.ts';
import { createUserOperations, type UserOperations } from './access/users.ts';
import { createLlmTokenOperations, type LlmTokenOperations } from './ai/llm-tokens.ts';
import { type AiUsageOperations, createAiUsageOperations } from './ai/usages.ts';
import { type AuditOperations, createAuditOperations } from './audits/index.ts';
import { createDefectOperations, type DefectOperations } from './delivery/defects.ts';
import { createReleaseOperations, type ReleaseOperations } from './delivery/releases.ts';
import { createLineHistoryOperations, type LineHistoryOperations } from './line-history/index.ts';
import { createMailOperations, type MailOperations } from './mail/mail.ts';
import type { OperationParts } from './operation-parts.ts';
import { type CommitterOperations, createCommitterOperations } from './people/committers.ts';
import { createDeveloperOperations, type DeveloperOperations } from './people/developers.ts';
import { createTimeOffOperations, type TimeOffOperations } from './people/time-off.ts';
import { createReportOperations, type ReportOperations } from './reports/reports.ts';
import { createImportOperations, type ImportOperations } from './repos/imports.ts';
import { createSurveyOperations, type SurveyOperations } from './surveys/index.ts';
import { createTeamOperations, type TeamOperations } from './teams/teams.ts';

export { type Actor, OPERATOR } from './access/actor.ts';
export type { Scope } from './access/authorise.ts';
export type { OperationParts } from './operation-parts.ts';
export type * from './records.ts';
export type { ReportInput } from './reports/input.ts';
export type { ReportOperations } from './reports/reports.ts';
export type { ImportOperations, ImportWindow } from './repos/imports.ts';
export type { ChangedTeam, TeamOperations } from './teams/teams.ts';

export interface Operations {
  readonly entities: EntityOperations & { timeZone(caller: Caller, entity?: string): Promise<string> };
  readonly users: UserOperations;
  readonly tokens: TokenOperations;
  readonly settings: SettingOperations;
  readonly imports: ImportOperations;
  readonly reports: ReportOperations;
  readonly llmTokens: LlmTokenOperations;
  readonly aiUsages: AiUsageOperations;
  readonly defects: DefectOperations;
  readonly releases: ReleaseOperations;
  readonly developers: DeveloperOperations;
  readonly committers: CommitterOperations;
  readonly timeOff: TimeOffOperations;
  readonly teams: TeamOperations;
  readonly offboard: OffboardOperations;
  readonly mail: MailOperations;
  readonly lineHistory: LineHistoryOperations;
  readonly audits: AuditOperations;
  readonly surveys: SurveyOperations;
  readonly provisionUser: ProvisionUserOperations;
  /** Writes what is still in memory. */
  close(): Promise<void>;
}

export function createOperations(parts: OperationParts): Operations {
  const settings = createSettingOperations(parts);
  const tokens = createTokenOperations(parts);
  const reports = createReportOperations(parts, settings);
  const lineHistory = createLineHistoryOperations(parts, settings);
  return {
    entities: { ...createEntityOperations(parts), timeZone: settings.timeZone },
    users: createUserOperations(parts),
    tokens,
    settings,
    imports: createImportOperations(parts),
    reports,
    provisionUser: createProvisionUserOperations(parts),
    llmTokens: createLlmTokenOperations(parts),
    aiUsages: createAiUsageOperations(parts),
    defects: createDefectOperations(parts, settings),
    releases: createReleaseOperations(parts, settings),
    developers: createDeveloperOperations(parts, settings),
    teams: createTeamOperations(parts, settings),
    offboard: createOffboardOperations(parts, tokens.forget),
    mail: createMailOperations(parts),
    committers: createCommitterOperations(parts, settings),
    timeOff: createTimeOffOperations(parts, settings),
    surveys: createSurveyOperations(parts, settings),
    lineHistory,
    audits: createAuditOperations(parts, settings, reports),
    close() {
      lineHistory.close();
      return tokens.close();
    },
  };
}
