// Sends for what a statistic's page will show as soon as its address is known, before anything of it is drawn.
import type { QueryClient } from '@tanstack/react-query';
import { evidenceQuery, importsQuery, introspectionQuery, meQuery, reportQuery } from '../api/queries.ts';
import { firstEvidence, firstQuestion } from '../report/first-question.ts';

const STATISTIC = /^\/e\/([^/]+)\/s\/([^/]+)$/;

/** Does nothing on other pages, and as long as the entity is unknown. */
export function requestAhead(queries: QueryClient, { pathname, search }: { pathname: string; search: string }): void {
  const [, entity, segment] = STATISTIC.exec(pathname) ?? [];
  if (entity === undefined || segment === undefined) return;
  const me = queries.getQueryData(meQuery.queryKey);
  const introspection = queries.getQueryData(introspectionQuery(entity).queryKey);
  const imports = queries.getQueryData(importsQuery(entity).queryKey);
  if (me === undefined || introspection === undefined || imports === undefined) return;
  const question = firstQuestion({ me, introspection, imports, now: new Date() }, { entity, segment, search });
  if (question === null) return;
  void queries.prefetchQuery(reportQuery(question));
  const evidence = firstEvidence(queries.getQueryData(reportQuery(question).queryKey), search);
  if (evidence !== null) void queries.prefetchInfiniteQuery(evidenceQuery(evidence));
}
