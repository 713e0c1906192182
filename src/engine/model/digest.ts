// One hash over all facts of an analysis, whatever the order in which they were emitted: equal for equal
// input, on any number of threads and in any chunking. Measures that depend on the order of branches are
// left out.
import { createHash, hash } from 'node:crypto';
import { FLOW_OPERATIONS, type FlowOperation } from '../../domain/commits/line-model.ts';
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
        heads.set(fact.sha, hashed(headText(fact)));
        verdicts.set(fact.sha, `${fact.not_counted} ${fact.derived_from}`);
        if (fact.is_final) bodies.set(fact.sha, hashed(bodyText(fact.files, fact.flows)));
      } else if (event.kind === 'final') {
        bodies.set(event.sha, hashed(bodyText(event.files, event.flows)));
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

const hashed = (text: string): string => hash('sha256', text, 'base64');

type HeadKey = Exclude<keyof CommitFact, 'files' | 'flows' | 'is_final' | 'not_counted' | 'derived_from'>;

/** What a commit says of itself; the compiler counts them. */
const HEAD: Readonly<Record<HeadKey, true>> = {
  sha: true,
  parents: true,
  author: true,
  committer: true,
  raw_author: true,
  raw_committer: true,
  authored: true,
  committed: true,
  message: true,
  co_authors: true,
  is_merge: true,
  reverts: true,
  contributor_kind: true,
  ai: true,
  patch_id: true,
  on_default_branch: true,
  limits: true,
};
const HEAD_KEYS = (Object.keys(HEAD) as HeadKey[]).sort();

/** The replacer of JSON.stringify names keys at every depth, and in this order. */
const NESTED = [...HEAD_KEYS, 'name', 'email', 'at', 'zone', 'model', 'provider', 'source', 'reason', 'path'];

/** JSON written piece by piece: whole commits would take JSON.stringify a look at each key that might be there. */
function headText(fact: CommitFact): string {
  const members = HEAD_KEYS.map((key) => `"${key}":${json(key === 'limits' ? ownLimits(fact) : fact[key])}`);
  return `{${members.join(',')}}`;
}

const ownLimits = ({ limits }: CommitFact) => limits.filter(({ reason }) => reason !== 'duplicate_index_full');

function json(value: CommitFact[HeadKey]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('email' in value) return `{"name":${JSON.stringify(value.name)},"email":${JSON.stringify(value.email)}}`;
  if ('zone' in value) return `{"at":${value.at},"zone":${value.zone}}`;
  return value.length === 0 ? '[]' : JSON.stringify(value, NESTED);
}

type FlowKey = Exclude<keyof LineFlow, `lines_${FlowOperation}`>;

/** What a flow of lines says besides their numbers; the compiler counts them. */
const FLOW: Readonly<Record<FlowKey, true>> = { origin: true, category: true, age: true, ai_lines: true };
const FLOW_LINES = FLOW_OPERATIONS.map((operation) => `lines_${operation}` as const);
const FLOW_KEYS = [...(Object.keys(FLOW) as FlowKey[]), ...FLOW_LINES].sort();

function bodyText(files: readonly FileFact[], flows: readonly LineFlow[]): string {
  const rows = files.map((file) => {
    let numbers = '';
    for (const name of MEASURES) numbers += `${numbers === '' ? '' : ' '}${file[name]}`;
    return JSON.stringify([file.path, file.old_path, file.status, file.category, file.language, file.limited, numbers]);
  });
  const streams = flows.map(
    (flow) => `[${FLOW_KEYS.map((key) => `["${key}",${JSON.stringify(flow[key])}]`).join(',')}]`,
  );
  return [...rows.sort(), ...streams.sort()].join('\n');
}
