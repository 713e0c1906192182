// The hash of `strata analyze --digest`, computed over what the database holds of a repo.
import { createDigest } from '../../src/engine/model/digest.ts';
import type { CommitFact } from '../../src/engine/model/facts.ts';
import type { RepoKey } from '../../src/storage/commits/commit-changes.ts';
import type { Database } from '../../src/storage/database/handle.ts';
import { readStoredFacts, type StoredFacts } from './read-stored-facts.ts';

export async function digestStoredFacts(db: Database, key: RepoKey): Promise<string> {
  const digest = createDigest();
  for await (const stored of readStoredFacts(db, key)) {
    digest.add({ kind: 'commit', fact: storedToFact(stored), minHash: null, rows: null, totals: null });
  }
  return digest.value();
}

function storedToFact({ state, ...stored }: StoredFacts): CommitFact {
  // Storage keeps the engine's own words, so what it reads back are the engine's words again.
  return { ...stored, is_final: state === 'analysis_complete' } as CommitFact;
}
