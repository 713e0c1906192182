// Records of a point, 50 a page; more come when the end is near. Only the rows in sight are in the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { Audit } from '../../api/queries.ts';
import { formatMoment } from '../../text/dates.ts';
import { formatValue, type ValueFormat } from '../../text/numbers.ts';
import { capitalize, wireWords } from '../../text/words.ts';
import { describeRecord, type EvidenceRecord, readRecords } from './describe-record.ts';
import styles from './drawer.module.css';

interface RecordListProps {
  readonly pages: readonly Audit[];
  readonly only: 'counted' | 'excluded';
  readonly format: ValueFormat;
  readonly zone: string;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

const ROW_HEIGHT = 54;
const ROWS_AHEAD = 8;

export function RecordList({ pages, only, format, zone, hasMore, isLoading, onMore }: RecordListProps) {
  // Not anew with each row that comes into sight: there may be thousands.
  const [records, largest] = useMemo(() => {
    const wanted = pages
      .flatMap(readRecords)
      .filter(({ excluded_because: why }) => (why !== undefined) === (only === 'excluded'));
    return [wanted, wanted.reduce((most, { contribution }) => Math.max(most, Math.abs(contribution ?? 0)), 0)];
  }, [pages, only]);
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: ROWS_AHEAD,
    // Rows are in the first drawing, not only after the list was measured.
    initialRect: { width: 0, height: window.innerHeight },
  });
  const items = rows.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && !isLoading && lastSeen >= records.length - ROWS_AHEAD) onMore();
  }, [hasMore, isLoading, lastSeen, records.length, onMore]);

  if (records.length === 0 && !isLoading && !hasMore) {
    return (
      <p className={styles.quiet}>
        {only === 'excluded' ? 'Everything in these days counts.' : 'No record: the value is a true zero.'}
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label="Records">
      <ul className={styles.records} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <li key={index} className={styles.record} style={{ transform: `translateY(${start}px)` }}>
            <Row record={describeRecord(records[index]!)} format={format} zone={zone} largest={largest} />
          </li>
        ))}
      </ul>
      {isLoading && <p className={styles.quiet}>Loading…</p>}
    </section>
  );
}

function Row({
  record,
  format,
  zone,
  largest,
}: {
  record: EvidenceRecord;
  format: ValueFormat;
  zone: string;
  largest: number;
}) {
  const share = largest === 0 ? 0 : Math.abs(record.contribution ?? 0) / largest;
  const when =
    record.moment === null ? [] : [record.moment.length === 10 ? record.moment : formatMoment(record.moment, zone)];
  return (
    <>
      <p className={styles.recordTitle}>
        {record.code === null ? null : <code>{record.code}</code>}
        <span title={record.title}>{record.title}</span>
        {record.excludedBecause === null && record.contribution !== null ? (
          <b>
            {formatValue(record.contribution, {
              unit: '',
              precision: Math.max(format.precision, Number.isInteger(record.contribution) ? 0 : 2),
            })}
          </b>
        ) : null}
      </p>
      <p className={styles.recordDetail}>
        <span>{[...record.detail, ...when].join(' · ')}</span>
        {record.excludedBecause === null ? (
          <span className={styles.share} aria-hidden="true">
            <span style={{ width: `${Math.round(share * 100)}%` }} />
          </span>
        ) : (
          <span className={styles.why}>{capitalize(wireWords(record.excludedBecause))}</span>
        )}
      </p>
    </>
  );
}
