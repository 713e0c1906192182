// What the HTTP layer itself needs of the operations; endpoints see the whole object.
import type { Caller, Role } from '../domain/caller.ts';
import type { ResourcePath } from '../domain/resource-path.ts';

export interface Operations {
  readonly tokens: {
    /** The token's owner and rights, or null when there is no such valid token. */
    authenticate(secret: string): Promise<Caller | null>;
  };
  readonly entities: {
    /** Throws not_found for what the caller may not know of, forbidden for what needs a higher role. */
    requireAccess(caller: Caller, paths: readonly ResourcePath[], role: Role): Promise<void>;
    /** IANA zone that times without one are read in. */
    timeZone(caller: Caller): Promise<string>;
  };
}
