// The door of the dashboard: signing in and out, and the sessions that are open.
import { z } from 'zod';
import { MOST_PASSWORD_LENGTH } from '../../domain/access/password-rules.ts';
import { counted } from '../../kit/text/counted.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { SessionAnswer } from '../session-answer.ts';

const GROUP = 'Signing in';

const signedIn = r.envelope({
  entity: z.string().nullable().describe('Where the user acts first; null for a super admin while there is none.'),
  page: z.string().describe('Address of the page to show, without scheme and host.'),
  needs_password: z.boolean().describe('The user has none yet and may set one.'),
});

interface SignedIn {
  readonly email: string;
  readonly entity: string | null;
  readonly page: string;
  readonly needs_password: boolean;
  readonly session: { readonly secret: string; readonly expires_at: string };
}

const signedInAnswer = ({ session, email, entity, page, needs_password }: SignedIn) =>
  new SessionAnswer(
    { response_detail: `Signed in as ${email} until ${session.expires_at}.`, entity, page, needs_password },
    session,
  );

export const signInByLink = endpoint({
  route: 'POST /sessions/by_link',
  action: 'action_sign_in',
  group: GROUP,
  summary: 'Sign in with a one-time link',
  description:
    'Takes the key of a sign-in link or an invitation, uses it up, and sets the cookie of a new session. ' +
    '`strata sign-in-link` makes such links; admins invite with POST /invitations.',
  access: 'public',
  params: { key: p.string({ max: 200 }).secret().describe('What stands behind the # of the link.').ourName() },
  returns: signedIn,
  fails: ['unauthorized', 'forbidden'],
  run: async ({ params, ops, client }) => signedInAnswer(await ops.signIn.byLink(params.key, client)),
});

export const signInByPassword = endpoint({
  route: 'POST /sessions/by_password',
  action: 'action_sign_in',
  group: GROUP,
  summary: 'Sign in with a password',
  description: 'Sets the cookie of a new session. Ten tries of an address for an account in 15 minutes.',
  access: 'public',
  params: {
    email: p.string({ max: 254 }).describe('Address of the user.').ourName(),
    password: p.string({ max: MOST_PASSWORD_LENGTH }).secret().ourName(),
  },
  returns: signedIn,
  fails: ['unauthorized', 'forbidden', 'rate_limited'],
  run: async ({ params, ops, client, signal }) => signedInAnswer(await ops.signIn.byPassword(params, client, signal)),
});

export const signInOptions = endpoint({
  route: 'GET /sign_in_options',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'Ways to sign in that this server offers',
  access: 'public',
  params: {},
  returns: r.envelope({ has_password_sign_in: z.boolean(), has_oidc: z.boolean() }),
  run: ({ ops }) => ({
    response_detail: ops.signIn.hasPasswords ? 'By link or password.' : 'By link.',
    has_password_sign_in: ops.signIn.hasPasswords,
    has_oidc: false,
  }),
});

const session = z.object({
  id: z.int(),
  began_by: z.enum(['link', 'invitation', 'password']),
  created_at: z.string(),
  seen_at: z.string().describe('When it was last used.'),
  expires_at: z.string().describe('It also ends after 14 days without use.'),
  address: z.string().describe('Internet address at sign-in.'),
  agent: z.string().describe('What the browser called itself.'),
  is_current: z.boolean(),
});

export const listSessions = endpoint({
  route: 'GET /sessions',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List one’s own sessions',
  access: 'token',
  params: {},
  returns: r.envelope({ sessions: z.array(session) }),
  async run({ caller, ops }) {
    const sessions = await ops.sessions.list(caller);
    return { response_detail: counted(sessions.length, 'open session'), sessions };
  },
});

export const endSession = endpoint({
  route: 'DELETE /sessions/:id',
  action: 'action_sign_out',
  group: GROUP,
  summary: 'Sign out, or end another of one’s own sessions',
  access: 'token',
  params: { id: p.string({ max: 20 }).describe('Of a session, or `current`.').ourName() },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params, caller, ops }) {
    const { is_current } = await ops.sessions.end(caller, params.id);
    const body = { response_detail: is_current ? 'Signed out.' : 'The session is ended.' };
    return is_current ? new SessionAnswer(body, null) : body;
  },
});
