// The button that says which days are shown.
import { CalendarDays } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import { daysOf, usePage } from '../../report/page-context.ts';
import { formatInterval } from '../../text/dates.ts';
import popup from '../../ui/popup/popup.module.css';
import { describeRange } from '../../url/range.ts';

export function RangeButton(
  props: ButtonHTMLAttributes<HTMLButtonElement> & { readonly ref?: React.Ref<HTMLButtonElement> },
) {
  const page = usePage();
  const { start, end } = daysOf(page);
  return (
    <button {...props} type="button" className={popup.trigger} data-range="">
      <CalendarDays aria-hidden="true" />
      {page.view.range.includes('..') ? (
        <span>{formatInterval(start, end, page.today)}</span>
      ) : (
        <span>
          {describeRange(page.view.range)}
          <span className={popup.detail}>: {formatInterval(start, end, page.today)}</span>
        </span>
      )}
    </button>
  );
}
