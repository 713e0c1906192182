// From when on a repo's commits are imported.
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import type { ImportRow } from '../../storage/repos/imports.ts';

const DAY_MS = 86_400_000;

/** Seconds since 1970. A refresh keeps the window that the import was made with. */
export function windowStart(
  row: Pick<ImportRow, 'wanted_from' | 'wants_all'>,
  processedFrom: string | null,
  isRefresh: boolean,
  settings: EntitySettings,
  now: Date,
): number | null {
  const toSeconds = (time: string) => Math.floor(Date.parse(time) / 1000);
  if (isRefresh) return processedFrom === null ? null : toSeconds(processedFrom);
  const starts: number[] = [];
  if (row.wanted_from !== null) starts.push(toSeconds(row.wanted_from));
  else if (!row.wants_all) {
    starts.push(Math.floor((now.getTime() - settings.import_window_days * DAY_MS) / 1000));
  }
  // Of whatever was asked for: the day begins where the entity is.
  if (settings.processing_starts_on !== null)
    starts.push(Math.floor(entityClock(settings).startOf(settings.processing_starts_on) / 1000));
  return starts.length === 0 ? null : Math.max(...starts);
}
