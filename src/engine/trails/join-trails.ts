// Keeps the files of trails few.
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, numberOf, pathIn, type TrailPlace, unlessRefused } from './place.ts';
import { TrailFile } from './trail-file.ts';
import { readSections } from './trail-section.ts';

/** More files are joined to one: each takes a look, and most hold the commits of a day. */
const MOST_FILES = 16;
const BYTES_AT_ONCE = 1 << 20;

/** Forgets what walks before this one have kept, which has read all of it anew. */
export function forgetEarlier({ folder, number }: TrailPlace): void {
  unlessRefused(() => {
    for (const name of listFiles(folder)) if (numberOf(name) < number) rmSync(join(folder, name), { force: true });
  }, undefined);
}

/** Puts files behind one another once there are many; to be called when none is being written. */
export function joinTrails(place: TrailPlace): void {
  unlessRefused(() => joinFiles(place), undefined);
}

function joinFiles(place: TrailPlace): void {
  const files = listFiles(place.folder).map((name) => {
    const path = join(place.folder, name);
    return { path, size: statSync(path).size };
  });
  if (files.length <= MOST_FILES) return;
  const half = files.reduce((sum, { size }) => sum + size, 0) / 2;
  // The one that holds most of the history stays as it is.
  const small = files.filter(({ size }) => size <= half);
  const path = pathIn({ ...place, number: place.number + 1 }, 0);
  const draft = `${path}.new`;
  const joined = openSync(draft, 'w');
  try {
    for (const each of small) appendGood(each.path, joined);
  } finally {
    closeSync(joined);
  }
  renameSync(draft, path);
  for (const each of small) rmSync(each.path, { force: true });
}

/** What is behind a piece that is not whole would not be read. */
function appendGood(path: string, joined: number): void {
  const file = new TrailFile(path);
  try {
    const end = readSections(file, () => {});
    for (let at = 0; at < end; ) {
      const bytes = file.at(at, Math.min(BYTES_AT_ONCE, end - at))!;
      for (let written = 0; written < bytes.length; ) written += writeSync(joined, bytes, written);
      at += bytes.length;
    }
  } finally {
    file.close();
  }
}
