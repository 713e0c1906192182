// Gathers the parameters of a request from path, query, form body and JSON body into one flat list of
// raw values. A body wins over the query, the path over both. Nothing here knows the endpoint's types.
import qs from 'qs';
import { StrataError } from '../domain/errors.ts';

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
    });
  } catch (error) {
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

/** A form in parts → the same as the form encoded. Parts that are files are refused: no parameter is one. */
export async function parseMultipart(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const fields: [string, string][] = [];
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
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
