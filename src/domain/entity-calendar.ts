// The business calendar that an entity's settings describe.
import type { BusinessCalendar } from './business-time.ts';
import type { EntitySettings } from './entity-settings.ts';

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

export function entityCalendar(settings: EntitySettings): BusinessCalendar {
  const [opens = '', closes = ''] = settings.business_hours.split('-');
  return {
    zone: settings.time_zone,
    opensAtMinute: minuteOf(opens),
    closesAtMinute: minuteOf(closes),
    holidayCalendar: settings.holiday_calendar,
    extraHolidays: settings.extra_holidays,
  };
}
