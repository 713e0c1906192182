// How a value moved: arrow, amount, and a colour only where one direction is better.
import type { Change } from '../../text/numbers.ts';
import styles from './change-mark.module.css';

const ARROWS = { up: '▲', down: '▼', same: '＝' } as const;
const WORDS = { up: 'up', down: 'down', same: '' } as const;

export function ChangeMark({ change }: { readonly change: Change | null }) {
  if (change === null) return null;
  const look = change.isBetter === null ? styles.plain : change.isBetter ? styles.better : styles.worse;
  return (
    <span className={look}>
      {change.direction === 'same' ? null : (
        <>
          <span aria-hidden="true" className={styles.arrow}>
            {ARROWS[change.direction]}
          </span>
          <span className="visually-hidden">{WORDS[change.direction]}</span>
        </>
      )}
      {change.text}
    </span>
  );
}
