// A commit object's bytes → its fields. Broken headers give empty fields, never an exception: histories
// hold commits written by many tools.

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** Minutes east of UTC. */
  readonly zone: number;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const utf8 = new TextDecoder('utf-8');

function decoderFor(encoding: string | undefined): typeof utf8 {
  if (encoding === undefined) return utf8;
  try {
    return new TextDecoder(encoding);
  } catch {
    return utf8;
  }
}

const SIGNATURE = /^(.*?) ?<([^>]*)>(?: (-?\d{1,15})(?: ([+-])(\d{2})(\d{2}))?)?/;

function parseSignature(text: string): Signature {
  const match = SIGNATURE.exec(text);
  if (match === null) return { name: text.trim(), email: '', at: 0, zone: 0 };
  const minutes = match[5] === undefined ? 0 : Number(match[5]) * 60 + Number(match[6]);
  return {
    name: match[1]!.trim(),
    email: match[2]!.trim(),
    at: Number(match[3] ?? 0),
    zone: match[4] === '-' ? -minutes : minutes,
  };
}

/** The names are read at once, persons and message when they are asked for: a walk passes most commits for their trees. */
export function parseCommit(sha: string, bytes: Buffer): Commit {
  return new CommitObject(sha, bytes);
}

const LINE_FEED = 10;

/** They come before all others, as git writes and reads them: the tree, then each parent. */
function readNames(bytes: Buffer): Pick<Commit, 'tree' | 'parents'> {
  let at = 0;
  const take = (key: 'tree ' | 'parent '): string | null => {
    if (bytes.toString('latin1', at, at + key.length) !== key) return null;
    const lineEnd = bytes.indexOf(LINE_FEED, at);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    const name = bytes.toString('latin1', at + key.length, end);
    at = end + 1;
    return name;
  };
  const tree = take('tree ') ?? '';
  const parents: string[] = [];
  for (let parent = take('parent '); parent !== null; parent = take('parent ')) parents.push(parent);
  return { tree, parents };
}

class CommitObject implements Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly #bytes: Buffer;
  #texts: Pick<Commit, 'author' | 'committer' | 'message'> | null = null;

  constructor(sha: string, bytes: Buffer) {
    const { tree, parents } = readNames(bytes);
    this.sha = sha;
    this.tree = tree;
    this.parents = parents;
    this.#bytes = bytes;
  }

  get author(): Signature {
    return this.#read().author;
  }

  get committer(): Signature {
    return this.#read().committer;
  }

  get message(): string {
    return this.#read().message;
  }

  #read(): Pick<Commit, 'author' | 'committer' | 'message'> {
    if (this.#texts !== null) return this.#texts;
    const bytes = this.#bytes;
    const blank = bytes.indexOf('\n\n');
    const fields = readFields(bytes.toString('latin1', 0, blank === -1 ? bytes.length : blank));
    const decoder = decoderFor(fields.get('encoding'));
    const decode = (text: string | undefined): string => decoder.decode(Buffer.from(text ?? '', 'latin1'));
    this.#texts = {
      author: parseSignature(decode(fields.get('author'))),
      committer: parseSignature(decode(fields.get('committer'))),
      message: blank === -1 ? '' : decoder.decode(bytes.subarray(blank + 2)).replace(/\n+$/, ''),
    };
    return this.#texts;
  }
}

/** The first header of each name. */
function readFields(headers: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of headers.split('\n')) {
    const space = line.indexOf(' ');
    // A signature spans lines that begin with a blank; those are no fields.
    if (space <= 0) continue;
    const key = line.slice(0, space);
    if (!fields.has(key)) fields.set(key, line.slice(space + 1));
  }
  return fields;
}
