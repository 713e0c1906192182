// `strata webhook add|list|remove`.
import { StrataError } from '../../domain/errors.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { readTextFile } from '../read-text-file.ts';
import { printRecords } from '../terminal/print-records.ts';
import { ENTITY_OPTION, entityOf, JSON_OPTION, optionText, type Verb } from '../verb.ts';

export const webhookVerbs: readonly Verb[] = [
  {
    name: 'webhook add',
    summary: 'Make an address and a secret that a code host sends its webhooks with. Both are entered at the host.',
    arguments: [{ name: '<host>', description: 'As strata hosts names it, such as hostC:github.com.' }],
    options: [
      ENTITY_OPTION,
      {
        flags: '--secret-file <path>',
        description: 'Read the secret that the host made itself, as Linear does, from this file; - is standard input.',
      },
      JSON_OPTION,
    ],
    configuration: 'store',
    run: (call) => {
      const own = readOwnSecret(optionText(call, 'secretFile'));
      return call.parts.withOperations(call.flags, async ({ hooks }) => {
        const hook = await hooks.create(OPERATOR, entityOf(call), call.args[0]!, own);
        if (call.options.json === true) call.out(JSON.stringify(hook, null, 2));
        else {
          call.out(`Address: ${hook.address}`);
          call.out(`Secret:  ${hook.secret}`);
          call.out('The secret is shown once. strata webhook list says when the first delivery has come.');
        }
      });
    },
  },
  {
    name: 'webhook list',
    summary: 'List webhooks, and when each last received something.',
    options: [ENTITY_OPTION, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ hooks }) => {
        printRecords(call, await hooks.list(OPERATOR, entityOf(call)), {
          HOST: (row) => row.host,
          ADDRESS: (row) => row.address,
          'VERIFIED AT': (row) => row.verified_at,
          'LAST DELIVERY': (row) => row.last_delivery_at,
        });
      }),
  },
  {
    name: 'webhook remove',
    summary: 'Accept nothing more at the address of a webhook, as after its secret became known.',
    arguments: [{ name: '<address>', description: 'As strata webhook list shows it.' }],
    options: [ENTITY_OPTION],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ hooks }) => {
        const { host, address } = await hooks.remove(OPERATOR, entityOf(call), call.args[0]!);
        call.out(`Deliveries of ${host} to ${address} are refused from now on. Remove the webhook at the host too.`);
      }),
  },
];

/** Not from the arguments, which other users of the machine see and the activity trail keeps. */
function readOwnSecret(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const refusal = `--secret-file: ${JSON.stringify(file)} is not accepted; expected a file that can be read, or -`;
  const secret = readTextFile(file === '-' ? undefined : file, refusal).trim();
  if (secret === '') throw new StrataError('invalid_parameter', `--secret-file: ${JSON.stringify(file)} is empty`);
  return secret;
}
