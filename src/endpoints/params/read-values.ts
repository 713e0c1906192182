// Reads raw values against a table of parameters: names and aliases, required and default, one message
// per problem, and a warning for every name that is not known.
import { type FieldErrors, StrataError } from '../../domain/errors.ts';
import { editDistance, nearestName } from '../../kit/text/nearest-name.ts';
import { type Param, type Params, type ParamValues, type ReadContext, Refusal, show } from './param.ts';

export interface ReadResult<P extends Params> {
  /** Complete only when `errors` is empty. */
  readonly values: ParamValues<P>;
  readonly errors: FieldErrors;
}

const MOST_WARNINGS = 20;
const LONGEST_NAME = 100;

/** A blank value counts as not given, as the specification speaks of blank parameters. */
const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

const isGiven = (param: Param<unknown>, value: unknown): boolean =>
  !isBlank(value) || (param.traits.takesEmpty && (value === null || value === ''));

export function readValues<P extends Params>(
  params: P,
  given: Iterable<readonly [string, unknown]>,
  context: ReadContext,
): ReadResult<P> {
  const values = new Map(given);
  return createReader(params, context)([...values.keys()], (name) => values.get(name));
}

type Reader<P extends Params> = (names: readonly string[], givenFor: (name: string) => unknown) => ReadResult<P>;

/** Reads one after the other: a list of objects has thousands. */
export function createReader<P extends Params>(params: P, context: ReadContext): Reader<P> {
  const table = tableOf(params);
  let reading = '';
  const inner: ReadContext = { ...context, warn: (message) => context.warn(`${reading}: ${message}`) };
  return (names, givenFor) => {
    const { raws, unknown } = sortByParam(table, { names, givenFor }, context);
    const errors: FieldErrors = {};
    const values: Record<string, unknown> = {};
    for (let index = 0; index < raws.length; index += 1) {
      const [name, param] = table.entries[index]!;
      const raw = raws[index];
      if (!isGiven(param, raw)) {
        if (param.traits.isRequired) errors[name] = [missingMessage(name, param, unknown)];
        else values[name] = param.traits.defaultValue;
        continue;
      }
      reading = name;
      try {
        values[name] = param.type.read(raw, inner);
      } catch (error) {
        const [field, message] = explain(name, param, error);
        errors[field] = [message];
      }
    }
    if (unknown.length > 0) warnOfUnknown(table, unknown, context);
    return { values: values as ParamValues<P>, errors };
  };
}

interface ParamTable {
  readonly entries: readonly (readonly [string, Param<unknown>])[];
  /** Every name that is accepted → the index of the parameter it stands for. */
  readonly names: ReadonlyMap<string, number>;
}

const tables = new WeakMap<Params, ParamTable>();

function tableOf(params: Params): ParamTable {
  let table = tables.get(params);
  if (table === undefined) {
    const entries = Object.entries(params);
    const names = new Map(
      entries.flatMap(([name, param], index) =>
        [name, ...param.traits.aliases].map((known) => [known, index] as const),
      ),
    );
    table = { entries, names };
    tables.set(params, table);
  }
  return table;
}

/** The values by index of their parameter. A name of its own goes before an alias. */
function sortByParam(
  { entries, names }: ParamTable,
  given: { readonly names: readonly string[]; givenFor(name: string): unknown },
  context: ReadContext,
) {
  const raws: unknown[] = new Array(entries.length).fill(undefined);
  const unknown: string[] = [];
  const aliased: [string, number, unknown][] = [];
  for (const key of given.names) {
    const index = names.get(key);
    if (index === undefined) unknown.push(key);
    else if (entries[index]![0] === key) raws[index] = given.givenFor(key);
    else aliased.push([key, index, given.givenFor(key)]);
  }
  for (const [alias, index, value] of aliased) {
    if (isBlank(raws[index])) raws[index] = value;
    else context.warn(`${show(alias)} was ignored because ${entries[index]![0]} was given too`);
  }
  return { raws, unknown };
}

function missingMessage(name: string, param: Param<unknown>, unknown: readonly string[]): string {
  const slip = [name, ...param.traits.aliases]
    .map((known) => nearestName(known, unknown))
    .find((near) => near !== null);
  const hint = slip === undefined ? '' : ` (is ${show(slip)} a slip of the fingers?)`;
  return `is missing; expected ${param.type.accepts}${hint}`;
}

function explain(name: string, param: Param<unknown>, error: unknown): [string, string] {
  if (!(error instanceof Refusal) && !(error instanceof StrataError)) throw error;
  const field = error instanceof Refusal ? `${name}${error.path}` : name;
  return [field, param.traits.isSecret ? `the value is not accepted; expected ${param.type.accepts}` : error.message];
}

function warnOfUnknown({ entries, names }: ParamTable, unknown: readonly string[], context: ReadContext): void {
  for (const name of unknown.slice(0, MOST_WARNINGS)) {
    const shown = show(name.slice(0, LONGEST_NAME));
    if (names.size === 0) context.warn(`unknown parameter ${shown} was ignored; this action takes no parameters`);
    else context.warn(`unknown parameter ${shown} was ignored; ${suggestion(name, names, entries)}`);
  }
  const more = unknown.length - MOST_WARNINGS;
  if (more > 0) context.warn(`${more} more unknown parameters were ignored`);
}

/** Whatever name is meant, an alias too, the one to write is the parameter's own. */
function suggestion(name: string, names: ParamTable['names'], entries: ParamTable['entries']): string {
  const own = (known: string): string => entries[names.get(known)!]![0];
  const likely = nearestName(name, names.keys());
  if (likely !== null) return `did you mean ${own(likely)}?`;
  const typed = name.slice(0, LONGEST_NAME).toLowerCase();
  const [nearest] = [...names.keys()].toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b));
  return `the nearest known one is ${own(nearest!)}`;
}
