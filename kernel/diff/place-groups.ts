// Where a group of changed lines is put that could as well stand further up or down. Each version's groups are placed
// in their order; docs/engine/comparing.md tells the rules and how they were observed.
import { groupCut, groupFrom, groupTo, setGroup } from './groups.ts';
import { areSame } from './lines.ts';
import { bestShift } from './split-cost.ts';
import { lineAt, lineLength, Version } from './version.ts';

/** The group that is being placed, and between which cuts it can stand. */
@unmanaged
class Slider {
  from: i32;
  to: i32;
  cut: i32;
  topCut: i32;
  /** How many groups have been placed, and which one comes next. */
  placed: i32;
  next: i32;
}

const slider = changetype<Slider>(memory.data(32));

function isSameLine(version: Version, a: i32, b: i32): bool {
  const length = lineLength(version, a);
  return length === lineLength(version, b) && areSame(lineAt(version, a), lineAt(version, b), length);
}

function shift(by: i32): void {
  slider.from += by;
  slider.to += by;
  slider.cut += by;
}

/** Places all groups of a version, of which some may become one. */
export function placeGroups(version: Version, other: Version): void {
  slider.placed = 0;
  slider.next = 0;
  let othersPassed: i32 = 0;
  while (slider.next < version.groupCount) {
    const group = slider.next++;
    slider.from = groupFrom(version, group);
    slider.to = groupTo(version, group);
    slider.cut = groupCut(version, group);
    stretch(version);
    while (othersPassed < other.groupCount && groupCut(other, othersPassed) <= slider.cut) othersPassed++;
    // A group that has been joined with earlier ones may stand above where those could have gone.
    while (othersPassed > 0 && groupCut(other, othersPassed - 1) > slider.cut) othersPassed--;
    const otherCut = othersPassed > 0 ? groupCut(other, othersPassed - 1) : -1;
    if (slider.cut > slider.topCut) {
      if (otherCut >= slider.topCut) shift(otherCut - slider.cut);
      else shift(-bestShift(version, slider.from, slider.to, slider.cut - slider.topCut));
    }
    setGroup(version, slider.placed++, slider.from, slider.to, slider.cut);
  }
  version.groupCount = slider.placed;
}

/** Moves the group up and down as far as it goes, together with every group it comes to touch; it ends at the bottom. */
function stretch(version: Version): void {
  let size: i32;
  do {
    size = slider.to - slider.from;
    while (slider.from > 0 && isSameLine(version, slider.from - 1, slider.to - 1)) {
      shift(-1);
      if (slider.placed > 0 && groupCut(version, slider.placed - 1) === slider.cut)
        slider.from = groupFrom(version, --slider.placed);
    }
    slider.topCut = slider.cut;
    while (slider.to < version.reach && isSameLine(version, slider.from, slider.to)) {
      shift(1);
      if (slider.next < version.groupCount && groupCut(version, slider.next) === slider.cut)
        slider.to = groupTo(version, slider.next++);
    }
  } while (slider.to - slider.from !== size);
}
