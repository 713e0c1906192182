// Whose figures a page shows, in words: for captions, pictures and titles.
import type { PageContext } from './page-context.ts';

export function describeScope({ view, entity, names }: PageContext): string {
  const parts = [
    view.in ?? `all repos of ${entity.name}`,
    ...(view.team === null ? [] : [`team ${view.team}`]),
    ...(view.who === null ? [] : [view.who.split(',').join(', ')]),
    ...(view.ai === null ? [] : [(names.ai_provider as Readonly<Record<string, string>>)[view.ai] ?? view.ai]),
  ];
  return parts.join(' · ');
}
