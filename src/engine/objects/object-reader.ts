// Reads git objects through one long-lived `git cat-file --batch`. Requests are pipelined, so a batch of
// reads costs one round trip; equal requests in flight share one answer. Objects over the size limit are
// skipped as they stream past, never held in memory.
import { GitError, type GitProcess, type GitRepository, spawnGit } from '../git/run-git.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly sha: string;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

export type UnreadableReason = 'missing' | 'ambiguous' | 'too_large' | 'closed' | 'failed';

/** An object could not be read. `objectName` is what was asked for. */
export class ObjectUnreadable extends Error {
  readonly objectName: string;
  readonly reason: UnreadableReason;

  constructor(objectName: string, reason: UnreadableReason, detail = '') {
    super(`object ${objectName} is ${reason}${detail ? `: ${detail}` : ''}`);
    this.name = 'ObjectUnreadable';
    this.objectName = objectName;
    this.reason = reason;
  }
}

export interface ObjectReader {
  /** By full or abbreviated sha, or a revision such as `<sha>^{commit}` or `<sha>~3`. */
  read(name: string): Promise<GitObject>;
  close(): void;
}

export interface ObjectReaderOptions {
  readonly maxObjectBytes?: number;
}

interface Waiting {
  readonly name: string;
  readonly resolve: (object: GitObject) => void;
  readonly reject: (error: Error) => void;
}

const DEFAULT_MAX_OBJECT_BYTES = 32 * 1024 * 1024;
const POOLED_BYTES = 2048;
const LINE_FEED = 10;
/** A header is a name, a type and a size; longer means that we are out of step with git. */
const MAX_HEADER_BYTES = 4096;

/** What may be asked for: no line feed can start a second request, no option and no path can be smuggled in. */
const REQUEST =
  /^[0-9a-f]{4,64}(?:\^\{(?:commit|tree)\}|~\d{1,6})?$|^HEAD(?:\^\{commit\})?$|^refs\/notes\/[a-z-]+\^\{tree\}$/;

export function createObjectReader(repository: GitRepository, options: ObjectReaderOptions = {}): ObjectReader {
  const maxObjectBytes = options.maxObjectBytes ?? DEFAULT_MAX_OBJECT_BYTES;
  const inFlight = new Map<string, Promise<GitObject>>();
  let connection: Connection | null = null;
  let isClosed = false;

  return {
    read(name) {
      if (isClosed) return Promise.reject(new ObjectUnreadable(name, 'closed'));
      if (!REQUEST.test(name)) return Promise.reject(new ObjectUnreadable(JSON.stringify(name), 'missing'));
      const running = inFlight.get(name);
      if (running) return running;
      if (connection === null || connection.isBroken()) connection = connect(repository, maxObjectBytes);
      const answer = connection.request(name).finally(() => inFlight.delete(name));
      inFlight.set(name, answer);
      return answer;
    },
    close() {
      isClosed = true;
      connection?.close();
    },
  };
}

interface Connection {
  request(name: string): Promise<GitObject>;
  isBroken(): boolean;
  close(): void;
}

function connect(repository: GitRepository, maxObjectBytes: number): Connection {
  const git: GitProcess = spawnGit(repository, ['cat-file', '--batch']);
  const waiting: Waiting[] = [];
  let waitingFrom = 0;
  let isBroken = false;
  let unsent = '';
  let header: Buffer = Buffer.alloc(0);
  let body: { sha: string; type: ObjectType; bytes: Buffer | null; size: number; filled: number } | null = null;

  const breakOff = (reason: UnreadableReason, detail: string, cause: Error | null = null): void => {
    if (isBroken) return;
    isBroken = true;
    git.kill();
    for (const each of waiting.splice(waitingFrom)) {
      each.reject(cause ?? new ObjectUnreadable(each.name, reason, detail));
    }
  };

  const takeNext = (): Waiting | undefined => {
    const first = waiting[waitingFrom++];
    if (waitingFrom > 1024) {
      waiting.splice(0, waitingFrom);
      waitingFrom = 0;
    }
    return first;
  };

  const readHeader = (line: string): void => {
    const parts = line.split(' ');
    const problem = parts.at(-1);
    if (problem === 'missing' || problem === 'ambiguous') {
      const pending = takeNext();
      pending?.reject(new ObjectUnreadable(pending.name, problem));
      return;
    }
    const size = Number(parts[2]);
    if (parts.length !== 3 || !Number.isSafeInteger(size)) {
      breakOff('failed', `git answered ${JSON.stringify(line.slice(0, 80))}`);
      return;
    }
    // Not a slice of the chunk, which it would keep alive; small objects share node's pool, which is
    // far cheaper to collect than an allocation each.
    const isSmall = size < POOLED_BYTES;
    const bytes = size > maxObjectBytes ? null : isSmall ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size);
    body = { sha: parts[0]!, type: parts[1] as ObjectType, bytes, size, filled: 0 };
  };

  git.stdout.on('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length && !isBroken) {
      if (body === null) {
        const end = chunk.indexOf(LINE_FEED, at);
        if (end === -1 || header.length > 0) {
          const piece = chunk.subarray(at, end === -1 ? chunk.length : end);
          header = Buffer.concat([header, piece]);
          if (header.length > MAX_HEADER_BYTES) return breakOff('failed', 'git answered without an end');
          if (end === -1) return;
          const line = header.toString('latin1');
          header = Buffer.alloc(0);
          at = end + 1;
          readHeader(line);
        } else {
          const line = chunk.toString('latin1', at, end);
          at = end + 1;
          readHeader(line);
        }
        continue;
      }
      const take = Math.min(body.size - body.filled, chunk.length - at);
      if (body.bytes && take > 0) chunk.copy(body.bytes, body.filled, at, at + take);
      body.filled += take;
      at += take;
      // The line feed behind the body is consumed together with it.
      if (body.filled < body.size || at >= chunk.length) continue;
      at++;
      const { sha, type, bytes } = body;
      body = null;
      const pending = takeNext();
      if (bytes) pending?.resolve({ sha, type, bytes });
      else pending?.reject(new ObjectUnreadable(pending.name, 'too_large', `over ${maxObjectBytes} bytes`));
    }
  });
  git.done.then(
    () => breakOff('failed', 'git ended'),
    // A git that was interrupted says nothing about the objects.
    (error: Error) => breakOff('failed', error.message, error instanceof GitError ? null : error),
  );

  return {
    request(name) {
      return new Promise<GitObject>((resolve, reject) => {
        waiting.push({ name, resolve, reject });
        if (unsent === '') queueMicrotask(flush);
        unsent += `${name}\n`;
      });
      function flush(): void {
        const text = unsent;
        unsent = '';
        if (!isBroken) git.stdin.write(text);
      }
    },
    isBroken: () => isBroken,
    close: () => breakOff('closed', ''),
  };
}
