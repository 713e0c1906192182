// Endpoint 1 of the specification: is this token good, and whose is it?
import { endpoint } from '../endpoint.ts';
import { r } from '../returns.ts';

export const tokenStatus = endpoint({
  route: 'GET /api_tokens',
  action: 'action_get_resource',
  group: 'API tokens',
  summary: 'Check a token',
  description: 'Answers 200 when the token sent with the request is valid, 401 otherwise.',
  access: 'token',
  params: {},
  returns: r.envelope(),
  run: ({ caller }) => ({
    response_detail:
      `The token is valid for the entity ${caller.entity_slug} ` +
      `with the rights of ${caller.is_super_admin ? 'a super admin' : `the role ${caller.role}`}.`,
  }),
});
