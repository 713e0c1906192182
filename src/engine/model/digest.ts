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
  const rows = new Map<string, number>();
  const heads = new Hashes();
  const bodies = new Hashes();
  /** Whether each commit counts. Most say the same, and say it as one string. */
  const verdicts: string[] = [];
  const said = new Map<string, string>();
  const judge = (row: number, { not_counted, derived_from }: Pick<CommitFact, 'not_counted' | 'derived_from'>) => {
    const verdict = `${not_counted} ${derived_from}`;
    verdicts[row] = said.get(verdict) ?? verdict;
    if (derived_from === null) said.set(verdict, verdicts[row]);
  };
  /** A commit that is told of twice, as it is when its slice is walked again, keeps its row. */
  const rowOf = (sha: string): number => {
    const row = rows.get(sha) ?? rows.size;
    rows.set(sha, row);
    return row;
  };
  return {
    add(event) {
      if (event.kind === 'commit') {
        const { fact } = event;
        const row = rowOf(fact.sha);
        heads.set(row, headText(fact));
        judge(row, fact);
        if (fact.is_final) bodies.set(row, bodyText(fact.files, fact.flows));
      } else if (event.kind === 'final') {
        bodies.set(rowOf(event.sha), bodyText(event.files, event.flows));
      } else if (event.kind === 'verdict') {
        judge(rowOf(event.sha), event);
      }
    },
    value() {
      const all = createHash('sha256');
      for (const sha of [...rows.keys()].sort()) {
        const row = rows.get(sha)!;
        if (heads.at(row) === '') continue;
        all.update(`${sha} ${heads.at(row)} ${bodies.at(row)} ${verdicts[row]}\n`);
      }
      return all.digest('hex');
    },
  };
}

const HASH_BYTES = 32;
const HASHES_A_BLOCK = 4096;

/** One for each row, as bytes: as strings those of a large history took more room than its commits. */
class Hashes {
  readonly #blocks: Buffer[] = [];
  readonly #isSet: boolean[] = [];

  set(row: number, text: string): void {
    const number = Math.floor(row / HASHES_A_BLOCK);
    while (this.#blocks.length <= number) this.#blocks.push(Buffer.alloc(HASH_BYTES * HASHES_A_BLOCK));
    this.#blocks[number]!.write(hash('sha256', text, 'base64'), (row % HASHES_A_BLOCK) * HASH_BYTES, 'base64');
    this.#isSet[row] = true;
  }

  /** As base64; empty where there is none. */
  at(row: number): string {
    if (this.#isSet[row] !== true) return '';
    const from = (row % HASHES_A_BLOCK) * HASH_BYTES;
    return this.#blocks[Math.floor(row / HASHES_A_BLOCK)]!.toString('base64', from, from + HASH_BYTES);
  }
}

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
