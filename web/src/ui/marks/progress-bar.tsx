// How far something is.
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  readonly label: string;
  readonly percent: number;
}

export function ProgressBar({ label, percent }: ProgressBarProps) {
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={styles.done} style={{ width: `${Math.max(1, percent)}%` }} />
    </div>
  );
}
