// `strata llm-token add|list|remove`. The secret comes from standard input or a file, never from the
// arguments, which other users of the machine can see.
import { readFileSync } from 'node:fs';
import { LLM_PROVIDERS, readLlmProvider } from '../../domain/ai/providers.ts';
import { StrataError } from '../../domain/errors.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

const ENTITY = { flags: '--entity <slug>', description: 'Entity the token is for.', required: true };
const STANDARD_INPUT = 0;

/** As --provider takes it; JSON has the name of the API. */
const providerName = (provider: string): string => LLM_PROVIDERS[readLlmProvider(provider)].alias;

export const llmTokenVerbs: readonly Verb[] = [
  {
    name: 'llm-token add',
    summary:
      'Add a token of an AI provider. The secret is read from standard input and kept sealed; this version does not use it yet.',
    options: [
      ENTITY,
      { flags: '--provider <name>', description: 'copilot, cursor, anthropic or claude_enterprise.', required: true },
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
          organization: optionText(call, 'organization'),
          user_email: optionText(call, 'user'),
        });
        call.out(
          call.options.json
            ? JSON.stringify(token, null, 2)
            : `Token ${token.id} of ${providerName(token.ai_usage_provider_em)} is kept.`,
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
          PROVIDER: ({ ai_usage_provider_em }) => providerName(ai_usage_provider_em),
          FOR: ({ confirmed_resources }) => confirmed_resources.map(({ resource_name }) => resource_name).join(', '),
          'CREATED BY': ({ created_by_user }) => created_by_user?.name ?? null,
          CREATED: ({ created_at }) => created_at,
          'LAST USED': ({ last_used_at }) => last_used_at,
          ERROR: ({ global_error_em }) => global_error_em,
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

function readSecret(file: string | undefined): string {
  try {
    return readFileSync(file ?? STANDARD_INPUT, 'utf8');
  } catch (cause) {
    const message = `--secret-file: ${JSON.stringify(file)} is not accepted; expected a file that can be read`;
    throw file === undefined ? cause : new StrataError('invalid_parameter', message, { cause });
  }
}
