// Reads a Git AI Standard note (refs/notes/ai, authorship/3.0.0) into line runs. Real notes deviate: ranges
// unsorted, keys of 7 or 16 digits, `ai_agent` and `human` as keys, sessions without a trace. Some embed the
// prompts: of the metadata only tool and model names are kept, and no string shares memory with the note.
import { identifyModel } from '../../domain/ai/models.ts';
import { disjointRuns, type LineEvidence, type LineRun } from './line-evidence.ts';

/** The note could not be read at all; single bad entries are counted in `skipped` instead. */
export class NoteError extends Error {
  readonly reason: 'too_large' | 'no_divider' | 'bad_json' | 'other_schema';
  constructor(reason: NoteError['reason'], detail: string) {
    super(`authorship note: ${detail}`);
    this.name = 'NoteError';
    this.reason = reason;
  }
}

export interface GitAiNote {
  readonly lines: LineEvidence;
  /** Entries that made no sense, or whose key nothing explains and whose form says nothing. */
  readonly skipped: number;
}

export const NOTE_LIMITS = { bytes: 8 << 20, runs: 200_000, lineNumber: 0x7fffffff } as const;

const DIVIDER = Buffer.from('\n---\n');
const RANGE = /^(\d{1,10})(?:-(\d{1,10}))?$/;
const HUMAN_KEY = /^(?:h_[0-9a-f]+|human)$/;
const AI_KEY = /^(?:s_[0-9a-f]+(?:::t_[0-9a-f]+)?|[0-9a-f]{7,64}|ai_agent)$/;

type Writer = Pick<LineRun, 'kind' | 'model' | 'provider'>;

export function parseGitAiNote(note: Uint8Array): GitAiNote {
  if (note.length > NOTE_LIMITS.bytes) throw new NoteError('too_large', `${note.length} bytes`);
  const bytes = Buffer.from(note.buffer, note.byteOffset, note.byteLength);
  const opensWithDivider = bytes.subarray(0, 4).toString('latin1') === '---\n';
  const dividerAt = opensWithDivider ? -1 : bytes.indexOf(DIVIDER);
  if (!opensWithDivider && dividerAt === -1) throw new NoteError('no_divider', 'no line "---" before the metadata');
  const writers = readWriters(bytes.subarray(dividerAt + DIVIDER.length));
  // Decoded apart from the metadata, so that a path kept from it holds on to no prompt text.
  const attestation = bytes.subarray(0, Math.max(0, dividerAt)).toString('utf8');
  return readAttestation(attestation, writers);
}

function readAttestation(text: string, writerOf: (key: string) => Writer | null): GitAiNote {
  const runs = new Map<string, LineRun[]>();
  let current: LineRun[] | null = null;
  let skipped = 0;
  let total = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (line === '') continue;
    if (!line.startsWith('  ')) {
      const path = line.length > 1 && line.startsWith('"') && line.endsWith('"') ? line.slice(1, -1) : line;
      current = runs.get(path) ?? [];
      runs.set(path, current);
      continue;
    }
    const space = line.indexOf(' ', 2);
    const writer = space === -1 ? null : writerOf(line.slice(2, space));
    if (current === null || writer === null) {
      skipped += 1;
      continue;
    }
    for (const part of line.slice(space + 1).split(',')) {
      const run = readRange(part.trim(), writer);
      if (run === null || total >= NOTE_LIMITS.runs) skipped += part.trim() === '' ? 0 : 1;
      else {
        current.push(run);
        total += 1;
      }
    }
  }
  const lines = new Map<string, readonly LineRun[]>();
  for (const [path, list] of runs) if (list.length > 0) lines.set(path, disjointRuns(list));
  return { lines, skipped };
}

function readRange(text: string, writer: Writer): LineRun | null {
  const match = RANGE.exec(text);
  if (match === null) return null;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  if (first < 1 || last < first || last > NOTE_LIMITS.lineNumber) return null;
  return { ...writer, start: first - 1, end: last, source: 'note' };
}

/** Key → who wrote. A key whose form tells AI from human needs no metadata to be understood. */
function readWriters(json: Buffer): (key: string) => Writer | null {
  let metadata: unknown;
  try {
    metadata = JSON.parse(json.toString('utf8'));
  } catch {
    throw new NoteError('bad_json', 'the metadata after "---" is not JSON');
  }
  const schema = field(metadata, 'schema_version');
  if (typeof schema !== 'string' || !schema.startsWith('authorship/')) {
    throw new NoteError('other_schema', 'schema_version is not authorship/…');
  }
  const known = new Map<string, Writer>();
  for (const group of ['prompts', 'sessions']) {
    const records = field(metadata, group);
    if (!isObject(records)) continue;
    for (const [key, record] of Object.entries(records)) {
      const agent = field(record, 'agent_id');
      known.set(ownCopy(key), agentToWriter(field(agent, 'tool'), field(agent, 'model')));
    }
  }
  const found = new Map<string, Writer | null>();
  const resolve = (key: string): Writer | null => {
    const session = key.split('::', 1)[0]!;
    const writer = known.get(key) ?? known.get(session);
    if (writer !== undefined) return writer;
    if (HUMAN_KEY.test(key)) return { kind: 'human', model: null, provider: null };
    return AI_KEY.test(key) ? { kind: 'ai', model: null, provider: null } : null;
  };
  return (key) => {
    const before = found.get(key);
    if (before !== undefined) return before;
    const writer = resolve(key);
    found.set(key, writer);
    return writer;
  };
}

/** The tool decides the provider, the model the name; what the table does not know keeps its own name. */
export function agentToWriter(tool: unknown, model: unknown): Writer {
  const toolKnown = typeof tool === 'string' ? identifyModel(tool) : null;
  const modelName =
    typeof model === 'string' && !/^(?:unknown|default|auto|none|<.*>)?$/i.test(model.trim()) ? model : null;
  const modelKnown = modelName === null ? null : identifyModel(modelName);
  return {
    kind: 'ai',
    model:
      modelKnown?.model ??
      (modelName === null ? null : ownCopy(modelName.trim().slice(0, 80))) ??
      toolKnown?.model ??
      null,
    provider: toolKnown?.provider ?? modelKnown?.provider ?? 'other',
  };
}

function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
