// A row of links of which one is the present: views, splits, tabs.
import styles from './switcher.module.css';

export interface SwitchOption {
  readonly key: string;
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: string;
}

interface SwitcherProps {
  readonly label: string;
  readonly options: readonly SwitchOption[];
  readonly look?: 'boxes' | 'tabs';
}

export function Switcher({ label, options, look = 'boxes' }: SwitcherProps) {
  return (
    <nav aria-label={label} className={styles[look]}>
      {options.map(({ key, text, href, isCurrent, count }) => (
        <a key={key} href={href} aria-current={isCurrent ? 'true' : undefined} data-replace="">
          {text}
          {count === undefined ? null : <span className={styles.count}>{count}</span>}
        </a>
      ))}
    </nav>
  );
}
