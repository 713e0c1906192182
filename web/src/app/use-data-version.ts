// When the data changed, what was shown becomes stale: reports, releases, defects, and what is available.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

const STALE = ['report', 'releases', 'defects', 'introspection', 'teams', 'developers'] as const;
const LEAST_MILLISECONDS = 2_000;

export function useDataVersion(entity: string, version: string | undefined): void {
  const queries = useQueryClient();
  const known = useRef<{ entity: string; version: string } | null>(null);
  const last = useRef(0);
  useEffect(() => {
    if (version === undefined) return;
    const before = known.current;
    known.current = { entity, version };
    if (before === null || before.entity !== entity || before.version === version) return;
    const wait = Math.max(0, last.current + LEAST_MILLISECONDS - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      for (const name of STALE) void queries.invalidateQueries({ queryKey: [name] });
    }, wait);
    return () => clearTimeout(timer);
  }, [entity, version, queries]);
}
