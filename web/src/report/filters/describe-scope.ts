// Whose figures a chart shows, in words: for pictures, which have left the page.
import type { View } from '../../url/view.ts';
import type { PageContext } from '../page-context.ts';

/** `view` has the filters that the figures took. */
export function describeScope(view: View, { entity, names }: Pick<PageContext, 'entity' | 'names'>): string {
  const parts = [
    view.in ?? `all repos of ${entity.name}`,
    ...(view.team === null ? [] : [`team ${view.team}`]),
    ...(view.who === null ? [] : [view.who.split(',').join(', ')]),
    ...(view.ai === null ? [] : [providerName(view.ai, names)]),
  ];
  return parts.join(' · ');
}

export const providerName = (provider: string, names: Pick<PageContext['names'], 'ai_provider'>): string =>
  (names.ai_provider as Readonly<Record<string, string>>)[provider] ?? provider;
