// The view that an address asks for, without what this server does not know: an AI provider of another version, or a
// mistyped one, is not shown as if it narrowed anything.
import { parseView, type View } from '../../url/view.ts';
import type { DisplayNames } from '../page-context.ts';

export function parseKnownView(search: string, names: Pick<DisplayNames, 'ai_provider'>): View {
  const view = parseView(search);
  return view.ai === null || Object.hasOwn(names.ai_provider, view.ai) ? view : { ...view, ai: null };
}
