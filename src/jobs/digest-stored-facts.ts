// The hash of `strata analyze --digest`, computed over what the database holds of a repo.
import { createDigest } from '../engine/model/digest.ts';
import type { CommitFact } from '../engine/model/facts.ts';
import type { RepoKey } from '../storage/commits/commit-changes.ts';
import { readStoredFacts, type StoredFacts } from '../storage/commits/read-facts.ts';
import type { Database } from '../storage/database/handle.ts';

export async function digestStoredFacts(db: Database, key: RepoKey): Promise<string> {
  const digest = createDigest();
  for await (const stored of readStoredFacts(db, key)) {
    digest.add({ kind: 'commit', fact: storedToFact(stored), sketch: null });
  }
  return digest.value();
}

function storedToFact({ state, ...stored }: StoredFacts): CommitFact {
  // Storage keeps the engine's own words, so what it reads back are the engine's words again.
  return { ...stored, is_final: state === 'analysis_complete' } as CommitFact;
}
