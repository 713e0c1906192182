// Booleans, integers and decimals, from text or from JSON.
import { Param, Refusal, show } from './param.ts';

export function boolean(): Param<boolean> {
  const accepts = 'true or false';
  return new Param<boolean>({
    name: 'Boolean',
    accepts,
    schema: { type: 'boolean' },
    examples: { right: ['true', 'false', true, false, 'True'], wrong: ['maybe', '2', 1, { a: 1 }] },
    isList: false,
    read(value) {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (word === true || word === 'true') return true;
      if (word === false || word === 'false') return false;
      throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
    },
  });
}

// The range of PostgreSQL's integer, the widest column such a value can land in.
const INTEGER_MIN = -2_147_483_648;
const INTEGER_MAX = 2_147_483_647;

export function integer({ min = INTEGER_MIN, max = INTEGER_MAX }: { min?: number; max?: number } = {}): Param<number> {
  const accepts = `a whole number from ${min} to ${max}`;
  return new Param<number>({
    name: 'Integer',
    accepts,
    schema: { type: 'integer', minimum: min, maximum: max },
    examples: { right: [String(min), max], wrong: ['many', '1.5', 1.5, String(max + 1), min - 1, [1, 2]] },
    isList: false,
    read(value) {
      const number = typeof value === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(value) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
        throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      }
      return number === 0 ? 0 : number;
    },
  });
}

const LAST_PAGE = 1_000_000;

/** Number of a page of any list, from 1. */
/** The id of a stored record. */
export const recordId = (): Param<number> => {
  const { type } = integer({ min: 1 });
  // An id that no record has: whoever sends the examples does no harm.
  return new Param<number>({ ...type, examples: { ...type.examples, right: [987_654_321] } });
};

export const page = (): Param<number> => integer({ min: 1, max: LAST_PAGE }).default(1);

export interface DecimalOptions {
  /** Digits after the point that are kept; further ones are rounded. */
  readonly scale: number;
  readonly min?: number;
  readonly max?: number;
}

/** A decimal as people and programs write it, with an exponent or without. */
const DECIMAL = /^\s*[+-]?(?:\d{1,40}(?:\.\d{0,60})?|\.\d{1,60})(?:e[+-]?\d{1,3})?\s*$/i;

export function decimal({ scale, min = -1e12, max = 1e12 }: DecimalOptions): Param<number> {
  const accepts = `a number from ${min} to ${max}, such as 12.5`;
  return new Param<number>({
    name: 'Decimal',
    accepts,
    schema: { type: 'number', minimum: min, maximum: max },
    examples: {
      right: [String(max), max, min],
      wrong: ['many', max + 1, min - 1, '1,5', 'NaN', 'Infinity', '0x10', '1e999', '.', [{ toString: 0 }]],
    },
    isList: false,
    read(value) {
      const number =
        typeof value === 'number'
          ? value
          : typeof value === 'string' && DECIMAL.test(value)
            ? Number(value)
            : Number.NaN;
      if (!(number >= min && number <= max)) {
        throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      }
      const rounded = Number.isInteger(number) ? number : Number(number.toFixed(scale));
      return rounded === 0 ? 0 : rounded;
    },
  });
}
