// Which entity a super admin's provisioning goes to: the named one, made when there is none; without a
// name the person's own, made when they have none.
import { StrataError } from '../../../domain/errors.ts';
import { findActiveEntity, insertEntity } from '../../../storage/access/entities.ts';
import { listMemberships, type UserRow } from '../../../storage/access/users.ts';
import type { Database } from '../../../storage/database/handle.ts';
import { checkEntitySlug } from '../entities.ts';

export interface ChosenEntity {
  readonly id: number;
  readonly slug: string;
  readonly isNew: boolean;
}

const MOST_TRIES = 100;

/** In a transaction that holds the user's row, so that two calls at once make one entity. */
export const chooseEntity = (db: Database, user: UserRow, slug: string | undefined): Promise<ChosenEntity> =>
  slug === undefined ? chooseOwn(db, user) : chooseNamed(db, slug);

async function chooseNamed(db: Database, slug: string): Promise<ChosenEntity> {
  const existing = await findActiveEntity(db, slug);
  if (existing !== null) return { id: existing.id, slug, isNew: false };
  checkEntitySlug(slug, 'entity_slug');
  const created = await insertEntity(db, { slug, name: slug });
  if (created !== null) return { id: created.id, slug, isNew: true };
  // Made by somebody else a moment ago, or on its way out.
  const other = await findActiveEntity(db, slug);
  if (other !== null) return { id: other.id, slug, isNew: false };
  throw new StrataError('conflict', `the entity ${slug} was removed or is being removed; choose another entity_slug`, {
    errors: { entity_slug: ['is taken by an entity that was removed'] },
  });
}

async function chooseOwn(db: Database, user: UserRow): Promise<ChosenEntity> {
  const slugs = (await listMemberships(db, [user.id])).map(({ entity }) => entity);
  const [only] = slugs;
  if (slugs.length > 1) {
    throw new StrataError(
      'unprocessable',
      `${user.email} belongs to ${slugs.length} entities; name one of them in entity_slug: ${slugs.join(', ')}`,
      { errors: { entity_slug: [`is missing; expected one of ${slugs.join(', ')}`] } },
    );
  }
  if (only !== undefined) return chooseNamed(db, only);
  const base = slugFromEmail(user.email);
  for (let number = 1; number <= MOST_TRIES; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    const created = await insertEntity(db, { slug, name: user.full_name ?? user.email });
    if (created !== null) return { id: created.id, slug, isNew: true };
  }
  throw new StrataError('conflict', `the slugs ${base} to ${base}-${MOST_TRIES} are taken; send entity_slug`, {
    errors: { entity_slug: ['is missing'] },
  });
}

/** `Ada.Lovelace+x@example.com` → `ada.lovelace-x`. */
export function slugFromEmail(email: string): string {
  const name = (email.split('@')[0] ?? '').toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  const trimmed = name
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 60)
    .replace(/[^a-z0-9]+$/, '');
  return trimmed === '' ? 'user' : trimmed;
}
