// A link may name a repo, a team or a person that is gone. Asking again brings nothing: the name has to leave the filter.
import { CallError } from '../../api/call.ts';
import type { View } from '../../url/view.ts';
import type { PageContext } from '../page-context.ts';
import { resourcePath } from '../report-params.ts';

export interface GoneFilter {
  readonly title: string;
  readonly why: string;
  readonly action: { readonly label: string; readonly change: Partial<View> };
}

interface Filter {
  readonly key: 'in' | 'team' | 'who';
  readonly parameter: string;
  /** How the server's sentence has a name that it does not know. */
  readonly writings: (name: string, entity: string) => readonly string[];
  readonly title: (names: string) => string;
  readonly why: string;
}

const FILTERS: readonly Filter[] = [
  {
    key: 'in',
    parameter: 'resource_path',
    writings: (name, entity) => [';', ' yet;'].map((end) => ` ${resourcePath(entity, name)}${end}`),
    title: (names) => `There is no ${names} here`,
    why: 'It may have been removed or renamed, or its import is not complete.',
  },
  {
    key: 'team',
    parameter: 'team_slug',
    writings: (name) => [`"${name}"`],
    title: (names) => `There is no team ${names} here`,
    why: 'It may have been deleted.',
  },
  {
    key: 'who',
    parameter: 'committer_user_name',
    writings: (name) => [`"${name}"`],
    title: (names) => `Nobody here is known as ${names}`,
    why: 'People are known by the commits of imported repos.',
  },
];

const NOT_FOUND = 404;
const UNPROCESSABLE = 422;

/** The filter of the view that the server does not know, by its answer; null where something else went wrong. */
export function findGoneFilter(
  error: Error,
  { view, entity }: Pick<PageContext, 'view'> & { readonly entity: Pick<PageContext['entity'], 'slug'> },
): GoneFilter | null {
  if (!(error instanceof CallError) || (error.status !== NOT_FOUND && error.status !== UNPROCESSABLE)) return null;
  const refused = Object.keys(error.answer?.errors ?? {});
  // A path that is unknown is told without its parameter.
  if (refused.length === 0 && error.status === NOT_FOUND) refused.push('resource_path');
  const filter = FILTERS.find(({ key, parameter }) => view[key] !== null && refused.includes(parameter));
  if (filter === undefined) return null;
  const { key, writings, title, why } = filter;
  const names = view[key]!.split(',').map((name) => name.trim());
  const isTold = (name: string): boolean => writings(name, entity.slug).some((text) => error.message.includes(text));
  const told = names.filter(isTold);
  const gone = told.length === 0 ? names : told;
  const left = names.filter((name) => !gone.includes(name));
  return {
    title: title(gone.join(' or ')),
    why,
    action:
      left.length === 0
        ? { label: 'Remove the filter', change: { [key]: null, at: null } }
        : { label: 'Remove from the filter', change: { [key]: left.join(','), at: null } },
  };
}
