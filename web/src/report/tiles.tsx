// Statistics as cards, in rows of about equal length: a card alone in a row looks lost.
import type { CSSProperties } from 'react';
import type { Segment } from '../api/queries.ts';
import styles from './tile.module.css';
import { Tile } from './tile.tsx';

const MOST_IN_A_ROW = 5;

const columnsFor = (count: number): number => Math.ceil(count / Math.ceil(count / MOST_IN_A_ROW));

export function Tiles({ segments }: { readonly segments: readonly Segment[] }) {
  if (segments.length === 0) return null;
  return (
    <div className={styles.tiles} style={{ '--columns': columnsFor(segments.length) } as CSSProperties}>
      {segments.map((segment) => (
        <Tile key={segment.segment_em} segment={segment} />
      ))}
    </div>
  );
}
