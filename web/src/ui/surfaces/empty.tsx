// An answer in place of a chart or a list: what is so, why, and one thing to do about it.
import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  readonly command?: string | null;
  readonly children?: ReactNode;
  readonly height?: number;
  /** For tests and styles: which reason it is. */
  readonly reason?: string;
}

export function Empty({ title, text, command = null, children, height, reason }: EmptyProps) {
  return (
    <div className={styles.empty} data-empty={reason} style={height === undefined ? undefined : { minHeight: height }}>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{text}</p>
      {command === null ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <pre className={styles.command} tabIndex={0}>
          {command}
        </pre>
      )}
      {children === undefined || children === null ? null : <div className={styles.action}>{children}</div>}
    </div>
  );
}
