// Which lines of the window the search may match.
import { setWord, word } from '../words.ts';
import { partners } from './contents.ts';
import { NEW_SEQUENCE, NEW_TAKEN, OLD_SEQUENCE, OLD_TAKEN } from './memory.ts';
import { after, before, Version } from './version.ts';
import { differing } from './window.ts';

export let oldTaken: i32 = 0;
export let newTaken: i32 = 0;

export function takeLines(): void {
  oldTaken = take(before, differing.oldTo, true, OLD_TAKEN, OLD_SEQUENCE);
  newTaken = take(after, differing.newTo, false, NEW_TAKEN, NEW_SEQUENCE);
}

function take(version: Version, to: i32, isOld: bool, taken: usize, sequence: usize): i32 {
  let count: i32 = 0;
  for (let line = differing.head; line < to; line++) {
    const number = word(version.numbers, line);
    if (partners(number, isOld) === 0) continue;
    setWord(taken, count, line);
    setWord(sequence, count++, number);
  }
  return count;
}
