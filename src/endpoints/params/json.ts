// A value of any kind: what it may be depends on another parameter.
import { Param, Refusal, show } from './param.ts';

const LONGEST = 8_000;

export const json = (): Param<unknown> =>
  new Param<unknown>({
    name: 'JSON',
    accepts: 'any JSON value, or its text',
    schema: {},
    examples: { right: ['text', 1, true, ['a']], wrong: ['x'.repeat(LONGEST + 1)] },
    isList: true,
    read(value) {
      // Null too, where the parameter takes it.
      if (value !== undefined && JSON.stringify(value).length <= LONGEST) return value as NonNullable<unknown>;
      throw new Refusal(`${show(value)} is not accepted; expected at most ${LONGEST} characters of JSON`);
    },
  });
