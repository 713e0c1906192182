// Fetches the records of a point that the pointer rests on or presses, so that the drawer opens with them.
import { useQueryClient } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useRef } from 'react';
import { evidenceQuery, type Report } from '../../api/queries.ts';
import { firstEvidence } from '../first-question.ts';

/** A pointer that only passes by asks for nothing. */
const REST_MILLISECONDS = 60;

interface Handlers {
  readonly onPointerOver: (event: PointerEvent) => void;
  readonly onPointerOut: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
}

export function usePrefetch(report: Report | undefined): Handlers {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const fetchOf = (event: PointerEvent): void => {
    const href = (event.target as Element).closest('a[href*="at="]')?.getAttribute('href');
    if (href === null || href === undefined) return;
    const evidence = firstEvidence(report, href.slice(href.indexOf('?')));
    if (evidence !== null) void queries.prefetchInfiniteQuery(evidenceQuery(evidence));
  };
  return {
    onPointerOver: (event) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(fetchOf, REST_MILLISECONDS, event);
    },
    onPointerOut: () => clearTimeout(timer.current),
    onPointerDown: (event) => {
      clearTimeout(timer.current);
      if (event.button === 0) fetchOf(event);
    },
  };
}
