// `strata committer list|merge|split`.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { ENTITY_OPTION, entityOf, JSON_OPTION, type Verb } from '../verb.ts';
import { withWorkingOut } from '../work-out.ts';

export const committerVerbs: readonly Verb[] = [
  {
    name: 'committer list',
    summary: 'List the people of an entity, each followed by the identities merged into it.',
    options: [ENTITY_OPTION, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ committers }) => {
        printRecords(call, await committers.list(OPERATOR, entityOf(call)), {
          'USER NAME': (row) => row.committer_user_name,
          NAME: (row) => row.full_name,
          EMAIL: (row) => row.email,
          STATUS: (row) => row.processing_status,
          'IDENTITY OF': (row) => row.identity_of,
        });
      }),
  },
  {
    name: 'committer merge',
    summary: 'Make two people one: the first becomes an identity of the second.',
    arguments: [
      { name: '<who>', description: 'User name, code-host id or e-mail address.' },
      { name: '<into>', description: 'The person that remains, with its user name and status.' },
    ],
    options: [ENTITY_OPTION],
    configuration: 'store',
    run: (call) =>
      withWorkingOut(call, entityOf(call), async ({ committers }) => {
        const { merged, into } = await committers.merge(OPERATOR, entityOf(call), call.args[0]!, call.args[1]!);
        call.out(`${merged} is now an identity of ${into}; strata committer split ${merged} takes it back.`);
      }),
  },
  {
    name: 'committer split',
    summary: 'Make a merged identity a person of its own again. What a .mailmap says returns with the next import.',
    arguments: [{ name: '<who>', description: 'User name or e-mail address of the identity.' }],
    options: [ENTITY_OPTION],
    configuration: 'store',
    run: (call) =>
      withWorkingOut(call, entityOf(call), async ({ committers }) => {
        const { split, from, identity_count } = await committers.split(OPERATOR, entityOf(call), call.args[0]!);
        const along = identity_count === 1 ? '' : `, with ${identity_count - 1} of its own identities`;
        call.out(`${split} is no longer an identity of ${from}${along}.`);
      }),
  },
];
