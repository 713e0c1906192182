// Before fresh walks: one call asks of many repos whether anything changed, and what did not is not walked.
import type { StreamRow } from '../domain/collect/stream.ts';
import { writePullRequestCounts } from '../storage/collect/repo-progress.ts';
import { listDueRepos, markUnchanged } from '../storage/collect/streams.ts';
import type { TokenSession } from './token-session.ts';

/** Failures are left to the walks, which know what to make of them. */
export async function skipUnchanged(session: TokenSession, streams: readonly StreamRow[]): Promise<void> {
  const { probe } = session.open;
  if (probe === null) return;
  const { db, token } = session;
  let after = 0;
  for (;;) {
    session.signal.throwIfAborted();
    const now = session.now();
    if (session.isTimeUp() || session.budgets.blockedUntil(probe.resource, now) !== null) return;
    const due = await listDueRepos(db, token, { streams: probe.streams, after, most: probe.most }, now);
    if (due.length === 0) return;
    after = due.at(-1)!.repo_id;
    session.answers.begin();
    const scopes = due.map(({ external_id, path }) => ({ kind: 'repo' as const, external_id, path, settings: {} }));
    let changes: Awaited<ReturnType<typeof probe.ask>>;
    try {
      changes = await probe.ask(scopes, session.signal);
    } catch (error) {
      if (session.signal.aborted) throw error;
      session.log.debug({ err: error }, 'repos could not be asked for changes together');
      return;
    }
    const hostTime = session.answers.hostTime();
    if (hostTime === null) return;
    for (const repo of due) {
      const last = changes.get(repo.external_id);
      const unchanged = repo.streams.filter(({ stream, watermark }) => {
        const at = last?.get(stream);
        return at !== undefined && (at === null || at < new Date(watermark));
      });
      const place = { repo_id: repo.repo_id, tracker_id: null, organization_external_id: null };
      const rows = unchanged.map(({ id, stream }) => {
        const row = streams.find(({ name }) => name === stream);
        return { id, due_at: row === undefined ? now : session.pace.dueAt(row, place, now) };
      });
      await markUnchanged(db, token.entityId, rows, hostTime);
      if (unchanged.some(({ stream }) => stream === 'pull_requests')) {
        await writePullRequestCounts(db, { entityId: token.entityId, repoId: repo.repo_id }, now);
      }
    }
    await session.storeBudgets();
  }
}
