// Gathers the parameters of a request from path, query, form body and JSON body into one flat list of
// raw values. A body wins over the query, the path over both. Nothing here knows the endpoint's types.
import { isUtf8 } from 'node:buffer';
import qs from 'qs';
import { StrataError } from '../../domain/errors.ts';
import { refuseValue } from './body-text.ts';

const MOST_PARAMETERS = 5_000;
const MOST_ITEMS = 2_000;
const DEEPEST = 4;

/** Text of a query or form body → object without a prototype, so that no name is special. */
export function parseEncoded(text: string, what: 'query' | 'form body'): Record<string, unknown> {
  if (text === '') return {};
  try {
    return qs.parse(text, {
      plainObjects: true,
      depth: DEEPEST,
      strictDepth: true,
      arrayLimit: MOST_ITEMS,
      parameterLimit: MOST_PARAMETERS,
      throwOnLimitExceeded: true,
      decoder: createDecoder(what),
    });
  } catch (error) {
    if (error instanceof StrataError) throw error;
    if (error instanceof RangeError) {
      throw new StrataError(
        'invalid_parameter',
        `the ${what} holds too many or too deeply nested values; expected at most ${MOST_PARAMETERS} parameters, ` +
          `${MOST_ITEMS} items in a list and ${DEEPEST} levels`,
        { cause: error },
      );
    }
    throw new StrataError('invalid_parameter', `the ${what} cannot be read as name=value pairs`, { cause: error });
  }
}

/** Of the parts of name=value pairs, which come in turn. Bytes that are not UTF-8 are refused, a lone % stays as it is. */
function createDecoder(what: 'query' | 'form body') {
  let name = '';
  return (part: string, decode: (part: string) => string, _charset: string, type: 'key' | 'value'): string => {
    const text = decode(part);
    // What cannot be decoded comes back with its signs.
    if (text.includes('%') && !isUtf8(percentDecoded(part)))
      throw type === 'key' ? refuseName(what) : refuseValue(name);
    if (type === 'key') name = text;
    return text;
  };
}

const refuseName = (what: 'query' | 'form body'): StrataError =>
  new StrataError('invalid_parameter', `the ${what} has a name that is not UTF-8; send it in UTF-8`);

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** A form in parts → the same as the form encoded. Parts that are files are refused: no parameter is one. */
export async function parseMultipart(text: string, contentType: string): Promise<Record<string, unknown>> {
  const fields: [string, string][] = [];
  try {
    const form = await new Response(text, { headers: { 'content-type': contentType } }).formData();
    for (const [name, value] of form) {
      if (typeof value !== 'string') {
        throw new StrataError(
          'invalid_parameter',
          `${name.slice(0, 100)}: a file is not accepted; send its value as text`,
        );
      }
      fields.push([name, value]);
    }
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw new StrataError('invalid_parameter', 'the form body in parts cannot be read', { cause: error });
  }
  return parseEncoded(new URLSearchParams(fields).toString(), 'form body');
}

export function parseJson(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StrataError('invalid_parameter', 'the body is not valid JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StrataError('invalid_parameter', 'the JSON body must be an object of parameters, such as {"page": 1}');
  }
  return { ...value };
}

export const queryOf = (address: string): string => {
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start + 1);
};

export function mergeInput(
  ...sources: readonly (Readonly<Record<string, unknown>> | undefined)[]
): Map<string, unknown> {
  const merged = new Map<string, unknown>();
  for (const source of sources) {
    if (source === undefined) continue;
    for (const [name, value] of Object.entries(source)) merged.set(name, value);
  }
  return merged;
}
