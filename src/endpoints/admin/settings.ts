// Settings of an entity or of one of its repos: the rows of their table, read and changed.
import { z } from 'zod';
import {
  checkEntitySetting,
  ENTITY_SETTING_KEYS,
  ENTITY_SETTINGS,
  type EntitySettingKey,
  parseEntitySetting,
  REPO_SETTING_KEYS,
  type Rebuild,
} from '../../domain/access/entity-settings.ts';
import { StrataError } from '../../domain/errors.ts';
import type { Grant, Operations, SettingRecord } from '../../operations/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { GROUP } from './entity-param.ts';

const TAKES_EFFECT: Readonly<Record<Rebuild, string>> = {
  none: 'At once.',
  credits: 'At once: what use of AI is credited with is worked out anew.',
  derivation: 'When a job has worked out releases, defects and links anew, in a few minutes.',
  rollups: 'When a job has worked the figures out anew, in a few minutes.',
  analysis: 'For commits that are imported from now on.',
  first_import: 'For repos whose import begins from now on.',
  refresh: 'When every repo has been looked at again.',
};

const KINDS = ['choice', 'boolean', 'number', 'text', 'json'] as const;

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

function kindOf(key: EntitySettingKey): { kind: (typeof KINDS)[number]; choices: string[] | null } {
  const schema = bare(ENTITY_SETTINGS[key].schema);
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) };
  if (schema instanceof z.ZodBoolean) return { kind: 'boolean', choices: null };
  if (schema instanceof z.ZodNumber) return { kind: 'number', choices: null };
  return { kind: schema instanceof z.ZodString ? 'text' : 'json', choices: null };
}

const setting = z
  .object({
    key: z.enum(ENTITY_SETTING_KEYS),
    value: z.unknown(),
    default: z.unknown(),
    is_default: z.boolean().describe('Of a repo: the entity’s value holds.'),
    description: z.string(),
    accepts: z.string(),
    kind: z.enum(KINDS).describe('How the value can be entered.'),
    choices: z.array(z.string()).nullable(),
    takes_effect: z.string().describe('When a change is seen in figures.'),
    level: z.enum(['entity', 'repo']).describe('The smallest thing that may have a value of its own.'),
  })
  .meta({ id: 'Setting' });

const describeSetting = ({ key, value, is_default, rebuild }: SettingRecord): z.input<typeof setting> => {
  const { default: initial, description, accepts, level } = ENTITY_SETTINGS[key];
  return {
    key,
    value,
    default: initial,
    is_default,
    description,
    accepts,
    ...kindOf(key),
    takes_effect: TAKES_EFFECT[rebuild],
    level,
  };
};

const resource_path = p
  .resourcePath('entity', 'repo')
  .optional()
  .describe('An entity, or a repo with values of its own; the caller’s entity when absent.')
  .ourName();
const key = p.oneOf(ENTITY_SETTING_KEYS).ourName();

/** Named `<organization>/<repo>`; null for the whole entity. */
const repoOf = ({ paths }: Grant<'member'>): string | null => {
  const [path] = paths;
  return path?.repo == null ? null : `${path.organization}/${path.repo}`;
};

async function change(ops: Operations, grant: Grant<'admin'>, name: EntitySettingKey, value: unknown) {
  const repo = repoOf(grant);
  const { actor, entity } = grant;
  const record =
    repo === null
      ? await ops.settings.set(actor, entity.slug, name, value)
      : await ops.settings.setForRepo(actor, entity.slug, repo, name, value);
  return describeSetting(record);
}

export const listSettings = endpoint({
  route: 'GET /settings',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the settings of an entity or repo',
  access: { resource: 'member' },
  params: { resource_path },
  returns: r.envelope({ settings: z.array(setting) }),
  fails: ['not_found'],
  async run({ grant, ops }) {
    const { actor, entity } = grant;
    const repo = repoOf(grant);
    const records =
      repo === null
        ? await ops.settings.list(actor, entity.slug)
        : await Promise.all(REPO_SETTING_KEYS.map((name) => ops.settings.getForRepo(actor, entity.slug, repo, name)));
    return { response_detail: `${records.length} settings`, settings: records.map(describeSetting) };
  },
});

export const changeSetting = endpoint({
  route: 'PUT /settings/:key',
  action: 'action_setting_changed',
  group: GROUP,
  summary: 'Change a setting',
  access: { resource: 'admin' },
  params: { key, resource_path, value: p.json().orEmpty().describe('What it becomes.').ourName() },
  returns: r.envelope({ setting }),
  fails: ['unprocessable', 'not_found'],
  async run({ params, grant, ops }) {
    const changed = await change(ops, grant, params.key, readValue(params.key, params.value));
    return { response_detail: `${params.key} is changed`, setting: changed };
  },
});

export const resetSetting = endpoint({
  route: 'DELETE /settings/:key',
  action: 'action_setting_changed',
  group: GROUP,
  summary: 'Put a setting back to its default, or a repo’s to what its entity has',
  access: { resource: 'admin' },
  params: { key, resource_path },
  returns: r.envelope({ setting }),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    const changed = await change(ops, grant, params.key, undefined);
    return { response_detail: `${params.key} is back at its default`, setting: changed };
  },
});

/** A text may stand for a number or a list, as on the command line. What the setting cannot be breaks its rule. */
function readValue(name: EntitySettingKey, value: unknown): unknown {
  try {
    return typeof value === 'object' ? checkEntitySetting(name, value) : parseEntitySetting(name, String(value));
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    throw new StrataError('unprocessable', error.message, { errors: { value: [error.message] } });
  }
}
