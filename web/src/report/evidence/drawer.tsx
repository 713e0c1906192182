// The records behind a point. The drawer stands beside the page, which stays usable, and has an address of
// its own: `at`, `tab` and `kind`.
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { evidenceQuery } from '../../api/queries.ts';
import { formatInterval } from '../../text/dates.ts';
import { formatCount, formatWithUnit } from '../../text/numbers.ts';
import { capitalize, wireWords } from '../../text/words.ts';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Switcher } from '../../ui/controls/switcher.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { parsePoint } from '../../url/view.ts';
import { Failed } from '../empty/failed.tsx';
import { hereWith, usePage } from '../page-context.ts';
import type { Figures } from '../use-report.ts';
import { kindOf } from './describe-record.ts';
import styles from './drawer.module.css';
import { evidenceOf, findPoint } from './find-point.ts';
import { HowComputed } from './how-computed.tsx';
import { RecordList } from './record-list.tsx';
import { RecordsFoot } from './records-foot.tsx';
import { isSamePoint, writeSumLine } from './sum-line.ts';

export function EvidenceDrawer({ figures }: { readonly figures: Figures }) {
  const page = usePage();
  const { at, tab } = page.view;
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new point takes the focus again
  useEffect(() => {
    if (panel.current?.contains(document.activeElement) === false) opener.current = document.activeElement;
    panel.current?.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => () => giveFocusBack(opener.current), []);
  const close = hereWith(page, { at: null, tab: 'records', kind: null });
  const found = at === null || figures.report === undefined ? null : findPoint(figures.report, parsePoint(at));
  // Records outside of a point go beyond what a report shows; the API lists them for admins.
  const mayListExcluded = page.entity.role === 'admin';
  const shownTab = tab === 'excluded' && !mayListExcluded ? 'records' : tab;

  return (
    <aside className={styles.drawer} ref={panel} tabIndex={-1} aria-labelledby="evidence-title" data-evidence="">
      <header className={styles.head}>
        <div>
          <p className={styles.over}>Records behind</p>
          <h2 id="evidence-title">{found === null ? 'this point' : found.title}</h2>
          {found === null ? null : <p className={styles.days}>{formatInterval(found.start, found.end, page.today)}</p>}
        </div>
        <LinkButton look="quiet" isIcon aria-label="Close the records" href={close} data-replace="">
          <X aria-hidden="true" />
        </LinkButton>
      </header>
      {figures.report === undefined ? (
        figures.error === null ? (
          <p className={styles.quiet}>Loading…</p>
        ) : (
          <Failed error={figures.error} />
        )
      ) : found === null ? (
        <Notice>This point is not part of the chart as it is now. Choose another one, or widen the range.</Notice>
      ) : (
        <Records
          key={found.url}
          figures={figures}
          value={found.value}
          query={found.query}
          tab={shownTab}
          mayListExcluded={mayListExcluded}
        />
      )}
    </aside>
  );
}

/** To what opened the drawer, or to the page where that is gone; whoever has gone elsewhere meanwhile stays there. */
function giveFocusBack(opener: Element | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const isThere = opener !== document.body && opener?.isConnected === true;
  const target = isThere ? opener : document.getElementById('main');
  if (target instanceof HTMLElement || target instanceof SVGElement) target.focus({ preventScroll: true });
}

interface RecordsProps {
  readonly figures: Figures;
  readonly value: number | null;
  readonly query: Readonly<Record<string, string>>;
  readonly tab: 'records' | 'excluded' | 'how';
  readonly mayListExcluded: boolean;
}

function Records({ figures, value, query, tab, mayListExcluded }: RecordsProps) {
  const page = usePage();
  const asked = evidenceOf(query, page.view.kind);
  const counted = useInfiniteQuery(evidenceQuery(asked));
  const wide = useInfiniteQuery({
    ...evidenceQuery({ ...asked, include_excluded: 'true' }),
    // Second: the sum and the records that make it up are what was clicked for.
    enabled: mayListExcluded && counted.data !== undefined,
  });
  const first = counted.data?.pages[0];
  const explanation = first?.explanation;
  const format = { unit: figures.segment.unit, precision: figures.segment.value_precision };
  if (counted.error !== null) return <Notice kind="error">{capitalize(counted.error.message)}</Notice>;
  if (first === undefined || explanation === undefined) return <p className={styles.quiet}>Loading…</p>;

  const line = writeSumLine(explanation, format);
  const agrees = isSamePoint(line.value, value, figures.segment.value_precision);
  const total = first.total_count;
  const wideTotal = wide.data?.pages[0]?.total_count;
  const excludedCount = wideTotal === undefined ? null : wideTotal - total;
  const kinds = [...new Set(explanation.parts.map((part) => part.resource_type))];
  const kind = kindOf(first);
  return (
    <>
      <p className={styles.sum} data-sum={line.value ?? ''} data-point={value ?? ''}>
        {line.text}
      </p>
      {agrees ? null : (
        <Notice kind="warning">
          The chart shows {formatWithUnit(value, format)}. Data arrived in between; reload to see both anew.
        </Notice>
      )}
      <Switcher
        look="tabs"
        label="Parts of the evidence"
        options={[
          tabOption('records', 'Records', formatCount(total)),
          ...(mayListExcluded
            ? [tabOption('excluded', 'Not counted', excludedCount === null ? undefined : formatCount(excludedCount))]
            : []),
          tabOption('how', 'How', undefined),
        ]}
      />
      {kinds.length > 1 && tab !== 'how' && (
        <Switcher
          label="Kinds of records"
          options={kinds.map((name) => ({
            key: name,
            text: capitalize(wireWords(name)),
            href: hereWith(page, { kind: name }),
            isCurrent: name === kind,
          }))}
        />
      )}
      {tab === 'how' ? (
        <HowComputed segment={figures.segment} explanation={explanation} />
      ) : tab === 'excluded' ? (
        <RecordList
          key="excluded"
          pages={wide.data?.pages ?? []}
          only="excluded"
          format={format}
          zone={page.entity.time_zone}
          hasMore={wide.hasNextPage}
          isLoading={wide.isFetching}
          onMore={() => void wide.fetchNextPage()}
        />
      ) : (
        <RecordList
          key="records"
          pages={counted.data?.pages ?? []}
          only="counted"
          format={format}
          zone={page.entity.time_zone}
          hasMore={counted.hasNextPage}
          isLoading={counted.isFetching}
          onMore={() => void counted.fetchNextPage()}
        />
      )}
      {tab === 'how' ? null : (
        <RecordsFoot
          key={`${tab} ${page.view.kind}`}
          list={{ query: asked, only: tab === 'excluded' ? 'excluded' : 'counted' }}
          count={tab === 'excluded' ? excludedCount : total}
          name={`${figures.segment.segment_em}-${tab === 'excluded' ? 'not-counted' : 'records'}`}
        />
      )}
    </>
  );

  function tabOption(name: 'records' | 'excluded' | 'how', text: string, count: string | undefined) {
    return {
      key: name,
      text,
      href: hereWith(page, { tab: name }),
      isCurrent: name === tab,
      ...(count === undefined ? {} : { count }),
    };
  }
}
