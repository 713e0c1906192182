// A second, plain reading of the rules about operations (docs/diff-delta.md), from the text that `git show` prints: no
// code of the engine, no hashes and none of the limits that keep the engine's work linear.

export type PlainOperation = 'noop' | 'moved' | 'find_replaced' | 'updated' | 'copy_pasted' | 'added' | 'deleted';

export interface PlainLine {
  readonly text: string;
  readonly file: number;
  readonly hunk: number;
  operation: PlainOperation | null;
}
export interface PlainHunk {
  readonly file: number;
  /** Unchanged lines of its file that stand before it. */
  readonly unchangedBefore: number;
  readonly removed: PlainLine[];
  readonly added: PlainLine[];
}
export interface PlainFile {
  readonly path: string;
  readonly hunks: PlainHunk[];
}

/** Of `git show -U0 --format= -M`, read as latin1. Files without lines have no hunks. */
export function readShow(patch: string): PlainFile[] {
  const files: PlainFile[] = [];
  let hunk: PlainHunk | null = null;
  let hunkCount = 0;
  let left = { removed: 0, added: 0 };
  let oldPath = '';
  for (const line of patch.split('\n')) {
    if (hunk !== null && left.removed > 0 && line.startsWith('-')) {
      hunk.removed.push({ text: line.slice(1), file: files.length - 1, hunk: hunkCount, operation: null });
      left.removed--;
    } else if (hunk !== null && left.added > 0 && line.startsWith('+')) {
      hunk.added.push({ text: line.slice(1), file: files.length - 1, hunk: hunkCount, operation: null });
      left.added--;
    } else if (line.startsWith('diff --git ')) {
      files.push({ path: '', hunks: [] });
      hunk = null;
    } else if (line.startsWith('--- ')) oldPath = line.slice(6);
    else if (line.startsWith('+++ '))
      files[files.length - 1] = { path: line === '+++ /dev/null' ? oldPath : line.slice(6), hunks: [] };
    else {
      const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (header === null) continue;
      left = { removed: Number(header[2] ?? 1), added: Number(header[3] ?? 1) };
      const { hunks } = files.at(-1)!;
      const removedBefore = hunks.reduce((sum, { removed }) => sum + removed.length, 0);
      // git names the line in front of the place when a hunk removes nothing.
      const linesBefore = Number(header[1]) - (left.removed > 0 ? 1 : 0);
      hunk = { file: files.length - 1, unchangedBefore: linesBefore - removedBefore, removed: [], added: [] };
      hunkCount++;
      hunks.push(hunk);
    }
  }
  return files;
}

const ink = (text: string): string => text.replace(/[\0-\x20]+/g, '');
const trim = (text: string): string => text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
const tokensOf = (text: string): string[] => text.match(/[0-9A-Za-z_\x80-\xff]+|[^\0-\x20]/g) ?? [];
const isWord = (text: string): boolean => /^[0-9A-Za-z_\x80-\xff]/.test(text);

const BARE = new Set(
  `else elseif elif elsif try catch finally except rescue ensure begin end endif fi done esac od do then pass break continue
  return default loop repeat endfor endwhile endfunction endfunc endblock endwith None null nil true false super self this in
  of is case when public private protected EOF`.split(/\s+/),
);
const LONGEST_BARE = 16;

const hasWord = (text: string): boolean => tokensOf(text).some(isWord);
function isBare(text: string): boolean {
  return ink(text).length <= LONGEST_BARE && BARE.has(tokensOf(text).filter(isWord).join(''));
}
const means = (text: string): boolean => hasWord(text) && !isBare(text);
/** Something that is neither brackets, nor a bare keyword, nor looks like a comment. */
export function isSignificant(text: string): boolean {
  return (
    means(text) &&
    !/^[\0-\x20]*(?:#(?:[\0-\x20]|[!#]|$)|\/[/*]|\*(?:[\0-\x20]|[/*]|$)|--|<!|;(?:[\0-\x20]|;|$))/.test(text)
  );
}

/** Gives every line its operation; the first rule that fits decides. */
export function judgeOperations(files: readonly PlainFile[]): void {
  const hunks = files.flatMap((file) => file.hunks);
  for (const hunk of hunks) findNoops(hunk);
  findMoves(hunks);
  const pairs = hunks.flatMap(pairLines);
  const replaced = findReplaced(pairs);
  pairs.forEach((pair, i) => {
    const operation = replaced[i] ? 'find_replaced' : 'updated';
    pair.removed.operation = operation;
    pair.added.operation = operation;
  });
  findCopies(files);
  for (const { removed, added } of hunks) {
    for (const line of removed) line.operation ??= 'deleted';
    for (const line of added) line.operation ??= 'added';
  }
}

function findNoops({ removed, added }: PlainHunk): void {
  for (const line of [...removed, ...added]) if (ink(line.text) === '') line.operation = 'noop';
  for (const line of added) {
    if (line.operation !== null) continue;
    const same = removed.find((other) => other.operation === null && ink(other.text) === ink(line.text));
    if (same === undefined) continue;
    line.operation = 'noop';
    same.operation = 'noop';
  }
  const isOpen = (lines: PlainLine[]) => lines.some(({ operation }) => operation === null);
  const whole = (lines: PlainLine[]) => lines.map(({ text }) => ink(text)).join('');
  if (isOpen(removed) && isOpen(added) && whole(removed) === whole(added))
    for (const line of [...removed, ...added]) line.operation ??= 'noop';
}

function findMoves(hunks: readonly PlainHunk[]): void {
  const moves: Move[] = [];
  const places = new Map<string, { hunk: PlainHunk; at: number }[]>();
  for (const hunk of hunks)
    hunk.removed.forEach(({ text, operation }, at) => {
      if (operation !== null) return;
      const key = ink(text);
      const list = places.get(key);
      if (list === undefined) places.set(key, [{ hunk, at }]);
      else list.push({ hunk, at });
    });
  for (const hunk of hunks)
    for (let at = 0; at < hunk.added.length; at++) {
      if (hunk.added[at]!.operation !== null) continue;
      let best: [PlainLine, PlainLine][] = [];
      let from = hunk;
      for (const place of places.get(ink(hunk.added[at]!.text)) ?? []) {
        if (place.hunk === hunk) continue;
        const run = equalRun(hunk.added, at, place.hunk.removed, place.at);
        if (run.length <= best.length) continue;
        best = run;
        from = place.hunk;
      }
      const isBlock = best.length >= 2 && best.some(([, { text }]) => isSignificant(text) || ink(text).length >= 20);
      if (isBlock || (best.length === 1 && ink(best[0]![1].text).length >= 20))
        for (const [line, other] of best) {
          line.operation = 'moved';
          other.operation = 'moved';
          moves.push({ from, to: hunk, lines: [line, other] });
        }
    }
  findInPlace(moves);
}

interface Move {
  readonly from: PlainHunk;
  readonly to: PlainHunk;
  readonly lines: readonly PlainLine[];
}

/** From one hunk of a file to another past fewer unchanged lines than went: only the indentation changed. */
function findInPlace(moves: readonly Move[]): void {
  for (const { from, to, lines } of moves) {
    const went = moves.filter((other) => other.from === from && other.to === to).length;
    if (from.file === to.file && Math.abs(from.unchangedBefore - to.unchangedBefore) < went)
      for (const line of lines) line.operation = 'noop';
  }
}

/** Removed and added lines that go on equal from two places; no-ops between them do not count. */
function equalRun(added: readonly PlainLine[], from: number, removed: readonly PlainLine[], start: number) {
  const run: [PlainLine, PlainLine][] = [];
  let a = from;
  let r = start;
  for (;;) {
    while (a < added.length && added[a]!.operation === 'noop') a++;
    while (r < removed.length && removed[r]!.operation === 'noop') r++;
    const one = removed[r];
    const other = added[a];
    if (one === undefined || other === undefined || one.operation !== null || other.operation !== null) return run;
    if (ink(one.text) !== ink(other.text)) return run;
    run.push([one, other]);
    a++;
    r++;
  }
}

interface Pair {
  readonly removed: PlainLine;
  readonly added: PlainLine;
}

function pairLines(hunk: PlainHunk): Pair[] {
  const open = (lines: PlainLine[]) => lines.filter(({ operation, text }) => operation === null && means(text));
  return align(open(hunk.removed), open(hunk.added));
}

/** In order, so that the similarities add up to the most. */
function align(removed: readonly PlainLine[], added: readonly PlainLine[]): Pair[] {
  const alike = removed.map((one) => added.map((other) => similarity(one.text, other.text)));
  const best = [...removed, null].map(() => [...added, null].map(() => 0));
  for (let r = removed.length - 1; r >= 0; r--)
    for (let c = added.length - 1; c >= 0; c--)
      best[r]![c] = Math.max(
        best[r + 1]![c]!,
        best[r]![c + 1]!,
        alike[r]![c]! > 0 ? alike[r]![c]! + best[r + 1]![c + 1]! : 0,
      );
  const pairs: Pair[] = [];
  for (let r = 0, c = 0; r < removed.length && c < added.length && best[r]![c]! > 0; )
    if (alike[r]![c]! > 0 && best[r]![c] === alike[r]![c]! + best[r + 1]![c + 1]!)
      pairs.push({ removed: removed[r++]!, added: added[c++]! });
    else if (best[r]![c] === best[r + 1]![c]) r++;
    else c++;
  return pairs;
}

/** Twice the common tokens ÷ all tokens; 0.6 for one token swapped, or for one text whole in the other; else 0. */
export function similarity(one: string, other: string): number {
  const a = tokensOf(one).slice(0, 96);
  const b = tokensOf(other).slice(0, 96);
  const left = [...b];
  const common = a.filter((token) => {
    const at = left.indexOf(token);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  const ratio = (2 * common.length) / (a.length + b.length);
  if (ratio >= 0.6) return ratio;
  const isOneSwapped = a.length === b.length && common.length === a.length - 1;
  if (isOneSwapped && (common.length > 1 || common.some(isWord))) return 0.6;
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const isLongEnough = Math.min(ink(one).length, ink(other).length) >= 4;
  const isWhole = isLongEnough && ` ${many.join(' ')} `.includes(` ${few.join(' ')} `);
  return isWhole ? 0.6 : 0;
}

interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** Per pair: whether what may have been replaced in it was replaced on three lines or more. */
function findReplaced(pairs: readonly Pair[]): boolean[] {
  const lines = pairs.map(({ removed, added }) => explain(trim(removed.text), trim(added.text)));
  const keys = lines.map((found) => new Set(found.map(({ from, to }) => JSON.stringify([from, to]))));
  const times = new Map<string, number>();
  for (const key of keys.flatMap((set) => [...set])) times.set(key, (times.get(key) ?? 0) + 1);
  return keys.map((set) => [...set].some((key) => times.get(key)! >= 3));
}

/** What may have been replaced: the difference as it stands, widened to whole words, or the same tokens throughout. */
function explain(one: string, other: string): Replacement[] {
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head++;
  let tail = 0;
  const most = Math.min(one.length, other.length) - head;
  while (tail < most && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const found: Replacement[] = [];
  const inner = { from: one.slice(head, one.length - tail), to: other.slice(head, other.length - tail) };
  if (inner.from === '' || inner.to === '') {
    // The leftmost of the places where it may have been put in.
    const longer = inner.from === '' ? other : one;
    let start = head;
    let end = longer.length - tail;
    while (start > 0 && longer[start - 1] === longer[end - 1]) {
      start--;
      end--;
    }
    const text = trim(longer.slice(start, end));
    const isPiece =
      (isWord(text) && isWord(longer.slice(0, longer.indexOf(text, start)).at(-1) ?? '')) ||
      (isWord(text.at(-1) ?? '') && isWord(longer[longer.indexOf(text, start) + text.length] ?? ''));
    if (!isPiece || text.length >= 3) found.push(inner.from === '' ? { from: '', to: text } : { from: text, to: '' });
  } else if (inner.from.length >= 3) found.push(inner);
  // Whole words.
  if (isWord(inner.from) || isWord(inner.to)) while (head > 0 && isWord(one[head - 1]!)) head--;
  const ends = [inner.from.at(-1), inner.to.at(-1)];
  if (ends.some((character) => character !== undefined && isWord(character)))
    while (tail > 0 && isWord(one[one.length - tail]!)) tail--;
  found.push({ from: one.slice(head, one.length - tail), to: other.slice(head, other.length - tail) });
  const [first, ...others] = differingTokens(one, other);
  if (first !== undefined && others.every(({ from, to }) => from === first.from && to === first.to)) found.push(first);
  return found.filter(({ from, to }) => from !== to);
}

/** The stretches in which two lines differ, token by token, along a longest common subsequence. */
function differingTokens(one: string, other: string): Replacement[] {
  const a = tokensOf(one);
  const b = tokensOf(other);
  if (a.length > 40 || b.length > 40) return [];
  const longest = [...a, ''].map(() => [...b, ''].map(() => 0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i]![j] = a[i] === b[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
  const stretches: Replacement[] = [];
  let from: string[] = [];
  let to: string[] = [];
  const close = () => {
    if (from.length + to.length > 0) stretches.push({ from: from.join(' '), to: to.join(' ') });
    from = [];
    to = [];
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      close();
      i++;
      j++;
    } else if (j === b.length || (i < a.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) from.push(a[i++]!);
    else to.push(b[j++]!);
  close();
  return stretches;
}

const DATA =
  /(?:\.(?:json\w?|ipynb|ya?ml|toml|xml|csv|tsv|svg|pot?|ini|cfg|properties|lock|plist|snap|geojson|webmanifest)|lock\.json)$/i;
const IMPORT =
  /^(?:[#@]?(?:import|from|use|using|include|require|require_relative|package|extern|load|open|alias)\b|.*[^0-9A-Za-z_\x80-\xff]require\()/;

/** Added lines that nothing was paired with, whose text the commit adds a second time. */
function findCopies(files: readonly PlainFile[]): void {
  const runs: PlainLine[][] = [];
  for (const { path, hunks } of files) {
    if (DATA.test(path)) continue;
    for (const { added } of hunks) {
      runs.push([]);
      for (const line of added) {
        if (!isSignificant(line.text)) continue;
        if (line.operation === 'noop') runs.push([]);
        else if (!IMPORT.test(trim(line.text))) runs.at(-1)!.push(line);
      }
    }
  }
  const seen = new Map<string, PlainLine[]>();
  for (const run of runs)
    for (let at = 0; at + 3 <= run.length; at++) {
      const three = run.slice(at, at + 3);
      const key = three.map(({ text }) => ink(text)).join('\n');
      if (key.length - 2 < 70) continue;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, three);
      else if (!first.some((line) => three.includes(line))) for (const line of three) line.operation ??= 'copy_pasted';
    }
  const lines = runs.flat().filter(({ text }) => ink(text).length >= 60);
  const times = new Map<string, number>();
  for (const { text } of lines) times.set(ink(text), (times.get(ink(text)) ?? 0) + 1);
  const met = new Set<string>();
  for (const line of lines) {
    const text = ink(line.text);
    const isOpen = text.split('(').length !== text.split(')').length;
    const isIdiom = text.includes('(') && times.get(text)! >= 3;
    if (met.has(text) && !isOpen && !isIdiom) line.operation ??= 'copy_pasted';
    met.add(text);
  }
}
