// What the examples of docs/api/ speak of: the repo acme/shop/website with two commits of Ada, and acme/shop/api
// with one of Kay.

import { addCommit, addPerson } from '../operations/people/people-kit.ts';
import { seedCommits, seedCommitter, seedEntityId, seedRepo } from '../operations/seed-records.ts';
import type { TestApp } from '../support/app.ts';

export async function seedDocsRecords({ store, entity }: TestApp): Promise<void> {
  const entityId = await seedEntityId(store, entity);
  const repoId = await seedRepo(store, entityId, 'shop/website');
  const ada = { userName: 'ada', email: 'ada@example.com', providerId: '4711' };
  const adaId = await seedCommitter(store, entityId, ada);
  await seedCommits(store, entityId, repoId, adaId, [
    { name: 'website start', at: '2026-10-01T10:00:00Z' },
    { name: 'website repair', at: '2026-10-05T12:30:00Z' },
  ]);
  const kayId = await addPerson(store, entityId, { name: 'kay' });
  await addCommit(store, entityId, kayId, 'shop/api', '2026-10-06T09:00:00Z');
}
