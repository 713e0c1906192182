// `strata llm-token add|list|remove`. The secret comes from standard input or a file, never from the
// arguments, which other users of the machine can see.
import { TOKEN_KIND_NAMES, TOKEN_KINDS, tokenKindOf } from '../../../domain/ai/providers.ts';
import { StrataError } from '../../../domain/errors.ts';
import { OPERATOR } from '../../../operations/access/actor.ts';
import { readTextFile } from '../../read-text-file.ts';
import { printRecords } from '../../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../../verb.ts';

const ENTITY = { flags: '--entity <slug>', description: 'Entity the token is for.', required: true };

/** Of any kind. */
const SETTING_NAMES = [...new Set(Object.values(TOKEN_KINDS).flatMap(({ settings }) => Object.keys(settings)))];

interface KindOfToken {
  readonly ai_usage_provider_em: string;
  readonly tool_em: string | null;
}

/** As --provider takes it; JSON has the name of the API. */
const providerName = (token: KindOfToken): string => tokenKindOf(token.ai_usage_provider_em, token.tool_em);

export const llmTokenVerbs: readonly Verb[] = [
  {
    name: 'llm-token add',
    summary:
      'Add a token of an AI provider, whose usage and seats are then collected. The secret is read from standard input and kept sealed. A secret that is there already gets the settings.',
    options: [
      ENTITY,
      { flags: '--provider <name>', description: `One of ${TOKEN_KIND_NAMES.join(', ')}.`, required: true },
      {
        flags: '--setting <list>',
        description: `name=value, several with commas: ${SETTING_NAMES.join(', ')}.`,
      },
      { flags: '--organization <slug>', description: 'Only for this organization; for all when left out.' },
      { flags: '--user <email>', description: 'User who is listed as its creator.' },
      { flags: '--secret-file <path>', description: 'Read the secret from this file instead.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    async run(call) {
      const file = optionText(call, 'secretFile');
      if (file === undefined && process.stdin.isTTY) call.err('Paste the secret, then press Enter and Ctrl-D:');
      const secret = readSecret(file);
      await call.parts.withOperations(call.flags, async ({ llmTokens }) => {
        const token = await llmTokens.add(OPERATOR, {
          entity: optionText(call, 'entity')!,
          provider: optionText(call, 'provider')!,
          secret,
          settings: readSettings(optionText(call, 'setting')),
          organization: optionText(call, 'organization'),
          user_email: optionText(call, 'user'),
        });
        call.out(
          call.options.json ? JSON.stringify(token, null, 2) : `Token ${token.id} of ${providerName(token)} is kept.`,
        );
      });
    },
  },
  {
    name: 'llm-token list',
    summary: 'List the tokens of AI providers, without their secrets.',
    options: [ENTITY, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ access, llmTokens }) => {
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'manager');
        printRecords(call, await llmTokens.list(grant), {
          ID: ({ id }) => String(id),
          PROVIDER: providerName,
          FOR: ({ confirmed_resources }) => confirmed_resources.map(({ resource_name }) => resource_name).join(', '),
          'CREATED BY': ({ created_by_user }) => created_by_user?.name ?? null,
          CREATED: ({ created_at }) => created_at,
          'LAST USED': ({ last_used_at }) => last_used_at,
          SEATS: ({ seat_count }) => String(seat_count),
          'LATEST DAY': ({ latest_available_on }) => latest_available_on,
          'QUOTA EXCEEDED': ({ last_exceeded_quota_at }) => last_exceeded_quota_at,
          ERROR: ({ global_error_em, error_detail }) =>
            global_error_em === null ? error_detail : `${global_error_em}: ${error_detail}`,
        });
      }),
  },
  {
    name: 'llm-token remove',
    summary: 'Remove a token of an AI provider.',
    arguments: [{ name: '<id>', description: 'Id from strata llm-token list.' }],
    options: [ENTITY],
    configuration: 'store',
    run: async (call) => {
      const id = call.args[0]!;
      if (!/^\d{1,15}$/.test(id)) {
        throw new StrataError('invalid_parameter', `"${id}" is no id; expected one of strata llm-token list`);
      }
      await call.parts.withOperations(call.flags, async ({ llmTokens }) => {
        await llmTokens.remove(OPERATOR, optionText(call, 'entity')!, Number(id));
        call.out(`Removed token ${id}.`);
      });
    },
  },
];

const readSecret = (file: string | undefined): string =>
  readTextFile(file, `--secret-file: ${JSON.stringify(file)} is not accepted; expected a file that can be read`);

function readSettings(list: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (list?.split(',') ?? []).map((each) => {
      const [name, ...value] = each.trim().split('=');
      if (value.length === 0) throw new StrataError('invalid_parameter', `--setting: "${each}" is not <name>=<value>`);
      return [name!, value.join('=')];
    }),
  );
}
