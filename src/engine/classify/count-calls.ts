// Calls on a line: a name directly before an opening parenthesis, unless the name is a keyword or is
// being defined there. A guess by shape, the same for all languages.
import { hasHash, hashBytes, WORD_BYTE, wordHashes } from './scan-line.ts';

const NOT_CALLED = wordHashes(`
  if for while switch catch return elif elsif elseif and or not in is def function func fn class print_r typeof sizeof
  instanceof new delete throw raise yield await async lambda with except assert del match case when unless until do else
  try using lock foreach fixed checked unchecked synchronized super constructor void let const var where values select
  from into import export require_once include_once exec of as range`);
const DEFINES = wordHashes(
  'def function func fn fun sub class interface struct trait enum macro procedure defp defmacro void',
);

export function countCalls(bytes: Uint8Array, start: number, end: number): number {
  let calls = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] !== 40) continue;
    let wordStart = at;
    while (wordStart > start && WORD_BYTE[bytes[wordStart - 1]!] === 1) wordStart--;
    if (wordStart === at || isDigit(bytes[wordStart]!)) continue;
    if (hasHash(NOT_CALLED, hashBytes(bytes, wordStart, at))) continue;
    let previousEnd = wordStart;
    while (previousEnd > start && bytes[previousEnd - 1] === 32) previousEnd--;
    if (previousEnd < wordStart) {
      let previousStart = previousEnd;
      while (previousStart > start && WORD_BYTE[bytes[previousStart - 1]!] === 1) previousStart--;
      if (previousStart < previousEnd && hasHash(DEFINES, hashBytes(bytes, previousStart, previousEnd))) continue;
    }
    calls++;
  }
  return calls;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}
