// Where the hunks of a commit stand in a later version of its file: each at the place nearest to the one before it at
// which all of its added lines stand in a row.

/** Farther away than this a hunk is not looked for. */
const FARTHEST = 4000;

/**
 * `lines` are the hashes of the later version, `added` those of the file's added lines. Answers the hunks with the places
 * of both sides shifted; null when some hunk's lines are not there any more.
 */
export function locateHunks(lines: Uint32Array, added: Uint32Array, hunks: Int32Array): Int32Array | null {
  const located = new Int32Array(hunks.length);
  let used = 0;
  let end = 0;
  /** How far the new side lies from where the hunks say, and from the old side. */
  let shift = 0;
  let growth = 0;
  for (let at = 0; at + 3 < hunks.length; at += 4) {
    const removedCount = hunks[at + 1]!;
    const addedCount = hunks[at + 3]!;
    const place = nearest(lines, added.subarray(used, used + addedCount), hunks[at + 2]! + shift, end);
    if (place < 0) return null;
    shift = place - hunks[at + 2]!;
    located[at] = place - growth;
    located[at + 1] = removedCount;
    located[at + 2] = place;
    located[at + 3] = addedCount;
    growth += addedCount - removedCount;
    used += addedCount;
    end = place + addedCount;
  }
  return located;
}

/** The place from `least` on, nearest to `wanted`, where the lines stand; −1 when there is none. */
function nearest(lines: Uint32Array, run: Uint32Array, wanted: number, least: number): number {
  const most = lines.length - run.length;
  if (most < least) return -1;
  const from = Math.min(Math.max(wanted, least), most);
  for (let away = 0; away <= FARTHEST; away++) {
    const [below, above] = [from - away, from + away];
    if (below < least && above > most) return -1;
    if (below >= least && standsAt(lines, run, below)) return below;
    if (above <= most && standsAt(lines, run, above)) return above;
  }
  return -1;
}

function standsAt(lines: Uint32Array, run: Uint32Array, place: number): boolean {
  for (let i = 0; i < run.length; i++) if (lines[place + i] !== run[i]) return false;
  return true;
}
