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

export function readValues<P extends Params>(
  params: P,
  given: Iterable<[string, unknown]>,
  context: ReadContext,
): ReadResult<P> {
  const { byParam, unknown } = sortByParam(params, given, context);
  const errors: FieldErrors = {};
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const raw = byParam.get(name);
    if (isBlank(raw)) {
      if (param.traits.isRequired) errors[name] = [missingMessage(name, param, unknown)];
      else values[name] = param.traits.defaultValue;
      continue;
    }
    try {
      values[name] = param.type.read(raw, { ...context, warn: (message) => context.warn(`${name}: ${message}`) });
    } catch (error) {
      const [field, message] = explain(name, param, error);
      errors[field] = [message];
    }
  }
  warnOfUnknown(namesOf(params), unknown, context);
  return { values: values as ParamValues<P>, errors };
}

const knownNames = new WeakMap<Params, ReadonlyMap<string, string>>();

/** Every name that is accepted → the parameter it stands for. */
function namesOf(params: Params): ReadonlyMap<string, string> {
  let names = knownNames.get(params);
  if (names === undefined) {
    names = new Map(
      Object.entries(params).flatMap(([name, param]) => [name, ...param.traits.aliases].map((known) => [known, name])),
    );
    knownNames.set(params, names);
  }
  return names;
}

function sortByParam(params: Params, given: Iterable<[string, unknown]>, context: ReadContext) {
  const names = namesOf(params);
  const byParam = new Map<string, unknown>();
  const unknown: string[] = [];
  const aliased: [string, string, unknown][] = [];
  for (const [key, value] of given) {
    const name = names.get(key);
    if (name === undefined) unknown.push(key);
    else if (name === key) byParam.set(name, value);
    else aliased.push([key, name, value]);
  }
  for (const [alias, name, value] of aliased) {
    if (isBlank(byParam.get(name))) byParam.set(name, value);
    else context.warn(`${show(alias)} was ignored because ${name} was given too`);
  }
  return { byParam, unknown };
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

function warnOfUnknown(known: ReadonlyMap<string, string>, unknown: readonly string[], context: ReadContext): void {
  for (const name of unknown.slice(0, MOST_WARNINGS)) {
    const shown = show(name.slice(0, LONGEST_NAME));
    if (known.size === 0) context.warn(`unknown parameter ${shown} was ignored; this action takes no parameters`);
    else context.warn(`unknown parameter ${shown} was ignored; ${suggestion(name, known)}`);
  }
  const more = unknown.length - MOST_WARNINGS;
  if (more > 0) context.warn(`${more} more unknown parameters were ignored`);
}

/** Whatever name is meant, an alias too, the one to write is the parameter's own. */
function suggestion(name: string, known: ReadonlyMap<string, string>): string {
  const likely = nearestName(name, known.keys());
  if (likely !== null) return `did you mean ${known.get(likely)}?`;
  const typed = name.slice(0, LONGEST_NAME).toLowerCase();
  const [nearest] = [...known.keys()].toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b));
  return `the nearest known one is ${known.get(nearest!)}`;
}
