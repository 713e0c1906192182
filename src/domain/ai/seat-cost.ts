// What seats cost: the price of a month is spread over its days, so that a seat held for half of a month costs half.

export interface HeldSeat {
  readonly ai_provider_em: string;
  readonly from_on: string;
  /** First day without; null while it is held. */
  readonly until_on: string | null;
}

const DAY_MS = 86_400_000;
const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const daysInMonth = (day: string): number => {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year!, month!, 0)).getUTCDate();
};

/** Cents of one seat within the days of a range. */
export function seatCents(
  seat: HeldSeat,
  range: { readonly from: string; readonly to: string },
  prices: Readonly<Record<string, number>>,
): number {
  const price = prices[seat.ai_provider_em] ?? 0;
  if (price === 0) return 0;
  const first = Math.max(toMs(seat.from_on), toMs(range.from));
  const end = Math.min(
    seat.until_on === null ? Number.POSITIVE_INFINITY : toMs(seat.until_on),
    toMs(range.to) + DAY_MS,
  );
  let cents = 0;
  for (let at = first; at < end; at += DAY_MS) cents += price / daysInMonth(new Date(at).toISOString().slice(0, 10));
  return cents;
}
