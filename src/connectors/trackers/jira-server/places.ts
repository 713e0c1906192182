// Places in the list of issues, newest change first. What changes or is made meanwhile comes to the front and moves the
// rest back: duplicates, never gaps. What is deleted moves the rest up, so each page begins with the last issue of the page
// before it, and where that one is not found the walk steps back.
//
//   front ── page ── page ── … 10,000 │ front ── page ── …      some search engines count no further: the list is cut off
//                                     └ `updated <= -Nm`        above the last change that was seen, and counted anew
//
// The list is not cut off by ids: to Data Center `id > N` means higher keys of the project of issue N.
import type { Cursor } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import { issueStream } from '../jira/issue-streams.ts';

const FURTHEST = 10_000;
const MINUTE_MS = 60_000;

export interface Place {
  readonly start: number;
  /** Where the list is cut off. The text stays the same: the end then moves to later changes only. */
  readonly minutes: number | null;
  /** The last change that was seen when the list was cut off. */
  readonly top: string | null;
  /** The issue before `start`. */
  readonly last: ListedIssue | null;
}

export interface ListedIssue {
  readonly id: string;
  readonly updated: string;
}

/** Begins anew from a cursor of another make. */
export function readPlace(cursor: Cursor | null): Place {
  const { start, minutes, top, last_id: id, last_updated: updated } = cursor ?? {};
  const isBehind = typeof start === 'number' && typeof id === 'string' && typeof updated === 'string';
  return {
    start: isBehind ? start : 0,
    minutes: typeof minutes === 'number' ? minutes : null,
    top: typeof top === 'string' ? top : null,
    last: isBehind ? { id, updated } : null,
  };
}

export const upTo = ({ minutes }: Place): string => (minutes === null ? '' : ` AND updated <= -${minutes}m`);

/** The offset of a page: that of the last issue of the page before it. */
export const firstOf = ({ start }: Place): number => Math.max(0, start - 1);

/** Whether nothing lies between the page before and the list. */
export function isNextTo({ start, last }: Place, [first]: readonly ListedIssue[]): boolean {
  if (start === 0 || last === null) return true;
  return first !== undefined && (first.id === last.id || first.updated > last.updated);
}

export const stepBack = (place: Place, pageSize: number): Place => ({
  ...place,
  start: Math.max(0, place.start - pageSize),
});

export interface Answered {
  readonly list: readonly ListedIssue[];
  readonly total: number;
  readonly now: Date;
}

/** Null at the end of the list. */
export function nextPlace(place: Place, { list, total, now }: Answered): Cursor | null {
  const end = firstOf(place) + list.length;
  if (end >= total) return null;
  const last = list.at(-1);
  if (last === undefined) {
    throw new HostError('unexpected_answer', `Jira Data Center says ${total} issues and shows ${end} of them`);
  }
  const isFull = end + issueStream.pageSize.most > FURTHEST;
  // More than ten thousand of one moment cannot be cut: some sites go on counting.
  if (!isFull || (place.top !== null && last.updated >= place.top)) return write({ ...place, start: end, last });
  const minutes = Math.floor((now.getTime() - Date.parse(last.updated)) / MINUTE_MS) - 1;
  return write({ start: 0, minutes: Math.max(0, minutes), top: last.updated, last: null });
}

const write = ({ start, minutes, top, last }: Place): Cursor => ({
  start,
  minutes,
  top,
  last_id: last?.id ?? null,
  last_updated: last?.updated ?? null,
});
