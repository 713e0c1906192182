// The trailers of a commit message. By git's rule: the last paragraph, if it is not the title and either holds
// nothing but trailers or holds one that git itself writes and at least a quarter trailers. And those that
// something was written below: a block of trailers that ends its paragraph.

export interface Trailer {
  /** As written; compare in lower case. */
  readonly key: string;
  /** Unfolded: continuation lines joined by one blank. */
  readonly value: string;
}

const GIT_WRITES = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const KEY = /^([A-Za-z0-9-]+)[ \t]*:/;
/** A longer last paragraph than this is prose or an attack, and costs too much to keep. */
const MAX_BLOCK_CHARS = 256 * 1024;

const ANY_KEY = /^[A-Za-z0-9-]+[ \t]*:/m;

/**
 * Those of git's block and of every paragraph above it: a tool's own block is pushed up by a later Change-Id, and a
 * squash stacks whole messages. Prose behind a line in its paragraph means that the line is quoted.
 */
export function parseTrailers(message: string): Trailer[] {
  if (!ANY_KEY.test(message)) return [];
  const block = trailerBlock(message);
  const above = block === null ? message : message.slice(0, block.start);
  const trailers = ANY_KEY.test(above) ? trailersAmong(above) : [];
  return block === null ? trailers : [...trailers, ...readLines(block.lines)];
}

/** Those that end a paragraph other than the title. */
function trailersAmong(above: string): Trailer[] {
  const trailers: Trailer[] = [];
  let run: string[] = [];
  const lines = above.slice(0, MAX_BLOCK_CHARS).split('\n');
  for (let at = 1; at <= lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      trailers.push(...readLines(run));
      run = [];
    } else if (KEY.test(line) || (run.length > 0 && isBlankStart(line))) run.push(line);
    else run = [];
  }
  return trailers;
}

function readLines(lines: readonly string[]): Trailer[] {
  const trailers: { key: string; parts: string[] }[] = [];
  let last: { key: string; parts: string[] } | null = null;
  for (const line of lines) {
    if (isBlankStart(line)) {
      last?.parts.push(line.trim());
      continue;
    }
    const key = KEY.exec(line);
    last = key === null ? null : { key: key[1]!, parts: [line.slice(key[0].length).trim()] };
    if (last !== null) trailers.push(last);
  }
  return trailers.map(({ key, parts }) => ({ key, value: parts.join(' ').trim() }));
}

/**
 * Git counts from the end; a comment line (#) is looked through, and the title paragraph never qualifies.
 * Only as many lines are cut out as the last paragraph has: most messages have no trailers.
 */
function trailerBlock(message: string): { readonly start: number; readonly lines: string[] } | null {
  const tail = message.length > MAX_BLOCK_CHARS ? message.slice(-MAX_BLOCK_CHARS) : message;
  const end = tail.endsWith('\n') ? tail.length - 1 : tail.length;
  let trailerCount = 0;
  let otherCount = 0;
  let possibleContinuations = 0;
  let sawGitTrailer = false;
  let sawText = false;
  for (let lineEnd = end; lineEnd >= 0; ) {
    const lineStart = lineEnd === 0 ? 0 : tail.lastIndexOf('\n', lineEnd - 1) + 1;
    const line = tail.slice(lineStart, lineEnd);
    const blockStart = lineEnd + 1;
    lineEnd = lineStart - 1;
    if (line.startsWith('#')) {
      otherCount += possibleContinuations;
      possibleContinuations = 0;
      continue;
    }
    if (line.trim() === '') {
      if (!sawText) continue;
      otherCount += possibleContinuations;
      const qualifies = sawGitTrailer ? trailerCount * 3 >= otherCount : trailerCount > 0 && otherCount === 0;
      if (!qualifies) return null;
      return { start: message.length - tail.length + blockStart, lines: tail.slice(blockStart, end).split('\n') };
    }
    sawText = true;
    const isGitTrailer = GIT_WRITES.test(line);
    if (isGitTrailer || KEY.test(line)) {
      trailerCount += 1;
      possibleContinuations = 0;
      sawGitTrailer ||= isGitTrailer;
    } else if (isBlankStart(line)) {
      possibleContinuations += 1;
    } else {
      otherCount += 1 + possibleContinuations;
      possibleContinuations = 0;
    }
  }
  return null;
}

function isBlankStart(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}

const BARE_ADDRESS = /^(.{0,200}?)\s+([^\s<>@]{1,64}@[^\s<>@]{3,200})$/;

/** `Name <email>` of a trailer value, or `Name email`, as some tools write; null without an address. */
export function parsePerson(value: string): { name: string; email: string } | null {
  const open = value.lastIndexOf('<');
  const close = value.indexOf('>', open);
  if (open === -1 || close === -1) {
    const bare = BARE_ADDRESS.exec(value.slice(0, 500));
    return bare === null ? null : { name: bare[1]!.trim(), email: bare[2]! };
  }
  const email = value.slice(open + 1, close).trim();
  if (email === '') return null;
  return { name: value.slice(0, open).trim(), email };
}
