// The files by which a project says how it wants to be read, as they stand at one commit: attributes, revisions to
// ignore, and its log of who wrote which lines. (The mailmap is git's own business.)

import { openTraceLog, TRACE_LOG_PATH, type TraceLog } from '../evidence/trace-log.ts';
import { readFileAt } from '../git/list-commits.ts';
import { type GitRepository, orElse } from '../git/run-git.ts';
import { fileNamed, filesNamed, listTree, type TreeListing } from '../git/tree-listing.ts';
import { createObjectReader } from '../objects/object-reader.ts';
import type { AttributesFile } from './git-attributes.ts';

export interface Conventions {
  readonly attributes: readonly AttributesFile[];
  readonly ignoredRevisions: ReadonlySet<string>;
  readonly traceLog: TraceLog | null;
  /** The blob of the mailmap; null when there is none, undefined when that could not be seen. */
  readonly mailmap: string | null | undefined;
  /** Paths of those that are there and could not be read, as in a partial clone that lacks them. */
  readonly unread: readonly string[];
  /** The tree that they were found in, once: it may be large, and is not to be held on to. */
  takeListing(): TreeListing | null;
}

const ATTRIBUTES_FILES = 200;
/** Larger files of attributes are left out, and further ones when those before were this large together. */
const ATTRIBUTES_FILE_BYTES = 4 << 20;
const ATTRIBUTES_BYTES = 8 << 20;
const READ_AT_ONCE = 4;
/** As much as the reader of objects hands out. */
const FILE_BYTES = 32 << 20;
export const IGNORED_REVISIONS = '.git-blame-ignore-revs';
export const MAILMAP = '.mailmap';

export async function readConventions(repository: GitRepository, at: string): Promise<Conventions> {
  let listing = await listTree(repository, at);
  const attributeFiles = listing === null ? [] : filesNamed(listing, '.gitattributes').slice(0, ATTRIBUTES_FILES);
  const objects = createObjectReader(repository);
  const unread: string[] = [];
  // Git starts when something is asked for.
  const read = async (path: string, blob: string): Promise<Buffer | null> => {
    const found = await objects.read(blob).catch(orElse(null));
    if (found === null) unread.push(path);
    return found?.type === 'blob' ? found.bytes : null;
  };
  const readTop = (path: string): Promise<Buffer | null> | null => {
    if (listing === null) return readFileAt(repository, at, path, FILE_BYTES);
    const file = fileNamed(listing, path);
    return file === null ? null : read(path, file.blob);
  };
  const readAttributes = async (): Promise<AttributesFile[]> => {
    const found: AttributesFile[] = [];
    let bytes = 0;
    for (let from = 0; from < attributeFiles.length && bytes < ATTRIBUTES_BYTES; from += READ_AT_ONCE) {
      const group = attributeFiles.slice(from, from + READ_AT_ONCE);
      const contents = await Promise.all(group.map(({ path, blob }) => read(path, blob)));
      for (const [i, content] of contents.entries()) {
        if (content === null || content.length > ATTRIBUTES_FILE_BYTES) continue;
        bytes += content.length;
        found.push({ path: group[i]!.path, content });
      }
    }
    return found;
  };
  const mailmapFile = listing === null ? undefined : fileNamed(listing, MAILMAP);
  const [revisions, traces, attributes, mailmap] = await Promise.all([
    readTop(IGNORED_REVISIONS),
    readTop(TRACE_LOG_PATH),
    readAttributes(),
    mailmapFile ? read(MAILMAP, mailmapFile.blob) : null,
  ]);
  objects.close();
  return {
    attributes,
    ignoredRevisions: parseRevisions(revisions?.toString('utf8') ?? ''),
    traceLog: traces ? openTraceLog(traces) : null,
    mailmap: mailmapFile ? (mailmap === null ? undefined : mailmapFile.blob) : mailmapFile,
    unread: unread.sort(),
    takeListing() {
      const taken = listing;
      listing = null;
      return taken;
    },
  };
}

export function parseRevisions(text: string): ReadonlySet<string> {
  const shas = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(shas.filter((sha) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(sha)));
}
