// Deployments of classic releases. They belong to a project; those whose release was made of this repo are the repo's, by the
// commit that its build or its own branch had. The list is ordered by number, which never changes, and asked for what was
// modified since.
import { readTime } from '../../../domain/collect/read-time.ts';
import { OVERLAP_MINUTES, type Stream } from '../../../domain/collect/stream.ts';
import type { CollectedDeployment } from '../../../domain/delivery/host-delivery.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { identityToAccount } from './accounts.ts';
import { oneBuild, releaseDeployments } from './collect-answers.ts';
import type { AzureCollectClient } from './collect-client.ts';

type Deployment = ReturnType<typeof releaseDeployments.parse>['value'][number];
type Artifact = NonNullable<NonNullable<Deployment['release']>['artifacts']>[number];

export const deployments: Stream<AzureCollectClient> = {
  name: 'deployments',
  scope: 'repo',
  order: 'oldest_first',
  resource: 'api',
  priority: 4,
  everyMinutes: 120,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'Release (read)', brings: 'deployments of classic releases' },
  async page({ client, scope, cursor, since, pageSize, signal }) {
    const project = await client.projectOf(scope.external_id, signal);
    const continuationToken = typeof cursor?.after === 'string' ? cursor.after : null;
    const { body, headers } = await client.getRelease(
      `/${pathPart(project)}/_apis/release/deployments`,
      {
        queryOrder: 'ascending',
        minModifiedTime: since?.toISOString() ?? null,
        $top: pageSize,
        continuationToken,
      },
      signal,
    );
    const items = readAnswer(client.provider, releaseDeployments, body).value;
    const found: CollectedDeployment[] = [];
    for (const item of items) {
      const sha = await shaIn(item, { client, project, repoId: scope.external_id, signal });
      if (sha !== null) found.push(normaliseDeployment(item, sha));
    }
    const after = headers.get('x-ms-continuationtoken');
    return {
      collected: { deployments: found },
      next: after === null || after === '' ? null : { after },
      itemCount: items.length,
      // Ordered by number, not by time.
      oldest: null,
      newest: null,
    };
  },
};

interface Asking {
  readonly client: AzureCollectClient;
  readonly project: string;
  readonly repoId: string;
  readonly signal: AbortSignal;
}

/** The commit of this repo that was deployed; null where the release was not made of the repo. */
async function shaIn({ release }: Deployment, asking: Asking): Promise<string | null> {
  for (const artifact of release?.artifacts ?? []) {
    const { repo, sha } = await sourceOf(artifact, asking);
    if (repo?.toLowerCase() === asking.repoId.toLowerCase() && sha !== null) return sha;
  }
  return null;
}

async function sourceOf({ type, definitionReference: parts }: Artifact, asking: Asking) {
  const idOf = (name: string): string | null => parts?.[name]?.id || null;
  if (type === 'Git') return { repo: idOf('definition'), sha: idOf('version') };
  if (type !== 'Build') return { repo: null, sha: null };
  if (idOf('repository') !== null && idOf('sourceVersion') !== null) {
    return { repo: idOf('repository'), sha: idOf('sourceVersion') };
  }
  // Older releases name the build alone.
  const build = idOf('version');
  return build === null ? { repo: null, sha: null } : readBuild(build, idOf('project') ?? asking.project, asking);
}

async function readBuild(build: string, project: string, { client, signal }: Asking) {
  try {
    const place = `/${pathPart(project)}/_apis/build/builds/${pathPart(build)}`;
    const { body } = await client.getWithRight(place, {}, signal);
    const { repository, sourceVersion } = readAnswer(client.provider, oneBuild, body);
    return { repo: repository?.id ?? null, sha: sourceVersion ?? null };
  } catch (error) {
    // Builds are deleted after a while.
    if (error instanceof HostError && error.status === 404) return { repo: null, sha: null };
    throw error;
  }
}

const STATES: Readonly<Record<string, CollectedDeployment['state']>> = {
  succeeded: 'success',
  partiallySucceeded: 'success',
  failed: 'failure',
};
/** Of deployments that did not come about. */
const ENDED = ['rejected', 'canceled', 'phasecanceled', 'gatefailed', 'phasefailed'];

function normaliseDeployment(item: Deployment, sha: string): CollectedDeployment {
  const isEnded = ENDED.includes((item.operationStatus ?? '').toLowerCase());
  const state = STATES[item.deploymentStatus ?? ''] ?? (isEnded ? 'failure' : 'pending');
  const modified = readTime(item.lastModifiedOn);
  const finished = readTime(item.completedOn) ?? modified;
  const created = readTime(item.queuedOn) ?? readTime(item.startedOn) ?? finished;
  if (created === null) throw new Error('the host gives no time for a deployment');
  return {
    external_id: `release:${item.id}`,
    environment: item.releaseEnvironment?.name ?? '',
    sha,
    ref: null,
    state,
    created_at: created,
    finished_at: state === 'pending' ? null : finished,
    creator: identityToAccount(item.requestedFor),
    url: item.release?._links?.web?.href ?? null,
    updated_at: modified,
  };
}
