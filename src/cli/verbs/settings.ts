// `strata settings get|set --entity SLUG [--repo ORG/REPO]`: the settings of an entity, or of one of its repos.
import type { Rebuild } from '../../domain/access/entity-settings.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb, type VerbOption } from '../verb.ts';
import { withWorkingOut } from '../work-out.ts';

/** The table brings the holidays of all countries along, which help need not wait for. */
const loadTable = () => import('../../domain/access/entity-settings.ts');

/** What the change does to what is stored. */
const AFTERWARDS: Readonly<Record<Rebuild, string>> = {
  none: '',
  credits: '',
  derivation: ' Releases, defects and links are worked out anew.',
  rollups: ' What depends on it is worked out anew.',
  analysis: ' It holds for commits imported from now on.',
  refresh: ' Every repo is brought in line with it.',
  first_import: ' It holds for repos imported from now on; strata import --since takes others further back.',
};

const ENTITY_OPTION: VerbOption = { flags: '--entity <slug>', description: 'Whose settings.', required: true };
const REPO_OPTION: VerbOption = {
  flags: '--repo <path>',
  description: 'Only of this repo, as organization/repo; just for settings that a repo may have.',
};

export const settingsVerbs: readonly Verb[] = [
  {
    name: 'settings get',
    summary: 'Print the settings of an entity, or one of them.',
    arguments: [{ name: '[key]', description: 'One setting; all when left out.' }],
    options: [ENTITY_OPTION, REPO_OPTION, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: async (call) => {
      const { ENTITY_SETTINGS, requireEntitySettingKey } = await loadTable();
      const key = call.args[0] === undefined ? undefined : requireEntitySettingKey(call.args[0]);
      const entity = optionText(call, 'entity')!;
      const repo = optionText(call, 'repo');
      if (repo !== undefined && key === undefined) {
        call.err('strata: name the setting that --repo is asked for');
        return 2;
      }
      return call.parts.withOperations(call.flags, async ({ settings }) => {
        const records =
          repo === undefined || key === undefined
            ? await settings.list(OPERATOR, entity)
            : [await settings.getForRepo(OPERATOR, entity, repo, key)];
        if (key !== undefined) {
          const record = records.find((candidate) => candidate.key === key)!;
          call.out(call.options.json ? JSON.stringify(record, null, 2) : JSON.stringify(record.value));
          return 0;
        }
        printRecords(call, records, {
          SETTING: (record) => record.key,
          VALUE: ({ value }) => JSON.stringify(value),
          SET: ({ is_default }) => (is_default ? 'default' : 'yes'),
          DESCRIPTION: (record) => ENTITY_SETTINGS[record.key].description,
        });
        return 0;
      });
    },
  },
  {
    name: 'settings set',
    summary: 'Change a setting of an entity.',
    arguments: [
      { name: '<key>', description: 'Name of the setting.' },
      { name: '[value]', description: 'Text, number, JSON or a comma list.' },
    ],
    options: [
      ENTITY_OPTION,
      REPO_OPTION,
      { flags: '--default', description: 'Back to the default; with --repo, to what the entity has.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    run: async (call) => {
      const { parseEntitySetting, requireEntitySettingKey } = await loadTable();
      const key = requireEntitySettingKey(call.args[0]!);
      const text = call.args[1];
      if ((text === undefined) !== (call.options.default === true)) {
        call.err(`strata: give either a value for ${key} or --default`);
        return 2;
      }
      const value = text === undefined ? undefined : parseEntitySetting(key, text);
      const entity = optionText(call, 'entity')!;
      await withWorkingOut(call, entity, async ({ settings }) => {
        const repo = optionText(call, 'repo');
        const record =
          repo === undefined
            ? await settings.set(OPERATOR, entity, key, value)
            : await settings.setForRepo(OPERATOR, entity, repo, key, value);
        call.out(
          call.options.json
            ? JSON.stringify(record, null, 2)
            : `${key} is now ${JSON.stringify(record.value)}${repo === undefined ? '' : ` in ${repo}`}.${AFTERWARDS[record.rebuild]}`,
        );
      });
      return 0;
    },
  },
];
