// Above tiles that have nothing because of the days: the newest commit is older, or the import begins later.
import type { Segment } from '../../api/queries.ts';
import { importedFrom } from '../../api/said-of-report.ts';
import { formatDay } from '../../text/dates.ts';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { daysOf, hereWith, usePage } from '../page-context.ts';
import { TILE_OPTIONS } from '../tile.tsx';
import { useReport } from '../use-report.ts';
import { IMPORT_FURTHER_BACK, lastDaysOf, notImportedBefore } from './why-empty.ts';

/** `segments`: the tiles below. One of commits says from when on they are imported. */
export function OutsideNotice({ segments }: { readonly segments: readonly Segment[] }) {
  const page = usePage();
  const { first_on: first, last_on: last } = page.imports.data;
  const { start, end } = daysOf(page);
  const ofCommits = segments.find(
    ({ is_available: isAvailable, data_requirements: kinds }) =>
      isAvailable && kinds.some((kind) => kind === 'commits'),
  );
  if (first === null || last === null || ofCommits === undefined || (start <= last && end >= first)) return null;
  return start > last ? (
    <Notice>
      There are commits from {formatDay(first)} to {formatDay(last)}, and none in the days shown.{' '}
      <a href={hereWith(page, { range: lastDaysOf(first, last) })}>Show the last days with commits</a>
    </Notice>
  ) : (
    <BeforeNotice segment={ofCommits} first={first} last={last} />
  );
}

interface BeforeProps {
  readonly segment: Segment;
  readonly first: string;
  readonly last: string;
}

function BeforeNotice({ segment, first, last }: BeforeProps) {
  const page = usePage();
  const { report } = useReport(segment, 'none', TILE_OPTIONS);
  if (report === undefined) return null;
  const from = importedFrom(report);
  return (
    <Notice>
      {from === null
        ? `The first commit is of ${formatDay(first)}, after the days shown.`
        : `${notImportedBefore(from)}. ${IMPORT_FURTHER_BACK}`}{' '}
      <a href={hereWith(page, { range: lastDaysOf(first, last) })}>Show the last days with commits</a>
    </Notice>
  );
}
