// After an import: what the repo's host knows of it is collected from now on.
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import type { Collectors } from '../../domain/collect/stream.ts';
import type { RepoPath } from '../../domain/repos/source.ts';
import { findHostedPlace } from '../../storage/collect/scopes.ts';
import { ensureStreams } from '../../storage/collect/streams.ts';
import type { Database } from '../../storage/database/handle.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import { findHostedRepo, type HostedKey } from '../../storage/repos/provider-connections.ts';
import { updateRepo } from '../../storage/repos/repos.ts';

export interface ImportedRepo {
  readonly entityId: number;
  readonly repoId: number;
  readonly path: RepoPath;
  /** How far back the import goes; null takes everything. */
  readonly since: Date | null;
}

/** In the caller's transaction. Does nothing for a repo that no code host has. */
export async function startCollecting(
  db: Database,
  collectors: Collectors,
  { entityId, repoId, path, since }: ImportedRepo,
  now: Date,
): Promise<void> {
  const wanted = { ...path, stored: { id: repoId } };
  const place = await findHostedPlace(db, entityId, wanted);
  if (place === undefined) return;
  const streams = collectors.streamsOf(place.git_provider_em);
  if (streams.length === 0) return;
  const { host_key: hostKey, external_id, organization_external_id } = place;
  await updateRepo(db, entityId, repoId, { host_key: hostKey, external_id });
  const ofRepo = streams.filter(({ scope }) => scope === 'repo');
  await ensureStreams(db, { entityId, hostKey, repoId }, ofRepo, { since, now });
  const ofOrganization = streams.filter(({ scope }) => scope === 'organization');
  if (organization_external_id !== null && ofOrganization.length > 0) {
    const organization = { entityId, hostKey, organizationExternalId: organization_external_id };
    await ensureStreams(db, organization, ofOrganization, { since: null, now });
  }
  await queueConnections(db, entityId, wanted);
}

/** Every connection that sees the repo: they share the work. */
async function queueConnections(db: Database, entityId: number, path: HostedKey): Promise<void> {
  for (const { connection } of await findHostedRepo(db, entityId, path)) {
    const payload = { entity_id: entityId, source: 'host' as const, connection_id: connection.id };
    await enqueue(db, 'collect', payload, collectQueueOptions(payload));
  }
}
