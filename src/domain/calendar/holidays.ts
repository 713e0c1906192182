// Public holidays of a calendar: a country ("US", the default) or a country and region ("DE-BY"),
// "none", and days the entity adds itself.
import { packageOnUse } from '../../kit/packages/package-on-use.ts';

/** With the holidays of the whole world, a quarter of a second to load. */
const holidays = packageOnUse('date-holidays');

export const NO_CALENDAR = 'none';

/** Years whose holidays are worked out: a commit may claim any year, and a year takes milliseconds. */
export const HOLIDAY_YEARS = { first: 1970, last: 2100 } as const;
export const isHolidayYear = (year: number): boolean => year >= HOLIDAY_YEARS.first && year <= HOLIDAY_YEARS.last;

/** True for "none" and for every country or country-region that the holiday data knows. */
export function isHolidayCalendar(code: string): boolean {
  if (code === NO_CALENDAR) return true;
  const [country = '', ...region] = code.split('-');
  const known = new (holidays())();
  const countries: Record<string, string> = known.getCountries() ?? {};
  if (!(country.toUpperCase() in countries)) return false;
  if (region.length === 0) return true;
  const states: Record<string, string> | undefined = known.getStates(country);
  return states !== undefined && region.join('-').toUpperCase() in states;
}

/** The public holidays of one year as YYYY-MM-DD, substitute days included; none outside of the years above. */
export function holidaysOfYear(calendar: string, year: number): readonly string[] {
  if (calendar === NO_CALENDAR || !isHolidayYear(year)) return [];
  const [country = '', ...region] = calendar.split('-');
  const Holidays = holidays();
  const source = region.length > 0 ? new Holidays(country, region.join('-')) : new Holidays(country);
  const dates = (source.getHolidays(year) ?? [])
    .filter((day) => day.type === 'public')
    .map((day) => day.date.slice(0, 10));
  const missing = country.toUpperCase() === 'US' ? takenInstead(`${year}-11-11`) : null;
  return missing === null || dates.includes(missing) ? dates : [...dates, missing].toSorted();
}

/** The weekday on which US offices take a holiday that falls on a weekend. The data lack that of Veterans Day. */
function takenInstead(date: string): string | null {
  const time = Date.parse(`${date}T00:00:00Z`);
  const weekday = new Date(time).getUTCDay();
  if (weekday !== 0 && weekday !== 6) return null;
  return new Date(time + (weekday === 6 ? -1 : 1) * 86_400_000).toISOString().slice(0, 10);
}
