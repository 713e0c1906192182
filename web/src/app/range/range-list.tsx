// Ranges by name, and free days as two date fields of the browser.
import { Popover } from '@base-ui/react/popover';
import { Check } from 'lucide-react';
import { daysOf, hereWith, usePage } from '../../report/page-context.ts';
import popup from '../../ui/popup/popup.module.css';
import { RANGE_PRESETS } from '../../url/range.ts';
import styles from '../scope-bar.module.css';
import { RangeButton } from './range-button.tsx';

export function RangeList() {
  const page = usePage();
  const { view, today, go } = page;
  const days = daysOf(page);
  const choose = (start: string, end: string): void => {
    if (start === '' || end === '') return;
    go(hereWith(page, { range: start <= end ? `${start}..${end}` : `${end}..${start}`, at: null }));
  };
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger render={<RangeButton />} />
      <Popover.Portal>
        <Popover.Positioner className={popup.positioner} sideOffset={6} align="end" collisionPadding={8}>
          <Popover.Popup className={popup.popup} aria-label="Range">
            <ul>
              {RANGE_PRESETS.map(({ range, label }, index) => (
                <li key={range}>
                  <Popover.Close
                    nativeButton={false}
                    className={popup.item}
                    render={
                      <a
                        href={hereWith(page, { range, at: null })}
                        aria-current={view.range === range ? 'true' : undefined}
                      />
                    }
                  >
                    <span className={popup.check}>{view.range === range ? <Check aria-hidden="true" /> : null}</span>
                    <span className={popup.itemText}>{label}</span>
                    <span className={popup.hint}>{index + 1}</span>
                  </Popover.Close>
                </li>
              ))}
            </ul>
            <div className={popup.separator} />
            <div className={styles.days}>
              <label>
                First day
                <input
                  type="date"
                  value={days.start}
                  max={today}
                  onChange={(event) => choose(event.target.value, days.end)}
                />
              </label>
              <label>
                Last day
                <input
                  type="date"
                  value={days.end}
                  max={today}
                  onChange={(event) => choose(days.start, event.target.value)}
                />
              </label>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
