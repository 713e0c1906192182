// The business calendar that an entity's settings describe.

import type { EntitySettings } from '../access/entity-settings.ts';
import { type BusinessCalendar, type BusinessClock, createBusinessClock } from './business-time.ts';

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

const MOST_CLOCKS = 100;
const clocks = new Map<string, BusinessClock>();

/** One clock per calendar: the holidays of a year take far longer to find than anything asked of them. */
export function entityClock(settings: EntitySettings): BusinessClock {
  const calendar = entityCalendar(settings);
  const key = JSON.stringify(calendar);
  let clock = clocks.get(key);
  if (clock === undefined) {
    if (clocks.size >= MOST_CLOCKS) clocks.clear();
    clock = createBusinessClock(calendar);
    clocks.set(key, clock);
  }
  return clock;
}
