// A defect as the list shows it: times for people, spans, and the description as HTML.

import { humanTime, shortDate, timeInWords } from '../../domain/calendar/human-time.ts';
import type { TimelineKey } from '../../domain/delivery/defect-times.ts';
import { renderMarkdown } from '../../kit/text/render-markdown.ts';
import type { ListedDefect } from '../../storage/delivery/defects.ts';

export interface TimelinePiece {
  readonly title: string;
  readonly hours: number | null;
  readonly key: TimelineKey;
}

export interface DefectRecord {
  readonly id: number;
  readonly defectKey: string;
  readonly customerDefectIdentifier: string | null;
  readonly detectedAt: string;
  readonly detectedAtWords: string;
  readonly detectedAtVisibleTimestamp: string;
  readonly firstFixActivityAt: string | null;
  readonly firstFixReleasedAt: string | null;
  readonly finalFixReleasedAt: string | null;
  readonly resolvedAt: string | null;
  readonly hoursToFirstActivity: number | null;
  readonly minutesToFirstActivity: number | null;
  readonly minutesActivityToDeploy: number | null;
  readonly minutesToResolved: number | null;
  readonly htmlDescription: string;
  readonly severity: number | null;
  readonly path: string;
  readonly repoPaths: string[];
  readonly timelineHours: TimelinePiece[];
  readonly issueTracker: {
    readonly issueIdentifier: string;
    readonly projectName: string;
    readonly url: string;
    readonly title: string;
  } | null;
}

const MINUTE_MS = 60_000;

/** Wall-clock minutes; the stored times are in order, so they are never negative. */
const minutesBetween = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / MINUTE_MS;
const whole = (minutes: number | null): number | null => (minutes === null ? null : Math.floor(minutes));
const hours = (minutes: number | null): number | null => (minutes === null ? null : Math.round(minutes / 0.6) / 100);

function timelineOf(row: ListedDefect, now: Date): TimelinePiece[] {
  const isReleased = row.first_fix_released_at !== null;
  const sinceActivity = minutesBetween(row.last_activity_at, now.toISOString());
  const waiting = sinceActivity === null ? null : Math.max(0, sinceActivity);
  return [
    {
      title: 'Detection to first activity',
      hours: hours(minutesBetween(row.detected_at, row.first_activity_at)),
      key: 'hours_to_first_activity',
    },
    {
      title: 'First activity to first merged fix',
      hours: hours(minutesBetween(row.first_activity_at, row.first_fix_merged_at)),
      key: 'first_fix_merged_at',
    },
    isReleased
      ? {
          title: 'Last activity to first release',
          hours: hours(minutesBetween(row.last_activity_at, row.first_fix_released_at)),
          key: 'activity_to_first_release',
        }
      : { title: 'Last activity to now', hours: hours(waiting), key: 'activity_to_now' },
    {
      title: 'First release to final release',
      hours: hours(minutesBetween(row.first_fix_released_at, row.final_fix_released_at)),
      key: 'first_release_to_final_release',
    },
  ];
}

export function defectToRecord(row: ListedDefect, entity: string, zone: string, now: Date): DefectRecord {
  const human = (time: string | null) => (time === null ? null : humanTime(time, zone));
  const toActivity = minutesBetween(row.detected_at, row.first_activity_at);
  return {
    id: row.id,
    defectKey: row.defect_key,
    customerDefectIdentifier: row.category,
    detectedAt: humanTime(row.detected_at, zone),
    detectedAtWords: timeInWords(row.detected_at, now),
    detectedAtVisibleTimestamp: shortDate(row.detected_at, zone),
    firstFixActivityAt: human(row.first_activity_at),
    firstFixReleasedAt: human(row.first_fix_released_at),
    finalFixReleasedAt: human(row.final_fix_released_at),
    resolvedAt: human(row.final_fix_released_at),
    hoursToFirstActivity: hours(toActivity),
    minutesToFirstActivity: whole(toActivity),
    minutesActivityToDeploy: whole(minutesBetween(row.last_activity_at, row.first_fix_released_at)),
    minutesToResolved: whole(minutesBetween(row.detected_at, row.final_fix_released_at)),
    htmlDescription: row.description === null ? '' : renderMarkdown(row.description),
    severity: row.severity,
    path: `/${entity}/critical_defects/${encodeURIComponent(row.defect_key)}`,
    repoPaths: row.repo_paths,
    timelineHours: timelineOf(row, now),
    issueTracker:
      row.issue_key === null
        ? null
        : {
            issueIdentifier: row.issue_key,
            projectName: row.issue_project_name ?? '',
            url: row.issue_url ?? '',
            title: row.issue_title ?? '',
          },
  };
}
