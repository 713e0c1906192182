// Business time, Monday to Friday from nine to five in UTC, and months: by going from day to day.

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Whole minutes of business time; 0 where the end comes first. */
export function businessMinutes(from: string, to: string): number {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  let total = 0;
  for (let day = Math.floor(begin / DAY_MS) * DAY_MS; day < end; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const opens = Math.max(begin, day + 9 * 60 * MINUTE_MS);
    const closes = Math.min(end, day + 17 * 60 * MINUTE_MS);
    if (closes > opens) total += (closes - opens) / MINUTE_MS;
  }
  return total;
}

export const monthOf = (at: string): string => `${at.slice(0, 7)}-01`;

const nextMonth = (month: string): string => {
  const date = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
};

/** Every month that has ended between two moments, with that of the second; its end is not in it. */
export function monthsBetween(from: string, to: string): { readonly start: string; readonly end: string }[] {
  const months: { start: string; end: string }[] = [];
  for (let start = monthOf(from); start <= to; start = nextMonth(start).slice(0, 10)) {
    months.push({ start, end: nextMonth(start) });
  }
  return months;
}

/** The stretches of a time in each month. */
export function clipToMonths(from: string, to: string): { readonly from: string; readonly to: string }[] {
  const begins = (start: string) => `${start}T00:00:00.000Z`;
  return monthsBetween(from, to).flatMap(({ start, end }) => {
    const [first, last] = [from > begins(start) ? from : begins(start), to < end ? to : end];
    return first < last ? [{ from: first, to: last }] : [];
  });
}
