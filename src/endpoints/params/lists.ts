// Values made of several: lists of texts, resource paths, and arrays of objects. A list may be sent as
// a[]=x, a[0]=x, repeated keys, a JSON array or, where items are short texts, with commas.
import {
  levelOf,
  parseResourcePath,
  parseResourcePaths,
  type ResourceLevel,
  type ResourcePath,
} from '../../domain/resource-path.ts';
import { Param, type Params, type ParamType, type ParamValues, Refusal, show } from './param.ts';
import { createReader } from './read-values.ts';
import { oneOf, readText } from './text.ts';

/** The items of a list in whichever encoding it came, or null when the value is no list. */
function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return null;
  // The query parser makes an object of a[0]=x&a[2]=y where it will not make a sparse array.
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => /^\d{1,9}$/.test(key))) return null;
  return Object.entries(value)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, item]) => item);
}

const LONGEST_NAME = 255;

export interface StringsOptions {
  /** Longest item, in characters. */
  readonly max?: number;
  readonly maxItems?: number;
}

/** Several texts; repeated ones are kept once. */
export function strings({ max = LONGEST_NAME, maxItems = 1000 }: StringsOptions = {}): Param<string[]> {
  const accepts = `a list of at most ${maxItems} texts of at most ${max} characters each`;
  return new Param<string[]>({
    name: 'Array<String>',
    accepts,
    schema: { type: 'array', items: { type: 'string', maxLength: max }, maxItems },
    examples: { right: [['one', 'two'], 'one,two', 'one'], wrong: [{ nested: true }, [['deep']], true] },
    isList: true,
    read: (value) => [...new Set(readTexts(value, { accepts, max, maxItems }))],
  });
}

/** The items that are not empty, in their order. */
function readTexts(
  value: unknown,
  { accepts, max, maxItems }: Required<StringsOptions> & { readonly accepts: string },
): string[] {
  const raw = typeof value === 'string' ? value.split(',') : typeof value === 'number' ? [value] : itemsOf(value);
  if (raw === null) throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
  if (raw.length > maxItems) throw new Refusal(`${raw.length} items were given; expected ${accepts}`);
  const items = raw.map((item, index) => {
    try {
      return readText(item, accepts, max);
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(error.message, `[${index}]`) : error;
    }
  });
  return items.filter((item) => item !== '');
}

/** Several of a set of names, as often and in the order in which they were given. */
export function manyOf<const V extends string>(
  values: readonly [V, ...V[]],
  { aliases = {}, maxItems }: { readonly aliases?: { readonly [alias: string]: V }; readonly maxItems: number },
): Param<V[]> {
  const { type } = strings({ maxItems });
  const one = oneOf(values, aliases).type;
  const accepts = `a list of at most ${maxItems} of ${values.join(', ')}`;
  return new Param<V[]>({
    ...type,
    accepts,
    schema: { type: 'array', items: one.schema, maxItems },
    examples: {
      right: [values.slice(0, 2), values.slice(0, 2).join(','), values[0]],
      wrong: [...type.examples.wrong, 'no_such_value', [values[0], 17]],
    },
    read(value, context) {
      const found = readTexts(value, { accepts, max: LONGEST_NAME, maxItems }).map((item) => one.read(item, context));
      if (found.length === 0) throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      return found;
    },
  });
}

const REPO_PATH = /^\/?(?:(?!\.\.?(?:\/|$))[^/]+\/)+(?!\.\.?\/?$)[^/]+\/?$/;

/** Several repos as code hosts name them. Nested groups give an organization of several parts. */
export function repoPaths(): Param<string[]> {
  const accepts = 'a list of <organization>/<repo> paths';
  const { type } = strings({ max: 500 });
  return new Param<string[]>({
    ...type,
    accepts,
    examples: {
      right: [['acme/website', 'acme/tools/api'], 'acme/website,acme/api', 'acme/website'],
      wrong: [...type.examples.wrong, 'website', ['acme/..'], 'acme//website'],
    },
    read(value, context) {
      const items = type.read(value, context);
      const wrong = items.find((item) => !REPO_PATH.test(item));
      if (wrong !== undefined) throw new Refusal(`${show(wrong)} is not accepted; expected ${accepts}`);
      return items.map((item) => item.replace(/^\/|\/$/g, ''));
    },
  });
}

const LEVEL_FORMS: Record<ResourceLevel, string> = {
  entity: '<entity>',
  organization: '<entity>/<organization>',
  repo: '<entity>/<organization>/<repo>',
};
const LEVEL_EXAMPLES: Record<ResourceLevel, string> = {
  entity: 'local',
  organization: 'local/acme',
  repo: 'local/acme/website',
};
const ALL_LEVELS: readonly ResourceLevel[] = ['entity', 'organization', 'repo'];

function resourceType<T extends object>(
  levels: readonly ResourceLevel[],
  several: boolean,
  build: (paths: ResourcePath[]) => T,
): ParamType<T> {
  const allowed = levels.length === 0 ? ALL_LEVELS : levels;
  const forms = allowed.map((level) => LEVEL_FORMS[level]).join(' or ');
  const accepts = several ? `${forms}; several of one entity separated by commas` : forms;
  const refused = ALL_LEVELS.filter((level) => !allowed.includes(level)).map((level) => LEVEL_EXAMPLES[level]);
  const right = allowed.map((level) => LEVEL_EXAMPLES[level]);
  return {
    name: 'ResourcePath',
    accepts,
    schema: { type: 'string' },
    examples: {
      right: [right[0], ...right.slice(1)],
      wrong: ['a//b', '//', 'local/../x', { a: 1 }, ...refused, ...(several ? ['a/b,c/d'] : ['local,local'])],
    },
    isList: several,
    read(value) {
      const items = several ? itemsOf(value) : null;
      const text = items?.every((item) => typeof item === 'string') ? items.join(',') : value;
      if (typeof text !== 'string') throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      const paths = several ? parseResourcePaths(text) : [parseResourcePath(text)];
      const wrong = paths.find((path) => !allowed.includes(levelOf(path)));
      if (wrong !== undefined) {
        const level = levelOf(wrong);
        throw new Refusal(
          `${show(value)} names ${level === 'repo' ? 'a' : 'an'} ${level}; this action expects ${accepts}`,
        );
      }
      return build(paths);
    },
  };
}

/** One resource; without arguments any level is accepted. */
export const resourcePath = (...levels: ResourceLevel[]): Param<ResourcePath> =>
  new Param<ResourcePath>(resourceType(levels, false, (paths) => paths[0]!));

/** One or several resources of one entity. */
export const resourcePaths = (...levels: ResourceLevel[]): Param<ResourcePath[]> =>
  new Param<ResourcePath[]>(resourceType(levels, true, (paths) => paths));

/** An array of objects, each read against its own parameters: questions of a survey, rows of a bulk call. */
export function objects<P extends Params>(params: P, { maxItems = 1000 } = {}): Param<ParamValues<P>[]> {
  const accepts = `a list of at most ${maxItems} objects`;
  const required = Object.keys(params).filter((name) => params[name]!.traits.isRequired);
  const example = Object.fromEntries(required.map((name) => [name, params[name]!.type.examples.right[0]]));
  return new Param<ParamValues<P>[]>({
    name: 'Array<Object>',
    accepts,
    schema: {
      type: 'array',
      maxItems,
      items: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.type.schema])),
        ...(required.length > 0 ? { required } : {}),
      },
    },
    examples: { right: [[example]], wrong: ['text', [17], { a: 1 }] },
    isList: true,
    usesZone: Object.values(params).some((param) => param.type.usesZone === true),
    read(value, context) {
      const items = itemsOf(value);
      if (items === null) throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      if (items.length > maxItems) throw new Refusal(`${items.length} objects were given; expected ${accepts}`);
      let reading = 0;
      const inner = { ...context, warn: (message: string) => context.warn(`[${reading}]: ${message}`) };
      const read = createReader(params, inner);
      return items.map((item, index) => {
        if (typeof item !== 'object' || item === null || Array.isArray(item)) {
          throw new Refusal(`${show(item)} is not accepted; expected an object`, `[${index}]`);
        }
        reading = index;
        const { values, errors } = read(Object.keys(item), (name) => (item as Record<string, unknown>)[name]);
        for (const field in errors) throw new Refusal(errors[field]!.join('; '), `[${index}].${field}`);
        return values;
      });
    },
  });
}
