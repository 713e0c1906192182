// Bytes that are not UTF-8 are refused wherever in the text they are, with their line.
import { expect, test } from 'vitest';
import { decodeUtf8, describeNotUtf8 } from '../../src/kit/text/utf8.ts';

test.each([
  ['ab\xe9', 1, 'E9'],
  ['\xe9', 1, 'E9'],
  ['a\n\xe9', 2, 'E9'],
  ['a\n\nb\xff\n', 3, 'FF'],
  ['a\n\xf0\x9f', 2, 'F0'],
  ['a\n\xc3', 2, 'C3'],
  // The sign for what is wrong is a letter like others.
  ['\xef\xbf\xbd\n\xef\xbf\xbd\xff', 2, 'FF'],
])('%j has a wrong byte in line %d: 0x%s', (text, line, byte) => {
  const bytes = Buffer.from(text, 'latin1');
  expect(decodeUtf8(bytes)).toBeNull();
  expect(describeNotUtf8(bytes)).toBe(`is not UTF-8 (line ${line} has the byte 0x${byte})`);
});

test.each(['', 'a', 'ü', '\uFFFD', '😀\n'])('%j is read', (text) => {
  expect(decodeUtf8(Buffer.from(text))).toBe(text);
  expect(decodeUtf8(Buffer.from(`\uFEFF${text}`))).toBe(text);
});
