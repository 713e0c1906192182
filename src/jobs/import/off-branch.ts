// Commits that only tags or heads of pull requests lead to. They are analysed like those of a branch and stored as off_branch:
// pull requests find their commits, and no statistic of lines counts them. One that a branch leads to later counts from then on.

import { listShas } from '../../engine/git/list-shas.ts';
import { listKeptHeads } from '../../engine/git/pull-request-heads.ts';
import { findMissing } from '../../engine/objects/find-missing.ts';
import { trailsFolder } from '../../engine/trails/place.ts';
import { analyzeSlice } from '../../engine/walk/analyze.ts';
import { prepareStaging } from '../../storage/commits/load-batch.ts';
import { lockShared } from '../../storage/commits/shared-commits.ts';
import { findStoredCommits } from '../../storage/commits/stored-commits.ts';
import { writeProgress } from '../../storage/repos/imports.ts';
import { ImportLoader } from './loader.ts';
import { checkMirror } from './mirror-check.ts';
import type { WalkInput } from './walk.ts';

/** After the walk of the branches. Returns whether anything was stored. */
export async function walkOffBranch(input: WalkInput): Promise<boolean> {
  const { session, target: run, mirror, since, derivation } = input;
  const { repository } = mirror;
  const tips = await listTips(input);
  if (tips.length === 0) return false;
  const known = await findStoredCommits(session.db, run, tips);
  const heads = tips.filter((sha) => known.get(sha)?.isComplete !== true);
  if (heads.length === 0) return false;
  const branches = new Set(mirror.heads.values());
  const notHeads = [...branches, ...tips.filter((sha) => known.get(sha)?.isComplete === true)];
  const listed = await listShas(repository, heads, notHeads);
  if (listed.shas.length === 0) return false;
  const stored = await findStoredCommits(session.db, run, listed.shas);
  const target = { ...run, presence: 'off_branch' as const };
  await prepareStaging(session);
  const loader = new ImportLoader({
    session,
    target,
    people: input.people,
    stored: new Map([...stored].map(([sha, { id }]) => [sha, id])),
    reopened: new Set(),
    isDerivedAnew: stored.size > 0,
    expected: listed.shas.length - stored.size,
    children: listed.children,
    batchBytes: input.batchBytes,
    checkSource: () => checkMirror(mirror),
    progress: () => ({}),
  });
  let count = 0;
  try {
    const slice = { heads, notHeads, onDefaultBranch: false };
    const options = {
      since,
      conventionsAt: mirror.defaultHead,
      pathRules: input.pathRules,
      churnDays: derivation.churn_days,
      trailsIn: trailsFolder(repository.gitDir),
      signal: input.signal,
      isComplete: (sha: string) => stored.get(sha)?.isComplete === true,
      ...(input.threads === null ? {} : { threads: input.threads }),
    };
    for await (const event of analyzeSlice(repository, { ...slice, ...options })) {
      input.signal.throwIfAborted();
      if (event.kind === 'commit') count += 1;
      const isFull = loader.add(event);
      if (isFull !== undefined) await isFull;
    }
    await loader.finish();
  } finally {
    await loader.idle();
  }
  await session.transaction(async () => {
    await lockShared(session.db, target.entityId);
    await writeProgress(session.db, target, {});
    await checkMirror(mirror);
  });
  return count > 0;
}

/** Within the window, and readable. */
async function listTips({ mirror: { repository, tags: listed }, since }: WalkInput): Promise<string[]> {
  const tags = listed.map(({ sha, taggedAt }) => ({ sha, committedAt: taggedAt }));
  const tips = [...tags, ...(await listKeptHeads(repository))].filter(
    ({ committedAt }) => since === null || committedAt >= since,
  );
  const shas = [...new Set(tips.map(({ sha }) => sha))].sort();
  const missing = await findMissing(repository, 'commit', shas);
  return shas.filter((sha) => !missing.has(sha));
}
