// `strata user create|list`, and `strata sign-in-link`: the way into the dashboard for whoever can run commands on its
// machine, also where passwords are switched off or forgotten.
import { ROLES } from '../../domain/access/caller.ts';
import { signInLink } from '../../domain/access/sign-in.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

export const userVerbs: readonly Verb[] = [
  {
    name: 'user create',
    summary: 'Create a user, or give an existing one a role in another entity.',
    arguments: [{ name: '<email>', description: 'E-mail address; it identifies the user.' }],
    options: [
      { flags: '--name <name>', description: 'Full name.' },
      { flags: '--entity <slug>', description: 'Entity the user becomes a member of.' },
      { flags: '--role <role>', description: `Role there: ${ROLES.join(', ')} (default: member).` },
      { flags: '--super-admin', description: 'May administer every entity.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    makesData: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ users }) => {
        const user = await users.create(OPERATOR, {
          email: call.args[0]!,
          full_name: optionText(call, 'name'),
          entity: optionText(call, 'entity'),
          role: optionText(call, 'role'),
          is_super_admin: call.options.superAdmin === true,
        });
        call.out(call.options.json ? JSON.stringify(user, null, 2) : `User ${user.email}: ${rolesOf(user)}.`);
      }),
  },
  {
    name: 'user list',
    summary: 'List the users with their roles.',
    options: [{ flags: '--entity <slug>', description: 'Only members of this entity.' }, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ users }) => {
        printRecords(call, await users.list(OPERATOR, { entity: optionText(call, 'entity') }), {
          EMAIL: ({ email }) => email,
          NAME: ({ full_name }) => full_name,
          ROLES: (user) => rolesOf(user),
          CREATED: ({ created_at }) => created_at,
        });
      }),
  },
];

interface WithRoles {
  readonly is_super_admin: boolean;
  readonly memberships: readonly { readonly entity: string; readonly role: string }[];
}

const rolesOf = ({ is_super_admin, memberships }: WithRoles): string => {
  const roles = memberships.map(({ entity, role }) => `${role} of ${entity}`);
  return [...(is_super_admin ? ['super admin'] : []), ...roles].join(', ') || 'no role';
};

export const signInLinkVerb: Verb = {
  name: 'sign-in-link',
  summary: 'Print a link that signs a browser in once, within ten minutes.',
  options: [{ flags: '--email <address>', description: 'Of the user. Default: the first super admin.' }],
  configuration: 'store',
  run: (call) =>
    call.parts.withOperations(call.flags, async ({ signIn, imports }) => {
      const { key, email } = await signIn.makeLink(OPERATOR, optionText(call, 'email'));
      call.out(signInLink(await call.parts.serverAddress(call.flags), 'link', key));
      call.err(`It signs in ${email}, once, within ten minutes.`);
      if (!(await imports.hasWorker())) call.err('No service seems to run on this data; strata serve starts one.');
    }),
};
