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

class CommitObject implements Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly #bytes: Buffer;
  /** Where the headers end; −1: the object is nothing but headers. */
  readonly #blank: number;
  #texts: Pick<Commit, 'author' | 'committer' | 'message'> | null = null;

  constructor(sha: string, bytes: Buffer) {
    this.sha = sha;
    this.#bytes = bytes;
    this.#blank = bytes.indexOf('\n\n');
    const { fields, parents } = this.#headers();
    this.tree = fields.get('tree') ?? '';
    this.parents = parents;
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

  #headers(): { fields: Map<string, string>; parents: string[] } {
    const end = this.#blank === -1 ? this.#bytes.length : this.#blank;
    const fields = new Map<string, string>();
    const parents: string[] = [];
    // A signed tag or signature spans lines that begin with a blank; those are no fields.
    for (const line of this.#bytes.toString('latin1', 0, end).split('\n')) {
      const space = line.indexOf(' ');
      if (space <= 0) continue;
      const key = line.slice(0, space);
      const value = line.slice(space + 1);
      if (key === 'parent') parents.push(value);
      else if (!fields.has(key)) fields.set(key, value);
    }
    return { fields, parents };
  }

  #read(): Pick<Commit, 'author' | 'committer' | 'message'> {
    if (this.#texts !== null) return this.#texts;
    const { fields } = this.#headers();
    const decoder = decoderFor(fields.get('encoding'));
    const decode = (text: string | undefined): string => decoder.decode(Buffer.from(text ?? '', 'latin1'));
    this.#texts = {
      author: parseSignature(decode(fields.get('author'))),
      committer: parseSignature(decode(fields.get('committer'))),
      message: this.#blank === -1 ? '' : decoder.decode(this.#bytes.subarray(this.#blank + 2)).replace(/\n+$/, ''),
    };
    return this.#texts;
  }
}
