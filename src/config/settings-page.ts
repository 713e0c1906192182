// docs/settings.md, written from the two tables of settings.
import {
  ENTITY_SETTING_KEYS,
  ENTITY_SETTINGS,
  REPO_SETTING_KEYS,
  type Rebuild,
} from '../domain/access/entity-settings.ts';
import { flagName, SETTING_KEYS, SETTINGS } from './settings-table.ts';

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
/** A bar inside a table cell would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const REBUILDS: Record<Rebuild, string> = {
  none: 'within seconds',
  credits: 'within seconds',
  derivation: 'within minutes: releases, defects and links follow by a job',
  rollups: 'within seconds; what is stored follows by a job',
  analysis: 'for commits imported afterwards',
  refresh: 'within minutes: every repo it holds for is brought in line',
  first_import: 'for repos imported afterwards; `strata import --since` takes an older one further back',
};

export function renderSettingsPage(): string {
  const service = SETTING_KEYS.map((key) => {
    const { env, flag, type, default: initial, description, secret } = SETTINGS[key];
    const shown =
      key === 'data' ? 'see below' : initial === null || String(initial) === '' ? 'none' : code(String(initial));
    const flagText = flag === 'none' ? '' : code(`--${flagName(key)}`);
    return line([
      code(key),
      code(env),
      flagText,
      cell(type.accepts),
      shown,
      `${description}${secret ? ' Secret: masked wherever it is shown.' : ''}`,
    ]);
  });
  const entity = ENTITY_SETTING_KEYS.map((key) => {
    const { accepts, default: initial, description, rebuild } = ENTITY_SETTINGS[key];
    return line([code(key), cell(accepts), code(JSON.stringify(initial)), description, REBUILDS[rebuild]]);
  });
  return `<!-- Written by \`npm run generate\`; change the tables in src/config/settings-table.ts and src/domain/access/entity-settings.ts. -->
# Settings

## Of the service

A flag wins over the environment, the environment over the file, the file over the default. The file is JSON with one
object of these names; \`--config FILE\` or \`STRATA_CONFIG\` names it. \`strata config\` prints what is in effect and where
each value comes from.

${line(['setting', 'variable', 'flag', 'accepted', 'default', 'meaning'])}
${line(['---', '---', '---', '---', '---', '---'])}
${service.join('\n')}

The data folder is \`data\` beside the sources in a checkout. An installed Strata uses \`$XDG_DATA_HOME/strata\` or
\`~/.local/share/strata\` on Linux, \`~/Library/Application Support/Strata\` on macOS and \`%LOCALAPPDATA%\\Strata\` on Windows.

## Of an entity

Read with \`strata settings get --entity SLUG\`, changed with \`strata settings set KEY VALUE --entity SLUG\`, put back with
\`--default\`. Lists may be typed as JSON or with commas. A repo may have its own value of
${REPO_SETTING_KEYS.map(code).join(', ')}: add \`--repo ORGANIZATION/REPO\` to any of these commands.

${line(['setting', 'accepted', 'default', 'meaning', 'a change takes effect'])}
${line(['---', '---', '---', '---', '---'])}
${entity.join('\n')}
`;
}
