// Random and mutated bytes into every reader of names, messages and records: a result or a typed error,
// and quickly. A slow reader is a way to stop an import with one commit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evidenceClassOf } from '../../../src/domain/ai/evidence.ts';
import { identifyModel, usageModel } from '../../../src/domain/ai/models.ts';
import { readCopySources, readReverts, readSubject } from '../../../src/engine/copies/message-links.ts';
import { bytesToMinHash, MinHashError, minHashToBytes } from '../../../src/engine/copies/min-hash.ts';
import { parseAgentTrace, TraceError } from '../../../src/engine/evidence/agent-trace.ts';
import { NoteError, parseGitAiNote } from '../../../src/engine/evidence/git-ai-note.ts';
import { readCommitEvidence } from '../../../src/engine/evidence/read-commit-evidence.ts';
import { openTraceLog } from '../../../src/engine/evidence/trace-log.ts';
import { parsePerson, parseTrailers } from '../../../src/engine/evidence/trailers.ts';
import { readCoAuthors } from '../../../src/engine/identity/co-authors.ts';
import { parseMailmap } from '../../../src/engine/identity/mailmap.ts';
import {
  identityKey,
  identityKind,
  readHostAccount,
  suggestUserName,
} from '../../../src/engine/identity/read-identity.ts';
import { minHashOf } from '../copies/min-hash-of.ts';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = Number(process.env.FUZZ_RUNS ?? 400);

const MESSAGE = `Claude Opus 4.5: fix (#12)

* first thing
🤖 Generated with [Claude Code](https://claude.com/claude-code)
This reverts commit 0123456789abcdef0123456789abcdef01234567.
(cherry picked from commit 0123456789abcdef0123456789abcdef01234567)

Co-authored-by: Claude <noreply@anthropic.com>
Assisted-by: Claude:claude-3-opus tool
Generated-by: GPT-5
Entire-Attribution: 73% agent (146/200 lines)
`;
const NOTE = `src/a.ts\n  s_0123456789abcd::t_aaaaaaaaaaaaaa 1,3-5\n"b c.ts"\n  h_0123456789abcd 9,2\n---\n{"schema_version":"authorship/3.0.0","prompts":{"0123456":{"agent_id":{"tool":"cursor","model":"gpt-5"}}},"sessions":{}}`;
const TRACE = `{"version":"0.1.0","timestamp":"1970-01-01T00:00:00Z","vcs":{"revision":"${'a'.repeat(40)}"},"files":[{"path":"a","conversations":[{"contributor":{"type":"ai","model_id":"x/y"},"ranges":[{"start_line":1,"end_line":2}]}]}]}`;
const MAILMAP = '# x\nAda <a@x>\n<b@x> <c@x>\nBo <b@x> <d@x>\nEve <e@x> Old <f@x>\n';

const readers: Record<
  string,
  { sample: string; read: (bytes: Buffer) => void; errors: readonly (new (...args: never[]) => Error)[] }
> = {
  message: {
    sample: MESSAGE,
    errors: [],
    read: (bytes) => {
      const message = bytes.toString('utf8');
      const person = { name: message.slice(0, 40), email: message.slice(40, 90) };
      const evidence = readCommitEvidence({ raw_author: person, message });
      for (const credit of evidence.ai) expect(evidenceClassOf(credit.source)).not.toBeNull();
      readCoAuthors(parseTrailers(message), person);
      for (const trailer of parseTrailers(message)) parsePerson(trailer.value);
      readReverts(message);
      readCopySources(message);
      readSubject(message);
    },
  },
  identity: {
    sample: '123+ada[bot]@users.noreply.github.com',
    errors: [],
    read: (bytes) => {
      const text = bytes.toString('utf8');
      for (const identity of [
        { name: text, email: text },
        { name: '', email: text },
        { name: text, email: '' },
      ]) {
        identityKind(identity);
        identityKey(identity);
        readHostAccount(identity.email);
        expect(suggestUserName(identity)).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
      }
      identifyModel(text);
      usageModel(text);
    },
  },
  mailmap: {
    sample: MAILMAP,
    errors: [],
    read: (bytes) => {
      parseMailmap(bytes.toString('utf8')).apply({ name: 'Ada', email: 'c@x' });
    },
  },
  note: { sample: NOTE, errors: [NoteError], read: (bytes) => void parseGitAiNote(bytes) },
  trace: { sample: TRACE, errors: [TraceError], read: (bytes) => void parseAgentTrace(bytes) },
  traceLog: {
    sample: TRACE,
    errors: [],
    read: (bytes) => {
      const log = openTraceLog(bytes);
      const commit = { sha: 'a'.repeat(40), committedAt: 0, parents: [{ sha: 'a'.repeat(40), committedAt: -1000 }] };
      if (log.has(commit)) log.read(commit, () => true);
    },
  },
  minHash: {
    sample: Buffer.from(minHashToBytes(minHashOf([3, 1, 2]))).toString('latin1'),
    errors: [MinHashError],
    read: (bytes) => void bytesToMinHash(bytes),
  },
};

/** The sample with some bytes replaced, removed, doubled or cut off. */
const mutated = (sample: string) => {
  const original = Buffer.from(sample, 'utf8');
  const edit = fc.record({
    at: fc.nat(original.length),
    kind: fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
    length: fc.nat(40),
  });
  return fc.array(edit, { minLength: 1, maxLength: 6 }).map((edits) => {
    let bytes: Buffer = original;
    for (const { at, kind, bytes: inserted, length } of edits) {
      const head = bytes.subarray(0, at);
      const tail = bytes.subarray(at);
      if (kind === 'replace') bytes = Buffer.concat([head, inserted, tail.subarray(inserted.length)]);
      else if (kind === 'insert') bytes = Buffer.concat([head, inserted, tail]);
      else if (kind === 'remove') bytes = Buffer.concat([head, tail.subarray(length)]);
      else if (kind === 'repeat')
        bytes = Buffer.concat([head, ...Array<Buffer>(length).fill(tail.subarray(0, 20)), tail]);
      else bytes = head;
    }
    return bytes;
  });
};

describe.each(Object.entries(readers))('the reader of a %s', (_, { sample, read, errors }) => {
  const attempt = (bytes: Buffer): void => {
    const before = process.cpuUsage();
    try {
      read(bytes);
    } catch (error) {
      if (!errors.some((kind) => error instanceof kind)) throw error;
    }
    // CPU time, so that a busy machine does not fail the test.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  };

  test(`survives mutated input (seed ${SEED})`, () => {
    fc.assert(fc.property(mutated(sample), attempt), { seed: SEED, numRuns: RUNS });
  });

  test(`survives random bytes (seed ${SEED})`, () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    fc.assert(fc.property(bytes, attempt), { seed: SEED, numRuns: RUNS });
  });

  // Each is a shape on which a careless pattern or loop takes quadratic time or more.
  test.each(
    [
      'a',
      ' ',
      '\n',
      '-',
      '<',
      '>',
      '(',
      '[',
      ':',
      '0',
      'ab: ',
      '* x\n',
      'a:b\n',
      '\n\n',
      ' \n',
      '+',
      '@',
      '1-',
      '1,',
      '{"a":',
      '[[',
      '..',
      'claude-',
      '"',
      '\0',
      'é',
    ].map((piece) => [JSON.stringify(piece), piece] as const),
  )('is quick on a long run of %s', (_name, piece) => {
    const long = piece.repeat(Math.ceil(200_000 / piece.length));
    attempt(Buffer.from(long));
    attempt(Buffer.from(`Subject\n\n${long}`));
    attempt(Buffer.from(sample + long));
    attempt(Buffer.from(sample.slice(0, 9) + long + sample.slice(9)));
  });
});
