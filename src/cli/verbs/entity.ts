// `strata entity create|list|offboard`.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

export const entityVerbs: readonly Verb[] = [
  {
    name: 'entity create',
    summary: 'Create an entity: a tenant with its own repositories, developers, teams and settings.',
    arguments: [{ name: '<slug>', description: 'Short name used in resource paths, such as acme.' }],
    options: [{ flags: '--name <name>', description: 'Name shown to people; the slug when left out.' }, JSON_OPTION],
    configuration: 'store',
    makesData: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ entities }) => {
        const entity = await entities.create(OPERATOR, { slug: call.args[0]!, name: optionText(call, 'name') });
        call.out(call.options.json ? JSON.stringify(entity, null, 2) : `Created entity ${entity.slug}.`);
      }),
  },
  {
    name: 'entity list',
    summary: 'List the entities.',
    options: [JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ entities }) => {
        printRecords(call, await entities.list(OPERATOR), {
          SLUG: ({ slug }) => slug,
          NAME: ({ name }) => name,
          STATE: ({ state }) => state,
          CREATED: ({ created_at }) => created_at,
        });
      }),
  },
  {
    name: 'entity offboard',
    summary: 'Delete an entity with all its data, for good; a running service or worker does the work.',
    arguments: [{ name: '<slug>', description: 'The entity.' }],
    options: [{ flags: '--yes', description: 'Really.' }],
    configuration: 'store',
    run: async (call) => {
      if (call.options.yes !== true) {
        call.err(`strata: this deletes ${call.args[0]} and all its data for good; add --yes to do it`);
        return 1;
      }
      return call.parts.withOperations(call.flags, async ({ offboard }) => {
        const { slug, state } = await offboard.start(OPERATOR, call.args[0]!);
        const after = {
          active: 'is queued for deletion',
          offboarding: 'is being deleted',
          deleted: 'was deleted before',
        };
        call.out(`The entity ${slug} ${after[state]}.`);
        return 0;
      });
    },
  },
];
