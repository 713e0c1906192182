// Usage of AI tools as their providers count it: per day, committer or team, and model.

import { usageModel } from '../../domain/ai/models.ts';
import { listOverAccepted, MICROCENTS_PER_CENT, MOST_OF } from '../../domain/ai/usage-limits.ts';
import { requirePastDay } from '../../domain/calendar/not-in-the-future.ts';
import { StrataError } from '../../domain/errors.ts';
import { memoize } from '../../kit/remembered.ts';
import { USAGE_COUNTS, type UsageCounts } from '../../storage/ai/submitted/usage-counts.ts';
import {
  deleteUsage,
  type StoredUsage,
  storeUsages,
  subjectKey,
  type UsageChange,
} from '../../storage/ai/submitted/usages.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { findTeamsBySlug } from '../../storage/teams/teams.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findCommitters, unknownCommitter } from '../people/resolve-committer.ts';
import { findResources } from '../repos/find-resources.ts';

export interface UsageInput {
  readonly llm_model_name: string;
  /** The UTC day counts. */
  readonly date: Date;
  readonly committer_user_name?: string | undefined;
  readonly committer_identifier?: string | undefined;
  readonly team_slug?: string | undefined;
  readonly lines_added?: number | undefined;
  readonly lines_deleted?: number | undefined;
  readonly prompted_suggest_count?: number | undefined;
  readonly prompted_accept_count?: number | undefined;
  readonly tab_suggest_count?: number | undefined;
  readonly tab_accept_count?: number | undefined;
  /** Kept to the millionth. */
  readonly cents_cost?: number | undefined;
  readonly add_to_existing: boolean;
}

export interface RecordedUsage {
  readonly record_count: number;
  /** Whom the first record belongs to, for a sentence. */
  readonly subject: string;
  readonly warnings: readonly string[];
}

export interface AiUsageOperations {
  /** All of them or none. The order matters only where two have the same day, subject and model. */
  record(grant: Grant<'member'>, usages: readonly UsageInput[], isBulk: boolean): Promise<RecordedUsage>;
  /** What was recorded of a day, subject and model. Returns whom it belonged to. */
  remove(grant: Grant<'admin'>, usage: UsageName): Promise<{ readonly subject: string }>;
}

/** What tells records of usage apart. */
export type UsageName = Pick<
  UsageInput,
  'llm_model_name' | 'date' | 'committer_user_name' | 'committer_identifier' | 'team_slug'
>;

export function createAiUsageOperations({ store: { db }, now }: OperationParts): AiUsageOperations {
  return {
    async record({ entity, paths }, usages, isBulk) {
      await findResources(db, entity.id, paths);
      const fieldOf = (index: number, name: string) => (isBulk ? `usages[${index}].${name}` : name);
      const at = now();
      for (const [index, { date }] of usages.entries()) {
        if (date > at) requirePastDay({ [fieldOf(index, 'date')]: date }, at);
      }
      const identifiers = new Set<string>();
      for (const { committer_user_name, committer_identifier } of usages) {
        if (committer_user_name !== undefined) identifiers.add(committer_user_name);
        if (committer_identifier !== undefined) identifiers.add(committer_identifier);
      }
      const committers = await findCommitters(db, entity.id, [...identifiers]);
      const teams = await findTeams(db, entity.id, usages);
      const providerOf = memoize((name: string) => usageModel(name).provider);
      const dayOf = memoize((milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10));
      const find = (usage: UsageInput, index: number, name: (typeof IDENTIFIERS)[number]) => {
        const identifier = usage[name];
        if (identifier === undefined) return undefined;
        const committer = committers.get(identifier);
        if (committer === undefined) throw unknownCommitter(identifier, fieldOf(index, name));
        return committer;
      };
      const changes = usages.map((usage, index): UsageChange => {
        const byName = find(usage, index, 'committer_user_name');
        const byIdentifier = find(usage, index, 'committer_identifier');
        if (byName !== undefined && byIdentifier !== undefined && byName.id !== byIdentifier.id) {
          throw refused(
            fieldOf(index, 'committer_identifier'),
            `"${usage.committer_identifier}" is ${byIdentifier.committer_user_name}, but committer_user_name says ` +
              `${byName.committer_user_name}; one of the two is enough`,
          );
        }
        const committer = byName ?? byIdentifier;
        const team = usage.team_slug === undefined ? null : teams.get(usage.team_slug);
        if (team === undefined) {
          throw refused(fieldOf(index, 'team_slug'), `there is no team "${usage.team_slug}" in ${entity.slug}`);
        }
        return {
          used_on: dayOf(usage.date.getTime()),
          committer_id: committer?.id ?? null,
          // One row per developer and day: it counts for the teams that the developer is in.
          team_id: committer === undefined ? team : null,
          llm_model_name: usage.llm_model_name,
          ai_provider_em: providerOf(usage.llm_model_name),
          lines_added: usage.lines_added ?? null,
          lines_deleted: usage.lines_deleted ?? null,
          prompted_suggest_count: usage.prompted_suggest_count ?? null,
          prompted_accept_count: usage.prompted_accept_count ?? null,
          tab_suggest_count: usage.tab_suggest_count ?? null,
          tab_accept_count: usage.tab_accept_count ?? null,
          cost_microcents: usage.cents_cost === undefined ? null : Math.round(usage.cents_cost * MICROCENTS_PER_CENT),
          adds: usage.add_to_existing,
        };
      });
      await inTransaction(db, async (trx) => {
        // First, because it lets one call of an entity at a time pass: no two can wait for each other.
        await bumpDataVersion(trx, entity.id);
        for (const row of await storeUsages(trx, entity.id, changes, now())) {
          const rule = brokenRule(row);
          if (rule === null) continue;
          const key = subjectKey(row);
          const index = changes.findLastIndex((change) => change[rule.field] !== null && subjectKey(change) === key);
          const last = index === -1 ? changes.findLastIndex((change) => subjectKey(change) === key) : index;
          throw refused(fieldOf(last, wireName(rule.field)), rule.message);
        }
      });
      const [first] = usages;
      const subject = first === undefined ? 'nobody' : subjectOf(first, committers, entity.slug);
      const warnings = usages.flatMap((usage, index) =>
        usage.team_slug === undefined || changes[index]!.committer_id === null
          ? []
          : [
              `${fieldOf(index, 'team_slug')}: ignored beside a committer, whose usage counts for the teams they are in`,
            ],
      );
      return { record_count: changes.length, subject, warnings };
    },

    async remove({ entity, paths }, usage) {
      await findResources(db, entity.id, paths);
      const [identifier] = identifiersOf(usage);
      const committers = await findCommitters(db, entity.id, identifier === undefined ? [] : [identifier]);
      const committer = identifier === undefined ? undefined : committers.get(identifier);
      if (identifier !== undefined && committer === undefined)
        throw unknownCommitter(identifier, 'committer_identifier');
      const team =
        usage.team_slug === undefined ? null : (await findTeams(db, entity.id, [usage])).get(usage.team_slug);
      if (team === undefined) {
        throw refused('team_slug', `there is no team "${usage.team_slug}" in ${entity.slug}`);
      }
      const subject = subjectOf(usage, committers, entity.slug);
      const used_on = usage.date.toISOString().slice(0, 10);
      await inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entity.id);
        const isGone = await deleteUsage(trx, entity.id, {
          used_on,
          committer_id: committer?.id ?? null,
          team_id: committer === undefined ? team : null,
          llm_model_name: usage.llm_model_name,
        });
        if (isGone) return;
        const message = `no usage of ${usage.llm_model_name} on ${used_on} is recorded for ${subject}`;
        throw new StrataError('not_found', `${message}; GET /audits?resource_type=ai_usages lists what is`);
      });
      return { subject };
    },
  };
}

const IDENTIFIERS = ['committer_user_name', 'committer_identifier'] as const;

const identifiersOf = (usage: UsageName): string[] => IDENTIFIERS.flatMap((name) => usage[name] ?? []);

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

async function findTeams(db: Database, entityId: number, usages: readonly UsageName[]): Promise<Map<string, number>> {
  const slugs = [...new Set(usages.flatMap(({ team_slug }) => team_slug ?? []))];
  const teams = await findTeamsBySlug(db, entityId, slugs);
  return new Map([...teams].map(([slug, { id }]) => [slug, id]));
}

const wireName = (count: keyof UsageCounts): string => (count === 'cost_microcents' ? 'cents_cost' : count);
const wireValue = (count: keyof UsageCounts, value: number): number =>
  count === 'cost_microcents' ? value / MICROCENTS_PER_CENT : value;

interface BrokenRule {
  readonly field: keyof UsageCounts;
  readonly message: string;
}

/** Sums beyond all sense, and more accepted than suggested. */
function brokenRule(row: StoredUsage): BrokenRule | null {
  const tooLarge = USAGE_COUNTS.find((name) => (row[name] ?? 0) > MOST_OF[name]);
  if (tooLarge !== undefined) {
    const [sum, most] = [row[tooLarge] ?? 0, MOST_OF[tooLarge]].map((value) => wireValue(tooLarge, value));
    return { field: tooLarge, message: `the sum on ${row.used_on} would be ${sum}; accepted is at most ${most}` };
  }
  return listOverAccepted(row, row.used_on)[0] ?? null;
}

function subjectOf(usage: UsageName, committers: Awaited<ReturnType<typeof findCommitters>>, entity: string): string {
  const [identifier] = identifiersOf(usage);
  if (identifier !== undefined) return committers.get(identifier)!.committer_user_name;
  return usage.team_slug === undefined ? `${entity}, not attributed to anybody` : `the team ${usage.team_slug}`;
}
