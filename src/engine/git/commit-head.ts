// The head of a commit as `--pretty=raw` prints it: parents, people with their times, and the message. Of what is longer
// than anybody writes the beginning is kept. The same from a commit object's own text.

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

/** Hours and minutes as one number; some programs wrote more digits, fewer, or none of git's form. */
const TIME = /^\s*(\d+)\s*([+-])(\d+)/;
const DAY_MINUTES = 24 * 60;

/** Few people write most commits. */
const MOST_PEOPLE = 20_000;
const MOST_PERSON_CHARS = 300;
const people = new Map<string, Identity>();

/** By what stands before the time. */
function personOf(text: string): Identity {
  if (text.length > MOST_PERSON_CHARS) return readPerson(text);
  let person = people.get(text);
  if (person === undefined) {
    if (people.size >= MOST_PEOPLE) people.clear();
    // A part of a commit's text would keep all of it.
    const own = Buffer.from(text).toString();
    person = readPerson(own);
    people.set(own, person);
  }
  return person;
}

function readPerson(text: string): Identity {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  return {
    name: (open < 0 ? text : text.slice(0, open)).trim(),
    email: open < 0 ? '' : text.slice(open + 1, close < 0 ? undefined : close).trim(),
  };
}

/** `Name <email> seconds zone`, any part of which may be missing or nonsense. Seconds are read where git reads them. */
export function personAndStamp(text: string): { readonly person: Identity; readonly stamp: Stamp } {
  const open = text.indexOf('<');
  const isClosed = text.indexOf('>', open) >= 0;
  const stampAt = isClosed ? text.lastIndexOf('>') + 1 : text.length;
  const [, seconds = '0', sign, zone = '0'] = TIME.exec(text.slice(stampAt)) ?? [];
  const minutes = Math.floor(Number(zone) / 100) * 60 + (Number(zone) % 100);
  return {
    person: personOf(open < 0 ? text : text.slice(0, stampAt)),
    stamp: {
      at: Number(seconds),
      zone: minutes === 0 || minutes > DAY_MINUTES ? 0 : sign === '-' ? -minutes : minutes,
    },
  };
}

export interface PackedCommit {
  readonly parents: readonly string[];
  readonly written: CommitWritten;
}

/** Git shows longer ones, which may have to be cut. */
export const MOST_COMMIT_BYTES = 64 << 10;

const ID_LENGTH = 40;
const TREE = 'tree ';
const PARENT = 'parent ';
const AUTHOR = 'author ';
const COMMITTER = 'committer ';

/**
 * A commit object's text as `--pretty=raw` shows it. Null for one that is written in an unusual way or in another encoding:
 * git shows such a commit.
 */
export function parsePackedCommit(text: string): PackedCommit | null {
  if (!text.startsWith(TREE) || text.includes('\0')) return null;
  let at = TREE.length + ID_LENGTH + 1;
  const parents: string[] = [];
  for (; text.startsWith(PARENT, at); at += PARENT.length + ID_LENGTH + 1)
    parents.push(text.slice(at + PARENT.length, at + PARENT.length + ID_LENGTH));
  const authorEnd = text.indexOf('\n', at);
  if (authorEnd < 0 || !text.startsWith(AUTHOR, at)) return null;
  const committerEnd = text.indexOf('\n', authorEnd + 1);
  if (committerEnd < 0 || !text.startsWith(COMMITTER, authorEnd + 1)) return null;
  const headEnd = text.indexOf('\n\n', committerEnd);
  if (headEnd < 0) return null;
  const encoding = text.indexOf('\nencoding ', committerEnd);
  if (encoding >= 0 && encoding < headEnd) return null;
  const author = personAndStamp(text.slice(at + AUTHOR.length, authorEnd));
  const committer = personAndStamp(text.slice(authorEnd + 1 + COMMITTER.length, committerEnd));
  return {
    parents,
    written: {
      author: author.person,
      committer: committer.person,
      authored: author.stamp,
      committed: committer.stamp,
      message: shownMessage(text, headEnd + 2),
    },
  };
}

/** White space at the end of lines is left out, and so are blank lines at both ends. */
function shownMessage(text: string, from: number): string {
  let [start, end] = [from, text.length];
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  for (let at = start; at < end && isSpace(text.charCodeAt(at)); at++)
    if (text.charCodeAt(at) === LINE_FEED) start = at + 1;
  if (start === end) return '';
  const message = text.slice(start, end);
  const hasSpaces = message.includes(' \n') || message.includes('\t\n') || message.includes('\r\n');
  return `${hasSpaces ? message.split('\n').map(withoutSpaces).join('\n') : message}\n`;
}

const LINE_FEED = 10;
/** As git has it: blank, tab, line feed, carriage return. */
const isSpace = (code: number): boolean => code === 32 || code === 9 || code === LINE_FEED || code === 13;

function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}
