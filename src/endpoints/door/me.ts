// Who is calling, what that user may do, and the user's own password and preferences.
import { z } from 'zod';
import { ROLES } from '../../domain/access/caller.ts';
import { ENTITY_SETTINGS } from '../../domain/access/entity-settings.ts';
import { LEAST_PASSWORD_LENGTH, MOST_PASSWORD_LENGTH } from '../../domain/access/password-rules.ts';
import { THEMES } from '../../operations/access/door/me.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { mayCall } from '../may-call.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const GROUP = 'Signing in';

const preferences = z.object({
  theme: z.enum(THEMES),
  shortcuts: z.boolean().describe('Whether single keys do something.'),
});

/** `others` are the calls that the answer speaks of. */
export const readMe = (others: readonly Endpoint[]) =>
  endpoint({
    route: 'GET /me',
    action: 'action_get_resource',
    group: GROUP,
    summary: 'Who is calling, and what that user may do',
    access: 'token',
    params: {},
    returns: r.envelope({
      user: z.object({
        id: z.int(),
        email: z.string(),
        full_name: z.string().nullable(),
        is_super_admin: z.boolean(),
        has_password: z.boolean(),
        preferences,
      }),
      credential: z.object({
        kind: z.enum(['token', 'session']),
        expires_at: z.string().nullable().describe('Of a session.'),
      }),
      entity: z.string().describe('Where calls act that name no entity.'),
      entities: z.array(
        z.object({
          slug: z.string(),
          name: z.string(),
          role: z.enum(ROLES),
          time_zone: ENTITY_SETTINGS.time_zone.schema,
          week_start: ENTITY_SETTINGS.week_start.schema,
          stats_access: ENTITY_SETTINGS.stats_access.schema,
          small_group_floor: ENTITY_SETTINGS.small_group_floor.schema,
          may: z.array(z.string()).describe('Calls that the user may make there, such as `POST /imports`.'),
        }),
      ),
      server: z.object({
        version: z.string(),
        public_url: z.string().nullable(),
        has_mail: z.boolean().describe('Whether mail leaves the server.'),
        has_password_sign_in: z.boolean(),
        has_oidc: z.boolean(),
        import_folders: z
          .array(z.string())
          .describe('Folders below which this caller may import repositories; empty where it may not.'),
      }),
    }),
    async run({ caller, ops }) {
      const me = await ops.me.read(caller);
      const { version, publicUrl, hasMail } = ops.server;
      return {
        response_detail: `${me.user.email}, in ${me.entity}`,
        ...me,
        entities: me.entities.map((entity) => ({
          ...entity,
          may: others
            .filter(({ access }) => mayCall(access, me.user.is_super_admin ? 'super admin' : entity.role))
            .map(({ method, path }) => `${method} ${path}`),
        })),
        server: {
          version,
          public_url: publicUrl,
          has_mail: hasMail,
          has_password_sign_in: ops.signIn.hasPasswords,
          has_oidc: false,
          import_folders: [...ops.imports.allowedFolders(caller)],
        },
      };
    },
  });

export const setPassword = endpoint({
  route: 'PUT /me/password',
  action: 'action_password_set',
  group: GROUP,
  summary: 'Set one’s own password',
  description: `At least ${LEAST_PASSWORD_LENGTH} characters, and none that is guessed first. All other sessions of the user end.`,
  access: 'token',
  params: {
    password: p.string({ max: MOST_PASSWORD_LENGTH }).secret().ourName(),
    current_password: p
      .string({ max: MOST_PASSWORD_LENGTH })
      .optional()
      .secret()
      .describe('Needed where there is one, unless the session began with a link less than ten minutes ago.')
      .ourName(),
  },
  returns: r.envelope({ ended_sessions: z.int() }),
  fails: ['unprocessable', 'rate_limited', 'not_found'],
  async run({ params, caller, ops, client, signal }) {
    const { ended_sessions } = await ops.signIn.setPassword(caller, params, client, signal);
    return { response_detail: 'The password is set.', ended_sessions };
  },
});

export const setPreferences = endpoint({
  route: 'PUT /me/preferences',
  action: 'action_preferences_set',
  group: GROUP,
  summary: 'Set one’s own preferences of the page',
  access: 'token',
  params: {
    theme: p.oneOf(THEMES).optional().ourName(),
    shortcuts: p.boolean().optional().ourName(),
  },
  returns: r.envelope({ preferences }),
  fails: ['not_found'],
  run: async ({ params, caller, ops }) => ({
    response_detail: 'Stored.',
    preferences: await ops.me.setPreferences(caller, params),
  }),
});
