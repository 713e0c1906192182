// The calendar of an entity that has set nothing.
import type { BusinessCalendar } from '../../src/domain/calendar/business-time.ts';

export const DEFAULT_BUSINESS_CALENDAR: BusinessCalendar = {
  zone: 'UTC',
  opensAtMinute: 9 * 60,
  closesAtMinute: 17 * 60,
  holidayCalendar: 'US',
  extraHolidays: [],
};
