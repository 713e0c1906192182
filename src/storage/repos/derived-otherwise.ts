// Repos that were walked to the end under another derivation than the program has: their facts are old until they are
// walked anew.
import { type RawBuilder, sql } from 'kysely';
import type { Derivation } from '../../domain/commits/derivation.ts';

/** For a row of `repos` that is called `r`. */
export const isDerivedOtherwise = (derivation: Derivation): RawBuilder<boolean> =>
  sql`(r.derived_under is not null and r.derived_under <> ${JSON.stringify(derivation)}::jsonb)`;
