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

export interface DecimalOptions {
  /** Digits after the point. */
  readonly scale: number;
  readonly min?: number;
  readonly max?: number;
}

export function decimal({ scale, min = -1e12, max = 1e12 }: DecimalOptions): Param<number> {
  const accepts = `a number from ${min} to ${max} with at most ${scale} decimals, such as 12.5`;
  return new Param<number>({
    name: 'Decimal',
    accepts,
    schema: { type: 'number', minimum: min, maximum: max },
    examples: {
      right: [String(max), max, min],
      wrong: ['many', `0.${'1'.repeat(scale + 1)}`, max + 1, '1,5', 'NaN', 'Infinity', '0x10', [{ toString: 0 }]],
    },
    isList: false,
    read(value) {
      const text = typeof value === 'number' ? String(value) : value;
      const match = typeof text === 'string' ? /^\s*[+-]?\d{1,20}(?:\.(\d{1,20}))?\s*$/.exec(text) : null;
      const decimals = match?.[1]?.replace(/0+$/, '').length ?? 0;
      const number = match === null ? Number.NaN : Number(match[0]);
      if (match === null || decimals > scale || number < min || number > max) {
        throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      }
      return number === 0 ? 0 : number;
    },
  });
}
