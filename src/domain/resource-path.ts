// `<entity>[/<organization>[/<repo>]]`, several comma-delimited when they share the entity. Where a code host has
// groups in groups, the organization has slashes of its own: the first part is the entity and the last the repo.
import { StrataError } from './errors.ts';

export interface ResourcePath {
  readonly entity: string;
  readonly organization: string | null;
  readonly repo: string | null;
}

export type ResourceLevel = 'entity' | 'organization' | 'repo';

// Host names of repos may hold dots and blanks, but never be the dots that mean a folder.
const SLUG = /^(?!\.\.?$)[\p{L}\p{N}._~-][\p{L}\p{N}._~ -]{0,254}$/u;

/** GitLab nests groups twenty deep. */
const MOST_PARTS = 22;

export const levelOf = (path: ResourcePath): ResourceLevel =>
  path.repo !== null ? 'repo' : path.organization !== null ? 'organization' : 'entity';

export const formatResourcePath = (path: ResourcePath): string =>
  [path.entity, path.organization, path.repo].filter((part) => part !== null).join('/');

/** One path. Throws a StrataError that says what is wrong and what would be accepted. */
export function parseResourcePath(text: string): ResourcePath {
  const parts = text
    .trim()
    .replace(/^\/|\/$/g, '')
    .split('/');
  const [entity, ...named] = parts;
  if (!entity || parts.length > MOST_PARTS || !parts.every((part) => SLUG.test(part))) {
    throw new StrataError(
      'invalid_parameter',
      `"${text.slice(0, 200)}" is not a resource path; expected <entity>[/<organization>[/<repo>]]`,
    );
  }
  const repo = named.length > 1 ? named.pop()! : null;
  return { entity, organization: named.length === 0 ? null : named.join('/'), repo };
}

/** A comma-delimited list of paths of one entity. */
export function parseResourcePaths(text: string): ResourcePath[] {
  const paths = text.split(',').map(parseResourcePath);
  const foreign = paths.find((path) => path.entity !== paths[0]!.entity);
  if (foreign) {
    throw new StrataError(
      'invalid_parameter',
      `all resource paths must belong to one entity; "${formatResourcePath(foreign)}" is not in "${paths[0]!.entity}"`,
    );
  }
  return paths;
}
