// The text of a body from its bytes, which are UTF-8 or refused: as RFC 8259 has it for JSON, and for forms alike.
import { randomUUID } from 'node:crypto';
import { StrataError } from '../../domain/errors.ts';
import { decodeUtf8, describeNotUtf8, findBadByte, isUtf16 } from '../../kit/text/utf8.ts';

/** Of values in values that are looked through. */
const DEEPEST = 10;
const LONGEST_NAME = 100;

type Values = Readonly<Record<string, unknown>>;

export function requireUtf8Charset(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new StrataError(
    'unsupported_media_type',
    `the charset ${charset.slice(0, 50)} is not accepted; expected utf-8, or none`,
  );
}

/** What `parse` reads in it. */
export function parseBody(body: Buffer, parse: (text: string) => Values | Promise<Values>): Values | Promise<Values> {
  const text = decodeUtf8(body);
  return text === null ? refuseBody(body, parse) : parse(text);
}

async function refuseBody(body: Buffer, parse: (text: string) => Values | Promise<Values>): Promise<never> {
  const name = isUtf16(body) ? null : await findHolder(body, parse);
  throw name === null
    ? new StrataError('invalid_parameter', `the body ${describeNotUtf8(body)}; send it in UTF-8`)
    : refuseValue(name);
}

export function refuseValue(name: string): StrataError {
  const message = 'the value is not UTF-8; send it in UTF-8';
  const shown = name.slice(0, LONGEST_NAME);
  return new StrataError('invalid_parameter', `${shown}: ${message}`, { errors: { [shown]: [message] } });
}

/** The parameter with the first byte that is wrong: a mark in its place, which nobody can have sent, is found again. */
async function findHolder(body: Buffer, parse: (text: string) => Values | Promise<Values>): Promise<string | null> {
  const mark = randomUUID();
  const at = findBadByte(body);
  const marked = Buffer.concat([body.subarray(0, at), Buffer.from(mark), body.subarray(at + 1)]);
  return findMark(await parse(marked.toString('utf8')), mark, '', DEEPEST);
}

/** Where a value with the mark stands, as `usages[3].email`; null where a name has it, or what is deeper. */
function findMark(value: unknown, mark: string, path: string, levels: number): string | null {
  if (typeof value === 'string') return value.includes(mark) ? path : null;
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  for (const [name, inner] of Object.entries(value)) {
    const own = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = name.includes(mark) ? null : findMark(inner, mark, own, levels - 1);
    if (found !== null) return found;
  }
  return null;
}
