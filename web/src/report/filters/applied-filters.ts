// Which filters of the address a statistic's figures are narrowed by. Not every statistic tells AI providers apart; what
// does not says so wherever it stands, and nothing that leaves the page claims the filter.
import type { Report } from '../../api/queries.ts';
import { ignoresProvider } from '../../api/said-of-report.ts';
import type { View } from '../../url/view.ts';

/** Where there is little room. */
export const ALL_PROVIDERS = 'all AI providers';
export const ALL_PROVIDERS_WHY = 'All AI providers: this statistic does not tell them apart.';

/** Whether an AI provider is chosen and the figures are of all of them. */
export const isOfAllProviders = ({ ai }: Pick<View, 'ai'>, report: Report | undefined): boolean =>
  ai !== null && report !== undefined && ignoresProvider(report);

/** The view with the filters that the figures took. */
export const appliedView = (view: View, report: Report | undefined): View =>
  isOfAllProviders(view, report) ? { ...view, ai: null } : view;

/** The parameters of a report without those that had no effect. */
export function appliedParams<P extends { readonly ai_provider?: unknown }>(params: P, report: Report | undefined): P {
  if (report === undefined || !ignoresProvider(report)) return params;
  const { ai_provider: _, ...rest } = params;
  return rest as P;
}
