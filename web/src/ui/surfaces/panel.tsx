// A part of a page: heading, controls at its right, content.
import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  readonly title: ReactNode;
  readonly controls?: ReactNode;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, controls, note, children }: PanelProps) {
  return (
    <section className={styles.panel}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {note === undefined ? null : <p className={styles.note}>{note}</p>}
        {controls === undefined ? null : <div className={styles.controls}>{controls}</div>}
      </header>
      {children}
    </section>
  );
}
