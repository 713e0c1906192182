// `strata webhook add|list|remove`.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb, type VerbCall, type VerbOption } from '../verb.ts';

const DEFAULT_ENTITY = 'local';
const ENTITY_OPTION: VerbOption = {
  flags: '--entity <slug>',
  description: `The entity. Default: ${DEFAULT_ENTITY}.`,
};
const entityOf = (call: VerbCall): string => optionText(call, 'entity') ?? DEFAULT_ENTITY;

export const webhookVerbs: readonly Verb[] = [
  {
    name: 'webhook add',
    summary: 'Make an address and a secret that a code host sends its webhooks with. Both are entered at the host.',
    arguments: [{ name: '<host>', description: 'As strata hosts names it, such as hostC:github.com.' }],
    options: [
      ENTITY_OPTION,
      { flags: '--secret <text>', description: 'The secret that the host made itself, as Linear does.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ hooks }) => {
        const hook = await hooks.create(OPERATOR, entityOf(call), call.args[0]!, optionText(call, 'secret'));
        if (call.options.json === true) call.out(JSON.stringify(hook, null, 2));
        else {
          call.out(`Address: ${hook.address}`);
          call.out(`Secret:  ${hook.secret}`);
          call.out('The secret is shown once. strata webhook list says when the first delivery has come.');
        }
      }),
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
