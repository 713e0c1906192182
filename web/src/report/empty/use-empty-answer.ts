// Why figures have nothing to show, from all that the page knows.
import { useQuery } from '@tanstack/react-query';
import { teamsQuery } from '../../api/queries.ts';
import { appliedView } from '../filters/applied-filters.ts';
import { providerName } from '../filters/describe-scope.ts';
import { usePage } from '../page-context.ts';
import type { Figures } from '../use-report.ts';
import { type EmptyAnswer, explainEmpty } from './why-empty.ts';

export function useEmptyAnswer({ segment, report, days }: Figures): EmptyAnswer {
  const { view: asked, imports, entity, names } = usePage();
  const view = appliedView(asked, report);
  const { data: teams } = useQuery({ ...teamsQuery(entity.slug), enabled: view.team !== null });
  const range = report?.context.data ?? imports.data;
  return explainEmpty({
    segment,
    report,
    repos: imports.repos,
    firstDay: range.first_on,
    lastDay: range.last_on,
    days,
    view,
    teamName: teams?.teams?.find(({ slug }) => slug === view.team)?.name ?? null,
    providerName: view.ai === null ? null : providerName(view.ai, names),
  });
}
