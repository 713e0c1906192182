// How column values become JavaScript values: 64-bit integers and decimals as numbers, dates and
// times as strings. The driver's own Date objects would be slower, and would put a date at midnight
// of the machine's time zone.
import pg from 'pg';

type Parser = (text: string) => unknown;

/** '2026-11-15 02:29:09.361+00' → '2026-11-15T02:29:09.361Z'. Sessions run in UTC, so the offset is always +00. */
export function timestampToIso(text: string): string {
  return text.endsWith('+00') && text[10] === ' ' ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text;
}

const asIs: Parser = (text) => text;
const TEXT_ARRAY: number = 1009;
const textArray = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => (string | null)[];
const arrayOf =
  (parse: Parser): Parser =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : parse(item)));

const SCALARS: { oid: number; arrayOid: number; parse: Parser }[] = [
  { oid: 20, arrayOid: 1016, parse: Number }, // int8
  { oid: 1700, arrayOid: 1231, parse: Number }, // numeric
  { oid: 1082, arrayOid: 1182, parse: asIs }, // date
  { oid: 1114, arrayOid: 1115, parse: asIs }, // timestamp
  { oid: 1184, arrayOid: 1185, parse: timestampToIso }, // timestamptz
  { oid: 1186, arrayOid: 1187, parse: asIs }, // interval
];

const parsers = new Map<number, Parser>(
  SCALARS.flatMap(({ oid, arrayOid, parse }) => [
    [oid, parse],
    [arrayOid, arrayOf(parse)],
  ]),
);

export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
};
