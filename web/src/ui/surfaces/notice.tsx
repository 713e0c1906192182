// A remark above or below what it is about.
import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  readonly kind?: 'plain' | 'warning' | 'error' | 'good';
  readonly children: ReactNode;
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  return (
    <div className={styles[kind]} role={kind === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  );
}
