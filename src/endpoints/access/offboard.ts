// Section 4 of the specification: remove an entity for good.
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const DETAILS = {
  active: (slug: string) => `The entity ${slug} and all its data are queued for deletion; its tokens no longer work.`,
  offboarding: (slug: string) => `The entity ${slug} is being deleted already.`,
  deleted: (slug: string) => `The entity ${slug} was deleted before.`,
} as const;

export const offboardEntity = endpoint({
  route: 'POST /admin/offboard',
  action: 'action_offboard',
  group: 'Administration',
  summary: 'Delete an entity for good',
  description: 'For super admins. It cannot be undone; a second call is harmless.',
  access: 'super_admin',
  params: { entity_slug: p.string() },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params, caller, ops }) {
    const { slug, state } = await ops.offboard.start(caller, params.entity_slug);
    return { response_detail: DETAILS[state](slug) };
  },
});
