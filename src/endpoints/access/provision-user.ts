// Endpoint 3 of the specification: a user with a connection to a code host.
import { z } from 'zod';
import { GIT_PROVIDER_NAMES, GIT_PROVIDERS, type GitProvider } from '../../domain/repos/code-host.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const aliases: Record<string, GitProvider> = Object.fromEntries(
  GIT_PROVIDER_NAMES.map((name) => [GIT_PROVIDERS[name].alias, name]),
);

export const provisionUser = endpoint({
  route: 'POST /api_tokens/provision_user',
  action: 'action_provision_user',
  group: 'API tokens',
  summary: 'Provision a user with a connection to a code host',
  description:
    'The code host is asked for the organizations of the token’s owner before anything is stored, for at most 10 seconds; ' +
    'the repos are listed in the background. An admin may provision into the token’s own entity. Any other entity, or none, ' +
    'needs a super admin, and the answer then carries the slug of the entity and a new token for it. A repeated call with ' +
    'another git_provider_token puts it in the place of the old one.',
  access: { resource: 'admin' },
  params: {
    email: p.email().describe('Of the user; one who exists is reused.'),
    git_provider_em: p.oneOf(GIT_PROVIDER_NAMES, aliases).describe('The kind of code host.'),
    git_provider_token: p.string({ max: 4000 }).secret().describe('Personal or API token for the code host.'),
    entity_slug: p
      .string({ max: 100 })
      .optional()
      .describe('Entity to provision into; made when there is none. Without it, the user’s own entity.'),
    user_name: p.string().optional().describe('Full name; used only when the user is made.'),
    avatar_url: p.url().optional().ourName().describe('Used only when the user is made.'),
    git_provider_token_expires_at: p
      .dateTime()
      .optional()
      .alias('token_expires_at')
      .ourName()
      .describe('When the token for the code host ends; needed for devops_suite and devops_suite_on_prem.'),
    git_provider_organization: p
      .string()
      .optional()
      .alias('organization_name')
      .ourName()
      .describe('Organization or collection; needed for devops_suite and devops_suite_on_prem.'),
    tenant_id: p
      .string({ max: 100 })
      .optional()
      .ourName()
      .describe('For devops_suite: an organization of another tenant is refused.'),
    endpoint_url: p
      .url()
      .optional()
      .alias('git_provider_endpoint_url')
      .ourName()
      .describe('Address of the code host; needed for hostB_server and devops_suite_on_prem, else the provider’s own.'),
  },
  returns: r.envelope({
    entity_slug: z.string().optional().describe('The entity provisioned; only when it is not the token’s own.'),
    api_token: z.string().optional().describe('A new token of the user for that entity; shown only here.'),
  }),
  fails: [
    'missing_conditional_parameter',
    'provider_rejected',
    'provider_scope',
    'provider_unreachable',
    'provider_quota',
    'provider_mismatch',
    'unprocessable',
    'conflict',
  ],
  async run({ params, grant, ops, signal, warn }) {
    const { entity_slug, email, organization_count, is_complete, api_token } = await ops.provisionUser.provision(
      grant,
      params,
      { signal, warn },
    );
    const count = `${is_complete ? '' : 'at least '}${organization_count} organization${organization_count === 1 ? '' : 's'}`;
    return {
      response_detail: `Retrieved ${count} from the code host for ${email} in ${entity_slug}; repos are being listed.`,
      ...(api_token === null ? {} : { entity_slug, api_token }),
    };
  },
});
