// `strata token create|list|revoke`.
import { StrataError } from '../../domain/errors.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb, type VerbCall } from '../verb.ts';

/** An option that only one kind of token can do without. */
function needed(call: VerbCall, name: 'entity' | 'user'): string {
  const value = optionText(call, name);
  if (value !== undefined) return value;
  throw new StrataError(
    'invalid_parameter',
    `--${name} is required, unless the token is one of --ingest (add --help for what is accepted)`,
  );
}

export const tokenVerbs: readonly Verb[] = [
  {
    name: 'token create',
    summary: 'Create an API token, or one that sends telemetry. It is printed once; only its hash is kept.',
    options: [
      {
        flags: '--entity <slug>',
        description: 'Entity the token is for. With --ingest it may be left out if there is one.',
      },
      { flags: '--user <email>', description: 'User whose rights the token has; with --ingest, whose use it reports.' },
      { flags: '--ingest', description: 'A token that can send telemetry of AI tools (OTLP) and nothing else.' },
      { flags: '--name <name>', description: 'What the token is for.' },
      { flags: '--expires <when>', description: 'Date or date and time, ISO 8601; never when left out.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    async run(call) {
      const common = { name: optionText(call, 'name'), expires_at: optionText(call, 'expires') };
      const owner = call.options.ingest ? null : { entity: needed(call, 'entity'), user_email: needed(call, 'user') };
      await call.parts.withOperations(call.flags, async ({ tokens, ingestTokens }) => {
        const token =
          owner === null
            ? await ingestTokens.create(OPERATOR, {
                ...common,
                entity: optionText(call, 'entity'),
                user_email: optionText(call, 'user'),
              })
            : await tokens.create(OPERATOR, { ...common, ...owner });
        call.out(call.options.json ? JSON.stringify(token, null, 2) : token.token);
      });
    },
  },
  {
    name: 'token list',
    summary: 'List the API tokens, without their secrets.',
    options: [{ flags: '--entity <slug>', description: 'Only tokens of this entity.' }, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ tokens, ingestTokens }) => {
        const entity = optionText(call, 'entity');
        const ingest = (await ingestTokens.list(OPERATOR, entity)).map((token) => ({ ...token, is_ingest: true }));
        const records = (await tokens.list(OPERATOR, { entity })).map((token) => ({ ...token, is_ingest: false }));
        printRecords(call, [...records, ...ingest], {
          ID: ({ id }) => String(id),
          KIND: ({ is_ingest }) => (is_ingest ? 'ingest' : 'api'),
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
      call.parts.withOperations(call.flags, async ({ tokens, ingestTokens }) => {
        const id = call.args[0]!;
        const token = (await ingestTokens.revoke(OPERATOR, id)) ?? (await tokens.revoke(OPERATOR, id));
        const whose = token.user_email ?? token.entity;
        call.out(call.options.json ? JSON.stringify(token, null, 2) : `Revoked token ${token.id} of ${whose}.`);
      }),
  },
];
