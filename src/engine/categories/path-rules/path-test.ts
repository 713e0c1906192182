// Where in a path a pattern looks: at the folders, which many files share, so that each is looked at once; or at the name, which
// is short.
import { anyPattern } from '../any-pattern.ts';

export interface PathParts {
  readonly folders: Folders;
  readonly name: string;
}

/** The folders above a file. */
interface Folders {
  /** With a slash behind each of them; empty for a file at the root. */
  readonly path: string;
  /** By the number of a test: an ANSWER, or 0 when it was not asked yet. */
  readonly answers: Uint8Array;
}

const ANSWER = { no: 1, yes: 2 } as const;

export type PathTest = (path: PathParts) => boolean;

const FOLDERS_KEPT = 20_000;
const known = new Map<string, Folders>();
let folderTests = 0;

export function splitPath(path: string): PathParts {
  const nameAt = path.lastIndexOf('/') + 1;
  const above = path.slice(0, nameAt);
  let folders = known.get(above);
  if (folders === undefined) {
    if (known.size >= FOLDERS_KEPT) known.clear();
    folders = { path: above, answers: new Uint8Array(folderTests) };
    known.set(above, folders);
  }
  return { folders, name: path.slice(nameAt) };
}

export function inFolder(...patterns: readonly RegExp[]): PathTest {
  const matches = anyPattern(patterns);
  const test = folderTests++;
  return ({ folders: { path, answers } }) => {
    const known = answers[test];
    if (known === ANSWER.yes || known === ANSWER.no) return known === ANSWER.yes;
    const isIn = matches(path);
    answers[test] = isIn ? ANSWER.yes : ANSWER.no;
    return isIn;
  };
}

export function named(...patterns: readonly RegExp[]): PathTest {
  const matches = anyPattern(patterns);
  return ({ name }) => matches(name);
}

export const both =
  (folder: PathTest, name: PathTest): PathTest =>
  (path) =>
    folder(path) && name(path);

export const either =
  (...tests: readonly PathTest[]): PathTest =>
  (path) => {
    for (let i = 0; i < tests.length; i++) if (tests[i]!(path)) return true;
    return false;
  };
