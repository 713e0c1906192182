// Evidence of AI from outside of commits: what providers and tools say of a commit, and what the commits that a squash, a
// rebase or a cherry-pick was made of bear. Records of single lines and agents as authors decide alone, as always; else the
// strongest evidence decides, and derived evidence is taken back when what it follows from is gone.
import { CARRIED_AS, evidenceClassOf, WHOLE } from '../../domain/ai/evidence.ts';
import { usageModel } from '../../domain/ai/models.ts';
import { EVIDENCE_SOURCES, type EvidenceSource } from '../../domain/commits/line-model.ts';
import { matchCarriedLines } from '../../engine/copies/carried-lines.ts';
import { bytesToMinHash, type MinHash } from '../../engine/copies/min-hash.ts';
import {
  type CarriedSubject,
  type Claim,
  type Credit,
  type DerivedEvidence,
  type EvidenceScope,
  isDecided,
  isDerived,
  noteApplied,
  readCarried,
  readClaimed,
  storeEvidence,
} from '../../storage/ai/commit-evidence.ts';
import type { Database } from '../../storage/database/handle.ts';

/** Runs in the caller's transaction. Returns how many commits have other evidence now. */
export async function deriveEvidence(db: Database, entityId: number, scope: EvidenceScope, now: Date): Promise<number> {
  const claimed = await readClaimed(db, entityId, scope);
  const decided = claimed.filter(({ is_target }) => !is_target);
  let changed = await storeEvidence(
    db,
    entityId,
    decided.flatMap(({ id, credits, claims }) => judge(id, credits, claims.flatMap(claimToOffer))),
  );
  // The evidence of what a commit was made of stands by now.
  const shas = [
    ...new Set(claimed.flatMap(({ sha, is_target, derived_from }) => (is_target ? sha : (derived_from ?? [])))),
  ];
  const carried = await readCarried(db, entityId, scope === 'claims' ? { shas } : scope);
  changed += await storeEvidence(
    db,
    entityId,
    carried.flatMap((subject) =>
      judge(subject.id, subject.credits, [...subject.claims.flatMap(claimToOffer), ...carriedToOffers(subject)]),
    ),
  );
  await noteApplied(
    db,
    entityId,
    claimed.map(({ sha }) => sha),
    now,
  );
  return changed;
}

/** Evidence with the thousandths of every line that it speaks of. */
interface Offer {
  readonly credit: Credit;
  readonly share: number;
}

const strength = (source: string): number => EVIDENCE_SOURCES.indexOf(source as EvidenceSource);

/** What a commit says of itself and what others say of it, the strongest first; nothing where it has decided itself. */
function judge(commitId: number, credits: readonly Credit[], offers: readonly Offer[]): DerivedEvidence[] {
  if (isDecided(credits)) return [];
  const all = [
    ...credits.filter(({ source }) => !isDerived(source)).map((credit) => ({ credit, share: WHOLE })),
    ...offers,
  ].toSorted((a, b) => strength(a.credit.source) - strength(b.credit.source));
  return [{ commitId, credits: all.map(({ credit }) => credit), share: all[0]?.share ?? 0 }];
}

/** A provider that counts none of its own lines says nothing: another tool may have written them. */
function claimToOffer({ source, model, provider, ai_lines, all_lines }: Claim): Offer[] {
  const credit = { source, model: usageModel(model).model, provider };
  if (ai_lines === null || all_lines === null) return [{ credit, share: WHOLE }];
  if (ai_lines <= 0 || all_lines <= 0) return [];
  return [{ credit, share: Math.min(WHOLE, Math.round((WHOLE * ai_lines) / all_lines)) }];
}

const toMinHash = (bytes: Uint8Array | null): MinHash =>
  bytes === null ? { hashes: new Uint32Array(0), lineCount: 0 } : bytesToMinHash(bytes);

/** Of the sources, those of the strongest class count, by their lines; each model once, the one with most lines first. */
function carriedToOffers({ min_hash, sources }: CarriedSubject): Offer[] {
  const { compared, found } = matchCarriedLines(
    toMinHash(min_hash),
    sources.map((source) => toMinHash(source.min_hash === null ? null : Buffer.from(source.min_hash, 'base64'))),
  );
  if (compared === 0) return [];
  const parts = sources.flatMap(({ credits, share }, index) => {
    const first = credits[0];
    const evidence = first === undefined ? null : evidenceClassOf(first.source as EvidenceSource);
    const source = evidence === null ? null : CARRIED_AS[evidence];
    const lines = (found[index]! * share) / compared;
    return first === undefined || source === null || lines === 0 ? [] : [{ ...first, source, lines }];
  });
  const strongest = Math.min(...parts.map(({ source }) => strength(source)));
  const strong = parts.filter(({ source }) => strength(source) === strongest);
  const linesOf = new Map<string, { credit: Credit; lines: number }>();
  for (const { source, model, provider, lines } of strong) {
    const key = `${provider}\0${model}`;
    linesOf.set(key, { credit: { source, model, provider }, lines: lines + (linesOf.get(key)?.lines ?? 0) });
  }
  const share = Math.min(WHOLE, Math.round(strong.reduce((sum, { lines }) => sum + lines, 0)));
  if (share === 0) return [];
  return [...linesOf.values()].toSorted((a, b) => b.lines - a.lines).map(({ credit }) => ({ credit, share }));
}
