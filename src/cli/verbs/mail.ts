// `strata mail list`: the outbox.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

export const mailVerbs: readonly Verb[] = [
  {
    name: 'mail list',
    summary: 'List the mail that waits to be sent; all of it waits while no mail server is configured.',
    options: [
      { flags: '--entity <slug>', description: 'Only of this entity.' },
      { flags: '--all', description: 'Also what was sent.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ mail }) => {
        const filter = { entity: optionText(call, 'entity'), isSentToo: call.options.all === true };
        printRecords(call, await mail.list(OPERATOR, filter), {
          ID: ({ id }) => String(id),
          ENTITY: ({ entity }) => entity,
          KIND: ({ kind }) => kind,
          TO: ({ recipient }) => recipient,
          SUBJECT: ({ subject }) => subject,
          STATE: ({ state }) => state,
          CREATED: ({ created_at }) => created_at,
          ERROR: ({ last_error }) => last_error,
        });
      }),
  },
];
