// What the server wrote into the page because every page of an entity asks for it first. It saves the calls: the first
// chart's own is the only one that is waited for.
import type { QueryClient } from '@tanstack/react-query';
import { type Imports, type Introspection, importsQuery, introspectionQuery, type Me, meQuery } from './queries.ts';

interface StartData {
  readonly entity: string;
  readonly answers: {
    readonly 'GET /me'?: Me;
    readonly 'GET /segment_introspections'?: Introspection;
    readonly 'GET /imports'?: Imports;
  };
}

export function takeStartData(queries: QueryClient): void {
  const element = document.getElementById('start-data');
  if (element === null) return;
  const { entity, answers } = JSON.parse(element.textContent) as StartData;
  element.remove();
  queries.setQueryData(meQuery.queryKey, answers['GET /me']);
  queries.setQueryData(introspectionQuery(entity).queryKey, answers['GET /segment_introspections']);
  queries.setQueryData(importsQuery(entity).queryKey, answers['GET /imports']);
}
