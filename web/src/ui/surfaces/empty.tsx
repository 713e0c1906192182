// An answer in place of a chart or a list: what is so, why, and one thing to do about it.
import { Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { useCopy } from '../controls/use-copy.ts';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** A line for a terminal that would do it. */
  readonly command?: string | null;
  readonly children?: ReactNode;
  readonly height?: number;
  /** For tests and styles: which reason it is. */
  readonly reason?: string;
}

/** A line that does it from a terminal, for whoever has a token; it is copied, not shown. */
export function CopyLine({ line }: { readonly line: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className={styles.action}>
      <Button onClick={() => copy('Line', line.replaceAll('$BASE', location.origin))}>
        <Terminal aria-hidden="true" /> {copied ?? 'Copy a line for the terminal'}
      </Button>
    </div>
  );
}

export function Empty({ title, text, command = null, children, height, reason }: EmptyProps) {
  return (
    <div className={styles.empty} data-empty={reason} style={height === undefined ? undefined : { minHeight: height }}>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{text}</p>
      {command === null ? null : <CopyLine line={command} />}
      {children === undefined || children === null ? null : <div className={styles.action}>{children}</div>}
    </div>
  );
}
