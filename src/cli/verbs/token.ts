// `strata token create|list|revoke`.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

export const tokenVerbs: readonly Verb[] = [
  {
    name: 'token create',
    summary: 'Create an API token. It is printed once; only its hash is kept.',
    options: [
      { flags: '--entity <slug>', description: 'Entity the token is for.', required: true },
      { flags: '--user <email>', description: 'User whose rights the token has.', required: true },
      { flags: '--name <name>', description: 'What the token is for.' },
      { flags: '--expires <when>', description: 'Date or date and time, ISO 8601; never when left out.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ tokens }) => {
        const token = await tokens.create(OPERATOR, {
          entity: optionText(call, 'entity')!,
          user_email: optionText(call, 'user')!,
          name: optionText(call, 'name'),
          expires_at: optionText(call, 'expires'),
        });
        call.out(call.options.json ? JSON.stringify(token, null, 2) : token.token);
      }),
  },
  {
    name: 'token list',
    summary: 'List the API tokens, without their secrets.',
    options: [{ flags: '--entity <slug>', description: 'Only tokens of this entity.' }, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ tokens }) => {
        printRecords(call, await tokens.list(OPERATOR, { entity: optionText(call, 'entity') }), {
          ID: ({ id }) => String(id),
          ENTITY: ({ entity }) => entity,
          USER: ({ user_email }) => user_email,
          NAME: ({ name }) => name,
          'LAST USED': ({ last_used_at }) => last_used_at,
          EXPIRES: ({ expires_at }) => expires_at,
          REVOKED: ({ revoked_at }) => revoked_at,
        });
      }),
  },
  {
    name: 'token revoke',
    summary: 'Revoke an API token: running servers refuse it within seconds.',
    arguments: [{ name: '<id>', description: 'Id from strata token list, or the token itself.' }],
    options: [JSON_OPTION],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ tokens }) => {
        const token = await tokens.revoke(OPERATOR, call.args[0]!);
        call.out(
          call.options.json ? JSON.stringify(token, null, 2) : `Revoked token ${token.id} of ${token.user_email}.`,
        );
      }),
  },
];
