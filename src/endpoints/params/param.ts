// A parameter of an endpoint: its type, and whether it must be given, under which names and with which
// default. Immutable; each method returns a changed copy. What is not marked optional is required.

/** What a value is read against. `warn` is for values that are accepted but could be misread. */
export interface ReadContext {
  /** IANA zone of times given without one: the entity's. */
  readonly zone: string;
  readonly now: Date;
  warn(message: string): void;
}

export type JsonSchema = { readonly [key: string]: unknown };

/** One shared input type: how a value is read, and how it is described to people and machines. */
export interface ParamType<T> {
  /** The name the specification uses, e.g. `DateTime`. */
  readonly name: string;
  /** Ends the sentence "… is not accepted; expected …". */
  readonly accepts: string;
  readonly schema: JsonSchema;
  /** Values that are accepted and values that are refused; the contract tests send both. */
  readonly examples: { readonly right: readonly [unknown, ...unknown[]]; readonly wrong: readonly unknown[] };
  /** True when several values make one, so that repeated keys are no mistake. */
  readonly isList: boolean;
  /** True when reading may need the entity's time zone, which costs a look-up. */
  readonly usesZone?: boolean;
  /** Throws a Refusal. `value` is text from a query or form, or any JSON value; null or '' only where the parameter takes them. */
  read(value: unknown, context: ReadContext): T;
}

/** A value that a type does not accept. `path` points into a list or object, e.g. `[0].text`. */
export class Refusal extends Error {
  readonly path: string;
  constructor(message: string, path = '') {
    super(message);
    this.path = path;
  }
}

/** Whether the specification gives the name or this project chose it. */
export type NameOrigin = 'specification' | 'project';

interface Traits {
  readonly isRequired: boolean;
  readonly defaultValue: unknown;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly nameOrigin: NameOrigin;
  readonly isSecret: boolean;
  /** Null and the empty text are values, and do not mean that nothing was given. */
  readonly takesEmpty: boolean;
}

const PLAIN: Traits = {
  isRequired: true,
  defaultValue: undefined,
  aliases: [],
  description: '',
  nameOrigin: 'specification',
  isSecret: false,
  takesEmpty: false,
};

export class Param<T> {
  readonly type: ParamType<NonNullable<T>>;
  readonly traits: Traits;

  constructor(type: ParamType<NonNullable<T>>, traits: Traits = PLAIN) {
    this.type = type;
    this.traits = traits;
  }

  optional(): Param<T | undefined> {
    return new Param<T | undefined>(this.type, { ...this.traits, isRequired: false });
  }

  default(value: NonNullable<T>): Param<NonNullable<T>> {
    return new Param<NonNullable<T>>(this.type, { ...this.traits, isRequired: false, defaultValue: value });
  }

  /** Further names accepted on input; never printed. */
  alias(...names: string[]): Param<T> {
    return new Param<T>(this.type, { ...this.traits, aliases: [...this.traits.aliases, ...names] });
  }

  describe(description: string): Param<T> {
    return new Param<T>(this.type, { ...this.traits, description });
  }

  /** Marks a name that the specification leaves open and this project chose. */
  ourName(): Param<T> {
    return new Param<T>(this.type, { ...this.traits, nameOrigin: 'project' });
  }

  /** Null and the empty text are values, and do not mean that nothing was given. */
  orEmpty(): Param<T> {
    return new Param<T>(this.type, { ...this.traits, takesEmpty: true });
  }

  /** The value is never repeated in an error message. */
  secret(): Param<T> {
    return new Param<T>(this.type, { ...this.traits, isSecret: true });
  }
}

export type Params = { readonly [name: string]: Param<unknown> };
export type ParamValues<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never };

const SHOWN_LENGTH = 80;

/** A value as an error message shows it: quoted, in one line, cut to a readable length. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : asJson(value);
  const clean = text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '\uFFFD');
  return `"${clean.length > SHOWN_LENGTH ? `${clean.slice(0, SHOWN_LENGTH)}…` : clean}"`;
}

/** A body nested thousands of levels deep can be parsed but not printed. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a deeply nested value';
  }
}
