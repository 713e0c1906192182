// Text, e-mail and web addresses, commit hashes and enumerations.

import { LONGEST_EMAIL, MAIL_ADDRESS, USER_EMAIL } from '../../domain/email-address.ts';
import { isStorable } from '../../kit/text/is-storable.ts';
import { nearestName } from '../../kit/text/nearest-name.ts';
import { Param, type ParamType, Refusal, show } from './param.ts';

const WRONG_TEXTS = [{ nested: true }, true, 'a\0b'];

/** Text from a query or form, or a JSON string or a number that is exactly what was sent. Surrounding blanks are cut. */
export function readText(value: unknown, accepts: string, max: number): string {
  const text = typeof value === 'number' ? readNumberAsText(value) : value;
  if (typeof text !== 'string') throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
  const trimmed = text.trim();
  if (!isStorable(trimmed)) {
    throw new Refusal(`${show(text)} is not accepted; it holds a NUL or half a surrogate pair`);
  }
  const length = trimmed.length;
  if (length > max) throw new Refusal(`${show(text)} has ${length} characters; expected at most ${max}`);
  return trimmed;
}

/** Digits that a JSON number keeps, whatever they are. */
const EXACT_DIGITS = 15;

/** Two numbers of many digits are one once they are read, and one that is too large is read as infinite. */
function readNumberAsText(value: number): string {
  const text = String(value);
  const digits = text.replace(/^-?[0.]*|\./g, '').length;
  if (Number.isSafeInteger(value) || (/^-?[\d.]+$/.test(text) && digits <= EXACT_DIGITS)) return text;
  throw new Refusal(
    `${show(text)} is not accepted; as a JSON number it may have lost digits: expected text, in quotation marks`,
  );
}

export function string({ max = 255 }: { max?: number } = {}): Param<string> {
  const accepts = `text of at most ${max} characters`;
  return new Param<string>({
    name: 'String',
    accepts,
    schema: { type: 'string', maxLength: max },
    examples: { right: ['text'], wrong: [...WRONG_TEXTS, 'x'.repeat(max + 1)] },
    isList: false,
    read: (value) => readText(value, accepts, max),
  });
}

/** Text of a fixed form. The pattern is matched against the trimmed text. */
function patterned(
  type: Pick<ParamType<string>, 'name' | 'accepts' | 'examples' | 'schema'>,
  pattern: RegExp,
  max: number,
  normalise: (text: string) => string = (text) => text,
): Param<string> {
  return new Param<string>({
    ...type,
    isList: false,
    read(value) {
      const text = readText(value, type.accepts, max);
      if (!pattern.test(text)) throw new Refusal(`${show(value)} is not accepted; expected ${type.accepts}`);
      return normalise(text);
    },
  });
}

export const email = (): Param<string> =>
  patterned(
    {
      name: 'String',
      accepts: 'an e-mail address such as ada@example.com',
      schema: { type: 'string', format: 'email', maxLength: LONGEST_EMAIL },
      examples: { right: ['ada@example.com'], wrong: ['ada', 'ada@', 'a b@example.com', 'ada@example'] },
    },
    MAIL_ADDRESS,
    LONGEST_EMAIL,
  );

/** Of a user. */
export const userEmail = (): Param<string> =>
  patterned(
    {
      name: 'String',
      accepts: 'an e-mail address such as ada@example.com or admin@localhost',
      schema: { type: 'string', pattern: USER_EMAIL.source, maxLength: LONGEST_EMAIL },
      examples: { right: ['ada@example.com', 'admin@localhost'], wrong: ['ada', 'ada@', 'a b@example.com'] },
    },
    USER_EMAIL,
    LONGEST_EMAIL,
  );

export function url({ max = 2000 }: { max?: number } = {}): Param<string> {
  const accepts = 'a full http or https address such as https://git.example.com';
  return new Param<string>({
    name: 'String',
    accepts,
    schema: { type: 'string', format: 'uri', maxLength: max },
    examples: {
      right: ['https://git.example.com/api'],
      wrong: ['git.example.com', 'ftp://git.example.com', 'https://', 'https://user:password@git.example.com'],
    },
    isList: false,
    read(value) {
      const text = readText(value, accepts, max);
      const parsed = URL.canParse(text) ? new URL(text) : null;
      if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
        throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      }
      // Not shown: the refused part is a credential.
      if (parsed.username !== '' || parsed.password !== '') {
        throw new Refusal(`an address with a user name or password in it is not accepted; expected ${accepts}`);
      }
      return text;
    },
  });
}

const SHA = '0123456789abcdef0123456789abcdef01234567';

export const sha = (): Param<string> =>
  patterned(
    {
      name: 'SHA',
      accepts: 'a commit hash of 40 hexadecimal digits',
      schema: { type: 'string', pattern: '^[0-9a-fA-F]{40}$' },
      examples: { right: [SHA], wrong: ['abc', SHA.slice(1), `${SHA}0`, SHA.replace('0', 'g')] },
    },
    /^[0-9a-f]{40}$/i,
    80,
    (text) => text.toLowerCase(),
  );

/** A whole commit hash or the beginning of one, as line history and audits accept it. */
export const shaPrefix = (): Param<string> =>
  patterned(
    {
      name: 'SHA',
      accepts: 'a commit hash of 40 hexadecimal digits, or at least its first 7',
      schema: { type: 'string', pattern: '^[0-9a-fA-F]{7,40}$' },
      examples: { right: [SHA.slice(0, 7), SHA], wrong: ['abc', `${SHA}0`, 'HEAD~1'] },
    },
    /^[0-9a-f]{7,40}$/i,
    80,
    (text) => text.toLowerCase(),
  );

/** One of a fixed set of wire values. An alias is read as the value it stands for and never printed. */
export function oneOf<const V extends string>(
  values: readonly [V, ...V[]],
  aliases: { readonly [alias: string]: V } = {},
): Param<V> {
  const byName = new Map<string, V>([
    ...Object.entries(aliases),
    ...values.map((value): [string, V] => [value, value]),
  ]);
  const accepts = `one of ${values.join(', ')}`;
  return new Param<V>({
    name: 'String',
    accepts,
    schema: { type: 'string', enum: values },
    examples: { right: [values[0], ...values.slice(1), ...Object.keys(aliases)], wrong: ['no_such_value', 17] },
    isList: false,
    read(value) {
      const text = readText(value, accepts, 255);
      const found = byName.get(text) ?? byName.get(text.toLowerCase());
      if (found !== undefined) return found;
      const near = nearestName(text, byName.keys());
      const nearest = near === null ? null : byName.get(near)!;
      const hint = nearest === null ? '' : ` (did you mean ${nearest}?)`;
      throw new Refusal(`${show(value)} is not accepted; expected ${accepts}${hint}`);
    },
  });
}
