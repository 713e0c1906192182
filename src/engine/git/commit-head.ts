// The head of a commit as `--pretty=raw` prints it: parents, people with their times, and the message. Of what is longer
// than anybody writes the beginning is kept.

import type { CommitWritten } from '../diff/streamed-commit.ts';
import type { Identity, Stamp } from '../model/facts.ts';

/** Kept of a message, and of a line about a person. */
export const HEAD_BYTES = 1 << 20;

export class CommitHead {
  readonly parents: string[] = [];
  #author = '';
  #committer = '';
  readonly #message: string[] = [];
  #messageBytes = 0;
  isMessageCut = false;

  /** A line above the message. */
  readField(bytes: Buffer, start: number, lineEnd: number): void {
    const end = Math.min(lineEnd, start + HEAD_BYTES);
    const first = bytes[start];
    if (first === 0x70 && startsWith(bytes, start, end, 'parent '))
      this.parents.push(bytes.toString('latin1', start + 7, end));
    else if (first === 0x61 && startsWith(bytes, start, end, 'author ') && this.#author === '')
      this.#author = bytes.toString('utf8', start + 7, end);
    else if (first === 0x63 && startsWith(bytes, start, end, 'committer ') && this.#committer === '')
      this.#committer = bytes.toString('utf8', start + 10, end);
  }

  readMessage(bytes: Buffer, start: number, end: number): void {
    if (this.isMessageCut) return;
    const to = Math.min(end, start + HEAD_BYTES - this.#messageBytes);
    this.#message.push(bytes.toString('utf8', start, to));
    this.#messageBytes += to - start + 1;
    this.isMessageCut = to < end || this.#messageBytes > HEAD_BYTES;
  }

  written(): CommitWritten {
    const author = personAndStamp(this.#author);
    const committer = personAndStamp(this.#committer);
    const message = this.#message;
    while (message.length > 0 && message.at(-1) === '') message.pop();
    return {
      author: author.person,
      committer: committer.person,
      authored: author.stamp,
      committed: committer.stamp,
      message: message.length === 0 ? '' : `${message.join('\n')}\n`,
    };
  }
}

export function startsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start < text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** `Name <email> seconds zone`, any part of which may be missing or nonsense. */
export function personAndStamp(text: string): { readonly person: Identity; readonly stamp: Stamp } {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  const tail = /^ (-?\d+) ([+-])(\d{1,2})(\d\d)\s*$/.exec(close < 0 ? '' : text.slice(text.lastIndexOf('>') + 1));
  const minutes = tail === null ? 0 : Number(tail[3]) * 60 + Number(tail[4]);
  return {
    person: {
      name: (open < 0 ? text : text.slice(0, open)).trim(),
      email: open < 0 ? '' : text.slice(open + 1, close < 0 ? undefined : close).trim(),
    },
    stamp: {
      at: tail === null ? 0 : Number(tail[1]),
      zone: tail === null || minutes > 24 * 60 ? 0 : tail[2] === '-' ? -minutes : minutes,
    },
  };
}
