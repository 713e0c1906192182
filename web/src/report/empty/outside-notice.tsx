// Above tiles that are all 0 because the newest commit is older than the days shown.
import { formatDay } from '../../text/dates.ts';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { daysOf, hereWith, usePage } from '../page-context.ts';
import { lastDaysOf } from './why-empty.ts';

export function OutsideNotice() {
  const page = usePage();
  const { first_on: first, last_on: last } = page.imports.data;
  const { start, end } = daysOf(page);
  if (first === null || last === null || (start <= last && end >= first)) return null;
  return (
    <Notice>
      There are commits from {formatDay(first)} to {formatDay(last)}, and none in the days shown.{' '}
      <a href={hereWith(page, { range: lastDaysOf(first, last) })}>Show the last days with commits</a>
    </Notice>
  );
}
