// Properties of the input types: dates as another library writes them come back as the same instant, and
// nothing that can be sent makes a type fail other than by refusing.
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { parseEncoded } from '../../../src/api/input/raw-input.ts';
import { StrataError } from '../../../src/domain/errors.ts';
import { p } from '../../../src/endpoints/params/index.ts';
import type { Param } from '../../../src/endpoints/params/param.ts';
import { readValues } from '../../../src/endpoints/params/read-values.ts';

const NOW = new Date('2026-11-15T02:30:00Z');
const read = <T>(param: Param<T>, value: unknown, zone = 'UTC') =>
  readValues({ it: param }, [['it', value]], { zone, now: NOW, warn: () => undefined });

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
// The hour that a clock change repeats has two instants; texts without an offset cannot tell them apart.
const isUnique = (time: DateTime): boolean =>
  !time.plus({ hours: 3 }).hasSame(time, 'hour') && time.minus({ hours: 3 }).offset === time.plus({ hours: 3 }).offset;

const FORMS: Record<string, (time: DateTime) => string | null> = {
  'ISO with offset': (time) => time.toISO(),
  'ISO without offset': (time) => time.toISO({ includeOffset: false }),
  'ISO basic': (time) => time.toISO({ format: 'basic' }),
  'SQL with offset': (time) => time.toSQL(),
  'SQL without offset': (time) => time.toSQL({ includeOffset: false }),
};
const TO_THE_SECOND: typeof FORMS = {
  'mail header': (time) => time.toRFC2822(),
  'English with zone offset': (time) => time.toFormat("MMMM d, yyyy h:mm:ss a 'GMT'ZZ"),
  'English without zone': (time) => time.toFormat('MMMM d, yyyy h:mm:ss a'),
  'as JavaScript prints it': (time) => time.toFormat("EEE MMM dd yyyy HH:mm:ss 'GMT'ZZZ"),
};

for (const [name, write] of [...Object.entries(FORMS), ...Object.entries(TO_THE_SECOND)]) {
  test(`${name}: the instant survives`, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2034, 0, 1) }),
        fc.constantFrom(...ZONES),
        (instant, zone) => {
          const whole = name in TO_THE_SECOND ? instant - (instant % 1000) : instant;
          const time = DateTime.fromMillis(whole, { zone });
          fc.pre(isUnique(time));
          const { values, errors } = read(p.dateTime(), write(time), zone);
          expect(errors).toEqual({});
          expect(values.it?.toISOString()).toBe(new Date(whole).toISOString());
        },
      ),
      { numRuns: name in TO_THE_SECOND ? 100 : 300 },
    );
  });
}

const TYPES: Record<string, Param<unknown>> = {
  boolean: p.boolean(),
  date: p.date(),
  dateTime: p.dateTime({ seconds: true }),
  decimal: p.decimal({ scale: 2 }),
  email: p.email(),
  integer: p.integer(),
  objects: p.objects({ text: p.string(), at: p.dateTime().optional(), tags: p.strings().optional() }),
  oneOf: p.oneOf(['a', 'b']),
  resourcePaths: p.resourcePaths(),
  sha: p.sha(),
  string: p.string(),
  strings: p.strings(),
  url: p.url(),
};

for (const [name, param] of Object.entries(TYPES)) {
  test(`${name} reads or refuses anything`, () => {
    const samples = fc.constantFrom(...param.type.examples.right, ...param.type.examples.wrong);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc
        .tuple(samples, fc.string())
        .map(([sample, tail]) => `${typeof sample === 'string' ? sample : JSON.stringify(sample)}${tail}`),
    );
    fc.assert(
      fc.property(value, (given) => {
        const { errors } = read(param, given);
        for (const messages of Object.values(errors)) expect(messages.join().length).toBeLessThan(2_000);
      }),
      { numRuns: 300 },
    );
  });
}

test('any query is parsed or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a[]=&%0.+,;\u00e9'), maxLength: 60 }), (text) => {
      try {
        parseEncoded(text, 'query');
      } catch (error) {
        expect(error).toBeInstanceOf(StrataError);
      }
    }),
    { numRuns: 2_000 },
  );
});
