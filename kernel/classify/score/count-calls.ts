// Calls on a line: a name directly before an opening parenthesis, unless the name is a keyword or is
// being defined there. A guess by shape, the same for all languages.
import { DEFINING_WORDS, NOT_CALLED } from '../../contract.ts';
import { hashBytes, isKnownWord, isWordAt } from '../bytes.ts';

export function countCalls(start: usize, end: usize): i32 {
  let calls: i32 = 0;
  for (let at = start; at < end; at++) {
    if (load<u8>(at) !== 40) continue;
    const from = wordStart(start, at);
    if (from === at || isDigit(load<u8>(from))) continue;
    if (isKnownWord(NOT_CALLED, hashBytes(from, at))) continue;
    let previousEnd = from;
    while (previousEnd > start && load<u8>(previousEnd - 1) === 32) previousEnd--;
    if (previousEnd < from) {
      const previousStart = wordStart(start, previousEnd);
      if (previousStart < previousEnd && isKnownWord(DEFINING_WORDS, hashBytes(previousStart, previousEnd))) continue;
    }
    calls++;
  }
  return calls;
}

function wordStart(start: usize, end: usize): usize {
  let from = end;
  while (from > start && isWordAt(from - 1)) from--;
  return from;
}

function isDigit(byte: u8): bool {
  return byte >= 48 && byte <= 57;
}
