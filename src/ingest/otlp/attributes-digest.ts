// A series is a metric with all its attributes, also with those that are not decoded: by a digest of them, points of two
// languages are told apart though no language is kept. The same attributes give the same digest in any order and in either
// encoding.
import { hash } from 'node:crypto';

/** Of all attributes that something has, on the allow-list or not; read for it when it is needed, and not before. */
export type AttributesDigest = () => string;

/** A value with its type, as both encodings write it for the digest. */
type ValueText = string;
export type Pairs = Iterable<readonly [key: string, value: ValueText]>;

/** Lists and maps within each other beyond this are not told apart: whoever nests deeper wants to exhaust the stack. */
const DEEPEST = 8;

const pairsText = (pairs: Pairs): string =>
  JSON.stringify(Array.from(pairs, (pair) => JSON.stringify(pair)).toSorted());

/** SHA-256: no value can be read back from it. */
const digest = (text: string): string => hash('sha256', text, 'base64');

/**
 * `depth` is how many lists and maps are around a value. Of these a digest stands in the text of what is around them: a text within
 * a text doubles its quotes at every level.
 */
export const VALUE_TEXT = {
  none: '',
  text: (value: string): ValueText => `s${value}`,
  bool: (value: boolean): ValueText => `b${value}`,
  int: (value: bigint): ValueText => `i${value}`,
  double: (value: number): ValueText => `d${value}`,
  bytes: (value: Uint8Array): ValueText => `x${Buffer.from(value).toString('hex')}`,
  list: (depth: number, values: () => Iterable<ValueText>): ValueText =>
    depth < DEEPEST ? `l${digest(JSON.stringify([...values()]))}` : 'l',
  map: (depth: number, pairs: () => Pairs): ValueText => (depth < DEEPEST ? `m${digest(pairsText(pairs()))}` : 'm'),
} as const;

/** Made once, because the points of a resource share one. */
export function digestOf(pairs: () => Pairs): AttributesDigest {
  let made: string | null = null;
  return () => {
    made ??= digest(pairsText(pairs()));
    return made;
  };
}

/** Of what a metric was made in. */
export const scopeDigestOf = (scope: () => { name: string; version: string; attributes: Pairs }): AttributesDigest =>
  digestOf(() => {
    const { name, version, attributes } = scope();
    return [
      ['name', VALUE_TEXT.text(name)],
      ['version', VALUE_TEXT.text(version)],
      ['attributes', VALUE_TEXT.map(0, () => attributes)],
    ];
  });
