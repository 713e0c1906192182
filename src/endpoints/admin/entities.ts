// Entities: those there are, and new ones. POST /admin/offboard removes one.
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { GROUP } from './entity-param.ts';

const entity = z
  .object({
    id: z.int(),
    slug: z.string(),
    name: z.string(),
    state: z.enum(['active', 'offboarding', 'deleted']),
    created_at: z.string(),
  })
  .meta({ id: 'Entity' });

export const listEntities = endpoint({
  route: 'GET /entities',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the entities that the caller may know of',
  access: 'token',
  params: {},
  returns: r.envelope({ entities: z.array(entity) }),
  async run({ caller, ops }) {
    const entities = await ops.entities.list(caller);
    return { response_detail: `${entities.length} entities`, entities };
  },
});

export const createEntity = endpoint({
  route: 'POST /entities',
  action: 'action_entity_created',
  group: GROUP,
  summary: 'Make an entity: a tenant with its own repos, people and settings',
  access: 'super_admin',
  params: {
    slug: p.string({ max: 100 }).describe('Short name in resource paths.').ourName(),
    name: p.string().optional().describe('Shown to people; the slug when absent.').ourName(),
  },
  returns: r.envelope({ entity }),
  fails: ['conflict'],
  async run({ params, caller, ops }) {
    const made = await ops.entities.create(caller, params);
    return { response_detail: `the entity ${made.slug} is made`, entity: made };
  },
});
