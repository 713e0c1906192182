// Collects usage and seats with one token of an AI provider: the days that the provider may still revise, each replaced
// as a whole, then older ones, newest first, as far back as it keeps them.
import {
  type AiCollector,
  absentAnswer,
  type CollectedUsage,
  type DayReport,
  ProviderError,
} from '../../domain/ai/collector.ts';
import { TOKEN_KINDS, tokenKindOf, tokenSealContext } from '../../domain/ai/providers.ts';
import { ACCEPTED_OF } from '../../domain/ai/usage-limits.ts';
import { SealedWithAnotherKey } from '../../kit/sealed-secret.ts';
import { replaceCollectedDay } from '../../storage/ai/collected-usages.ts';
import {
  type CollectedToken,
  listDueTokens,
  noteTokenProgress,
  readCollectedToken,
  replaceSeats,
  storeCommitCounts,
} from '../../storage/ai/due-tokens.ts';
import { matchIdentities } from '../../storage/ai/identities.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { JobContext, JobParts, Task } from '../task.ts';
import { deriveEvidence } from './derive-evidence.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Where only time can help, and the provider does not say how much. */
const RETRY_MINUTES = 30;
/** For so long a finished day is asked for again while others are answered; after that the provider has lost it. */
const ABSENT_DAYS = 30;

export const collectUsageDue: Task<'collect_usage_due'> = {
  description: 'Queues the tokens of AI providers whose next collection is due.',
  cron: { pattern: '*/5 * * * *', payload: {} },
  async run(_payload, { log }, { store, now }) {
    const due = await listDueTokens(store.db, now());
    for (const { entity_id, id } of due) {
      const jobKey = `collect usage ${entity_id} ${id}`;
      await enqueue(
        store.db,
        'collect_usage',
        { entity_id, llm_token_id: id },
        { jobKey, queueName: jobKey, maxAttempts: 3 },
      );
    }
    if (due.length > 0) log.info({ tokens: due.length }, 'queued the collection of AI usage');
  },
};

export const collectUsage: Task<'collect_usage'> = {
  description: 'Collects usage and seats from a provider of AI tools.',
  async run({ entity_id, llm_token_id }, job, parts) {
    const { store, now, secrets, aiCollectors } = parts;
    if (secrets === undefined || aiCollectors === undefined) throw new Error('there are no collectors of AI usage');
    const token = await readCollectedToken(store.db, entity_id, llm_token_id);
    if (token === null) return;
    const note = (to: Parameters<typeof noteTokenProgress>[3]) =>
      noteTokenProgress(store.db, entity_id, llm_token_id, to);
    const kind = tokenKindOf(token.ai_usage_provider_em, token.tool_em);
    try {
      const collector = aiCollectors.connect({
        kind,
        secret: secrets.open(token.secret_sealed, tokenSealContext(entity_id, kind)),
        settings: { ...(token.organization === null ? {} : { organization: token.organization }), ...token.settings },
      });
      await note({ last_used_at: now(), last_run_at: now() });
      await collect({ entityId: entity_id, tokenId: llm_token_id, token, collector, job, parts });
      await note({
        global_error_em: null,
        error_detail: null,
        next_run_at: new Date(now().getTime() + collector.minutesBetweenRuns * MINUTE_MS),
      });
    } catch (caught) {
      // Looked at again as after any other failure: a service that is started with the key can open it.
      const error = caught instanceof SealedWithAnotherKey ? new ProviderError('rejected', caught.message) : caught;
      if (!(error instanceof ProviderError)) throw error;
      const { failure, message, retryAt } = error;
      job.log.warn({ entity_id, llm_token_id, failure }, `AI usage could not be collected: ${message}`);
      await note({
        global_error_em: failure,
        error_detail: message,
        next_run_at: retryAt ?? new Date(now().getTime() + RETRY_MINUTES * MINUTE_MS),
        ...(failure === 'rate_limited' ? { last_exceeded_quota_at: now() } : {}),
      });
    } finally {
      await bumpDataVersion(store.db, entity_id);
    }
  },
};

interface Run {
  readonly entityId: number;
  readonly tokenId: number;
  readonly token: CollectedToken;
  readonly collector: AiCollector;
  readonly job: JobContext;
  readonly parts: JobParts;
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

async function collect(run: Run): Promise<void> {
  const { entityId, tokenId, token, collector, job, parts } = run;
  const { store, now } = parts;
  const kind = TOKEN_KINDS[tokenKindOf(token.ai_usage_provider_em, token.tool_em)];
  const today = now().toISOString().slice(0, 10);
  const note = (to: Parameters<typeof noteTokenProgress>[3]) => noteTokenProgress(store.db, entityId, tokenId, to);
  const failures = await collectSeats(run, kind.provider, today);
  const lastFinal = addDays(today, -collector.overlapDays - 1);
  const first = [addDays(token.last_success_on ?? lastFinal, 1), addDays(today, -collector.overlapDays)].toSorted()[0]!;
  const oldest = addDays(today, -collector.backfillDays);
  const { latest, answered, unanswered } = await collectFresh(run, { today, lastFinal, first, oldest });
  // Not one answer is no gap: the token sees nothing.
  if (answered === null) throw absentAnswer(kind.product, 'usage');
  if (unanswered !== null) failures.push(absentAnswer(kind.product, `usage of ${unanswered}`));
  await note({
    last_success_on: unanswered === null ? lastFinal : addDays(unanswered, -1),
    ...(latest === null ? {} : { latest_available_on: latest }),
  });
  const next = addDays(token.backfilled_on ?? first, -1);
  if (!(await collectOlder(run, { next, oldest, answered }))) throw absentAnswer(kind.product, 'usage');
  if (collector.listCommits !== undefined) {
    const commits = await collector.listCommits(first, today, job.signal);
    const owner = { entityId, provider: kind.provider, tool: kind.tool };
    await storeCommitCounts(store.db, owner, commits, now());
    await store.db.transaction().execute((trx) => deriveEvidence(trx, entityId, 'claims', now()));
  }
  await matchIdentities(store.db, entityId);
  if (failures.length > 0) throw failures[0];
}

/** Returns why they could not be read. Usage is read all the same, because it needs another right. */
async function collectSeats(run: Run, provider: string, today: string): Promise<ProviderError[]> {
  const { entityId, tokenId, collector, job, parts } = run;
  try {
    const seats = await collector.listSeats?.(job.signal);
    if (seats === undefined) return [];
    const owner = { entityId, tokenId, provider };
    await parts.store.db.transaction().execute((trx) => replaceSeats(trx, owner, seats, today));
    return [];
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unexpected_answer') return [error];
    throw error;
  }
}

interface FreshDays {
  /** The newest day with usage. */
  readonly latest: string | null;
  /** The newest day that was answered, with usage or without. */
  readonly answered: string | null;
  /** The oldest finished day that was not, and may still come. */
  readonly unanswered: string | null;
}

/** The days that the provider may still revise, and finished ones that were not answered so far; newest first. */
async function collectFresh(
  run: Run,
  range: { readonly today: string; readonly lastFinal: string; readonly first: string; readonly oldest: string },
): Promise<FreshDays> {
  let latest: string | null = null;
  let answered: string | null = null;
  let unanswered: string | null = null;
  for (let day = range.today; day >= range.first && day >= range.oldest; day = addDays(day, -1)) {
    const isFinal = day <= range.lastFinal;
    const found = await collectDay(run, day, isFinal);
    if (found === 'usage') latest ??= day;
    if (found !== 'absent') answered ??= day;
    else if (isFinal && day > addDays(range.lastFinal, -ABSENT_DAYS)) unanswered = day;
  }
  return { latest, answered, unanswered };
}

/**
 * Days before the first that was read, newest first; the provider need not have kept them. Returns false where the token
 * has lost its right on the way: then the days since the last answer are asked for again.
 */
async function collectOlder(
  run: Run,
  { next, oldest, answered }: { readonly next: string; readonly oldest: string; readonly answered: string },
): Promise<boolean> {
  const note = (day: string) =>
    noteTokenProgress(run.parts.store.db, run.entityId, run.tokenId, { backfilled_on: day });
  let isAbsent = false;
  for (let day = next; day >= oldest; day = addDays(day, -1)) {
    isAbsent = (await collectDay(run, day, true)) === 'absent';
    if (!isAbsent) await note(day);
  }
  if (!isAbsent) return true;
  if ((await run.collector.pullDay(answered, run.job.signal)) === 'absent') return false;
  await note(oldest);
  return true;
}

/** Says what the provider has of the day. Without usage it keeps what is stored, unless it is a final report. */
async function collectDay(run: Run, day: string, isFinal: boolean): Promise<'usage' | 'no_data' | 'absent'> {
  const { collector, job } = run;
  job.signal.throwIfAborted();
  const report = await collector.pullDay(day, job.signal);
  if (typeof report === 'string') return report;
  if (report.usages.length > 0 || isFinal) await storeDay(run, day, report);
  return report.usages.length > 0 ? 'usage' : 'no_data';
}

async function storeDay(
  { entityId, tokenId, job, parts: { store, now } }: Run,
  day: string,
  report: Exclude<DayReport, string>,
): Promise<void> {
  const usages = report.usages.map(clampAccepted);
  const clamped = usages.filter((usage, index) => usage !== report.usages[index]).length;
  if (clamped > 0)
    job.log.info(
      { entity_id: entityId, llm_token_id: tokenId, day, clamped },
      'more was accepted than suggested; counted as suggested',
    );
  const place = { source: 'provider_api', llm_token_id: tokenId, used_on: day } as const;
  await store.db.transaction().execute((trx) => replaceCollectedDay(trx, entityId, place, usages, now()));
}

/** An acceptance can fall on the day after its suggestion: no more counts than was suggested. */
function clampAccepted(usage: CollectedUsage): CollectedUsage {
  let clamped = usage;
  for (const [accepted, suggested] of ACCEPTED_OF) {
    const [given, most] = [usage[accepted], usage[suggested]];
    if (typeof given === 'number' && typeof most === 'number' && given > most)
      clamped = { ...clamped, [accepted]: most };
  }
  return clamped;
}
