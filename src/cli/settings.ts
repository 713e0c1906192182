// `strata settings get|set --entity SLUG`: the settings of an entity.
import { ENTITY_SETTINGS, parseEntitySetting, requireEntitySettingKey } from '../domain/entity-settings.ts';
import { OPERATOR } from '../operations/index.ts';
import { printRecords } from './print-records.ts';
import { JSON_OPTION, optionText, type Verb, type VerbOption } from './verb.ts';

const ENTITY_OPTION: VerbOption = { flags: '--entity <slug>', description: 'Whose settings.', required: true };

export const settingsVerbs: readonly Verb[] = [
  {
    name: 'settings get',
    summary: 'Print the settings of an entity, or one of them.',
    arguments: [{ name: '[key]', description: 'One setting; all when left out.' }],
    options: [ENTITY_OPTION, JSON_OPTION],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ settings }) => {
        const key = call.args[0] === undefined ? undefined : requireEntitySettingKey(call.args[0]);
        const records = await settings.list(OPERATOR, optionText(call, 'entity')!);
        if (key !== undefined) {
          const record = records.find((candidate) => candidate.key === key)!;
          call.out(call.options.json ? JSON.stringify(record, null, 2) : JSON.stringify(record.value));
          return;
        }
        printRecords(call, records, {
          SETTING: (record) => record.key,
          VALUE: ({ value }) => JSON.stringify(value),
          SET: ({ is_default }) => (is_default ? 'default' : 'yes'),
          DESCRIPTION: (record) => ENTITY_SETTINGS[record.key].description,
        });
      }),
  },
  {
    name: 'settings set',
    summary: 'Change a setting of an entity.',
    arguments: [
      { name: '<key>', description: 'Name of the setting.' },
      { name: '[value]', description: 'Text, number, JSON or a comma list.' },
    ],
    options: [ENTITY_OPTION, { flags: '--default', description: 'Back to the default.' }, JSON_OPTION],
    configuration: 'store',
    run: async (call) => {
      const key = requireEntitySettingKey(call.args[0]!);
      const text = call.args[1];
      if ((text === undefined) !== (call.options.default === true)) {
        call.err(`strata: give either a value for ${key} or --default`);
        return 2;
      }
      const value = text === undefined ? undefined : parseEntitySetting(key, text);
      await call.parts.withOperations(call.flags, async ({ settings }) => {
        const record = await settings.set(OPERATOR, optionText(call, 'entity')!, key, value);
        call.out(
          call.options.json ? JSON.stringify(record, null, 2) : `${key} is now ${JSON.stringify(record.value)}.`,
        );
      });
      return 0;
    },
  },
];
