// One hash over all facts of an analysis, whatever the order in which they were emitted: equal for equal
// input, on any number of threads and in any chunking. Measures that depend on the order of branches are
// left out.
import { createHash } from 'node:crypto';
import type { AnalysisEvent } from './events.ts';
import { type CommitFact, FILE_MEASURES, type FileFact, type LineFlow, MEASURES_OUTSIDE_DIGEST } from './facts.ts';

export interface Digest {
  add(event: AnalysisEvent): void;
  /** 64 hex digits. */
  value(): string;
}

const MEASURES = FILE_MEASURES.filter((name) => !MEASURES_OUTSIDE_DIGEST.includes(name));

export function createDigest(): Digest {
  /** sha → what the commit says of itself, its files and flows, and whether it counts. */
  const heads = new Map<string, string>();
  const bodies = new Map<string, string>();
  const verdicts = new Map<string, string>();
  return {
    add(event) {
      if (event.kind === 'commit') {
        const { fact } = event;
        heads.set(fact.sha, hash(headText(fact)));
        verdicts.set(fact.sha, `${fact.not_counted} ${fact.derived_from}`);
        if (fact.is_final) bodies.set(fact.sha, hash(bodyText(fact.files, fact.flows)));
      } else if (event.kind === 'final') {
        bodies.set(event.sha, hash(bodyText(event.files, event.flows)));
      } else if (event.kind === 'verdict') {
        verdicts.set(event.sha, `${event.not_counted} ${event.derived_from}`);
      }
    },
    value() {
      const all = createHash('sha256');
      for (const sha of [...heads.keys()].sort())
        all.update(`${sha} ${heads.get(sha)} ${bodies.get(sha) ?? ''} ${verdicts.get(sha)}\n`);
      return all.digest('hex');
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function headText(fact: CommitFact): string {
  const { files, flows, is_final, not_counted, derived_from, ...head } = fact;
  const limits = head.limits.filter(({ reason }) => reason !== 'duplicate_index_full');
  return JSON.stringify({ ...head, limits }, Object.keys(head).sort().concat(NESTED));
}

/** The replacer of JSON.stringify names keys at every depth. */
const NESTED = ['name', 'email', 'at', 'zone', 'model', 'provider', 'source', 'reason', 'path'];

function bodyText(files: readonly FileFact[], flows: readonly LineFlow[]): string {
  const rows = files.map((file) => {
    const numbers = MEASURES.map((name) => file[name]).join(' ');
    return JSON.stringify([file.path, file.old_path, file.status, file.category, file.language, file.limited, numbers]);
  });
  const streams = flows.map((flow) => JSON.stringify(Object.entries(flow).sort(([a], [b]) => (a < b ? -1 : 1))));
  return [...rows.sort(), ...streams.sort()].join('\n');
}
