// What the service can do, by resource. The API and the command line both call these.

import { type ConnectionOperations, createConnectionOperations } from './access/connections.ts';
import { createInvitationOperations, type InvitationOperations } from './access/door/invitations.ts';
import { createMeOperations, type MeOperations } from './access/door/me.ts';
import { createSessionOperations, type SessionOperations } from './access/door/sessions.ts';
import { createSignInOperations, type SignInOperations } from './access/door/sign-in.ts';
import { createEffectiveSettings } from './access/effective-settings.ts';
import { createEntityOperations, type EntityOperations } from './access/entities.ts';
import { type AccessOperations, createAccessOperations } from './access/grant.ts';
import { createIdempotencyOperations, type IdempotencyOperations } from './access/idempotency.ts';
import { createOffboardOperations, type OffboardOperations } from './access/offboard.ts';
import { createProvisionUserOperations, type ProvisionUserOperations } from './access/provisioning/provision-user.ts';
import { createSettingOperations, type SettingOperations } from './access/settings.ts';
import { createTokenOperations, type TokenOperations } from './access/tokens.ts';
import { createUserOperations, type UserOperations } from './access/users.ts';
import { type ActivityOperations, createActivityOperations } from './activity/activity.ts';
import { type AiImpactOperations, createAiImpactOperations } from './ai/ai-impact.ts';
import { type AiIdentityOperations, createAiIdentityOperations } from './ai/identities.ts';
import { createIngestTokenOperations, type IngestTokenOperations } from './ai/ingest-tokens.ts';
import { createLineSurvivalOperations, type LineSurvivalOperations } from './ai/line-survival.ts';
import { createLlmTokenOperations, type LlmTokenOperations } from './ai/llm-tokens.ts';
import { createTelemetryOperations, type TelemetryOperations } from './ai/telemetry.ts';
import { createUsageImportOperations, type UsageImportOperations } from './ai/usage-import.ts';
import { type AiUsageOperations, createAiUsageOperations } from './ai/usages.ts';
import { type AuditOperations, createAuditOperations } from './audits/index.ts';
import { createDefectOperations, type DefectOperations } from './delivery/defects.ts';
import { createReleaseOperations, type ReleaseOperations } from './delivery/releases.ts';
import { createJobOperations, type JobOperations } from './jobs/jobs.ts';
import { createLineHistoryOperations, type LineHistoryOperations } from './line-history/index.ts';
import { createMailOperations, type MailOperations } from './mail/mail.ts';
import type { OperationParts } from './operation-parts.ts';
import { type CommitterOperations, createCommitterOperations } from './people/committers.ts';
import { createDeveloperOperations, type DeveloperOperations } from './people/developers.ts';
import { createTimeOffOperations, type TimeOffOperations } from './people/time-off.ts';
import { createReportOperations, type ReportOperations } from './reports/reports.ts';
import { createHookOperations, type HookOperations } from './repos/hooks.ts';
import { createHostOperations, type HostOperations } from './repos/hosts.ts';
import { createImportOperations, type ImportOperations } from './repos/imports.ts';
import { createSurveyOperations, type SurveyOperations } from './surveys/index.ts';
import { createTeamOperations, type TeamOperations } from './teams/teams.ts';
import { createTrackerOperations, type TrackerOperations } from './work/trackers.ts';

export { type Actor, OPERATOR } from './access/actor.ts';
export { type Client, UNKNOWN_CLIENT } from './access/door/client.ts';
export { type Grant, grantAccess, isSuperAdmin, type Place, type SuperAdmin } from './access/grant.ts';
export { type ActivityInput, outcomeOf } from './activity/activity.ts';
export type { OperationParts } from './operation-parts.ts';
export type * from './records.ts';
export type { ReportInput } from './reports/input.ts';
export type { ReportOperations } from './reports/reports.ts';
export type { ImportOperations, ImportWindow } from './repos/imports.ts';
export type { ChangedTeam, TeamOperations } from './teams/teams.ts';

/** What this installation is and offers. */
export interface ServerFacts {
  readonly version: string;
  readonly publicUrl: string | null;
  readonly hasMail: boolean;
}

export interface Operations {
  readonly access: AccessOperations;
  readonly entities: EntityOperations;
  readonly users: UserOperations;
  readonly tokens: TokenOperations;
  readonly sessions: SessionOperations;
  readonly signIn: SignInOperations;
  readonly invitations: InvitationOperations;
  readonly me: MeOperations;
  readonly server: ServerFacts;
  readonly connections: ConnectionOperations;
  readonly jobs: JobOperations;
  readonly settings: SettingOperations;
  readonly imports: ImportOperations;
  readonly hosts: HostOperations;
  readonly hooks: HookOperations;
  readonly reports: ReportOperations;
  readonly llmTokens: LlmTokenOperations;
  readonly aiUsages: AiUsageOperations;
  readonly aiIdentities: AiIdentityOperations;
  readonly ingestTokens: IngestTokenOperations;
  readonly telemetry: TelemetryOperations;
  readonly usageImport: UsageImportOperations;
  readonly lineSurvival: LineSurvivalOperations;
  readonly aiImpact: AiImpactOperations;
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
  readonly trackers: TrackerOperations;
  readonly idempotency: IdempotencyOperations;
  readonly activity: ActivityOperations;
  /** Makes the next request of every token and session ask the database; with a hash, of that one. */
  forgetAccess(hash?: string): void;
  /** Writes what is still in memory. */
  close(): Promise<void>;
}

export function createOperations(parts: OperationParts): Operations {
  const effective = createEffectiveSettings(parts);
  const access = createAccessOperations(parts, effective);
  const tokens = createTokenOperations(parts, access);
  const ingestTokens = createIngestTokenOperations(parts, access);
  const sessions = createSessionOperations(parts);
  const forgetAccess = (hash?: string): void => {
    tokens.forget(hash);
    sessions.forget(hash);
  };
  const reports = createReportOperations(parts);
  const survival = createLineSurvivalOperations(parts);
  const activity = createActivityOperations(parts, access);
  const lineHistory = createLineHistoryOperations(parts);
  return {
    access,
    entities: createEntityOperations(parts),
    users: createUserOperations(parts, access, { sessions, forgetTokens: tokens.forget }),
    tokens,
    sessions,
    signIn: createSignInOperations(parts, sessions, activity),
    invitations: createInvitationOperations(parts, sessions),
    me: createMeOperations(parts, effective),
    connections: createConnectionOperations(parts),
    jobs: createJobOperations(parts),
    server: {
      version: parts.version ?? '',
      publicUrl: parts.mail?.publicUrl ?? null,
      hasMail: parts.mail?.canSend ?? false,
    },
    settings: createSettingOperations(parts, access, effective),
    imports: createImportOperations(parts, access),
    hosts: createHostOperations(parts, access),
    hooks: createHookOperations(parts, access),
    reports,
    provisionUser: createProvisionUserOperations(parts),
    llmTokens: createLlmTokenOperations(parts, access),
    aiUsages: createAiUsageOperations(parts),
    aiIdentities: createAiIdentityOperations(parts),
    ingestTokens,
    telemetry: createTelemetryOperations(parts),
    usageImport: createUsageImportOperations(parts),
    lineSurvival: survival,
    aiImpact: createAiImpactOperations(parts, { reports, survival }),
    defects: createDefectOperations(parts),
    releases: createReleaseOperations(parts),
    developers: createDeveloperOperations(parts),
    teams: createTeamOperations(parts),
    offboard: createOffboardOperations(parts, forgetAccess),
    mail: createMailOperations(parts, access),
    committers: createCommitterOperations(parts, access),
    timeOff: createTimeOffOperations(parts),
    surveys: createSurveyOperations(parts),
    trackers: createTrackerOperations(parts),
    idempotency: createIdempotencyOperations(parts),
    lineHistory,
    audits: createAuditOperations(parts, reports),
    activity,
    forgetAccess,
    async close() {
      lineHistory.close();
      await Promise.all([tokens.close(), sessions.close(), ingestTokens.close(), activity.close()]);
    },
  };
}
