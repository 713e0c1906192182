// Public holidays of a calendar: a country ("US", the default) or a country and region ("DE-BY"),
// "none", and days the entity adds itself.
import Holidays from 'date-holidays';

export const NO_CALENDAR = 'none';

/** True for "none" and for every country or country-region that the holiday data knows. */
export function isHolidayCalendar(code: string): boolean {
  if (code === NO_CALENDAR) return true;
  const [country = '', ...region] = code.split('-');
  const known = new Holidays();
  const countries: Record<string, string> = known.getCountries() ?? {};
  if (!(country.toUpperCase() in countries)) return false;
  if (region.length === 0) return true;
  const states: Record<string, string> | undefined = known.getStates(country);
  return states !== undefined && region.join('-').toUpperCase() in states;
}

/** The public holidays of one year as YYYY-MM-DD, substitute days included. */
export function holidaysOfYear(calendar: string, year: number): readonly string[] {
  if (calendar === NO_CALENDAR) return [];
  const [country = '', ...region] = calendar.split('-');
  const source = region.length > 0 ? new Holidays(country, region.join('-')) : new Holidays(country);
  return (source.getHolidays(year) ?? []).filter((day) => day.type === 'public').map((day) => day.date.slice(0, 10));
}
