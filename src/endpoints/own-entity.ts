// The resource that is meant when a call names none: the entity of its token.
import type { Caller } from '../domain/access/caller.ts';
import type { ResourcePath } from '../domain/resource-path.ts';

export const ownEntity = (caller: Caller): ResourcePath => ({
  entity: caller.entity_slug,
  organization: null,
  repo: null,
});
