// A commit object's text → what `git log --pretty=raw` shows of it, as CommitHead reads that. Null for one that is written
// in an unusual way or another encoding: git shows such a commit.

import type { CommitWritten } from '../diff/streamed-commit.ts';
import { personAndStamp } from '../git/commit-head.ts';

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
