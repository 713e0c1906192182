// Connections to code hosts: those there are, and what can be imported through them.
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { entity } from './entity-param.ts';

const GROUP = 'Connections';

const connection = z
  .object({
    id: z.int(),
    git_provider_em: z.string(),
    git_provider_title: z.string().describe('Name of the product.'),
    endpoint_url: z.string().nullable().describe('Null: the provider’s own address.'),
    organization_name: z.string().nullable(),
    user_email: z.string().describe('Whose token it is.'),
    organizations: z.array(z.string()).describe('Seen with it.'),
    repo_count: z.int(),
    state_em: z.enum(['ok', 'listing', 'failed']),
    error_em: z.string().nullable(),
    error_detail: z.string().nullable().describe('What went wrong, and what to do about it.'),
    last_listed_at: z.string().nullable().describe('When its repos were last listed.'),
    last_quota_exceeded_at: z.string().nullable(),
    token_expires_at: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'Connection' });

export const listConnections = endpoint({
  route: 'GET /connections',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the connections to code hosts',
  description: 'Without their tokens. POST /api_tokens/provision_user makes one, or gives one another token.',
  access: { resource: 'admin' },
  params: { resource_path: entity() },
  returns: r.envelope({ connections: z.array(connection) }),
  async run({ grant, ops }) {
    const connections = await ops.connections.list(grant);
    return { response_detail: `${connections.length} connections`, connections };
  },
});

export const removeConnection = endpoint({
  route: 'DELETE /connections/:id',
  action: 'action_connection_removed',
  group: GROUP,
  summary: 'Remove a connection to a code host',
  description: 'Repos that were imported through it stay, and are not refreshed any more unless another one sees them.',
  access: { resource: 'admin' },
  params: { id: p.recordId().ourName(), resource_path: entity() },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    await ops.connections.remove(grant, params.id);
    return { response_detail: `connection ${params.id} is removed` };
  },
});

export const listImportable = endpoint({
  route: 'GET /connections/repos',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the repos that can be imported',
  description:
    'Through connections, and from the folder of repositories of this server. POST /imports takes their paths.',
  access: { resource: 'manager' },
  params: { resource_path: entity() },
  returns: r.envelope({
    repos: z.array(z.object({ repo_path: z.string(), source: z.string(), is_imported: z.boolean() })),
  }),
  async run({ grant, ops }) {
    const repos = await ops.connections.importable(grant);
    return { response_detail: `${repos.length} repos`, repos };
  },
});
