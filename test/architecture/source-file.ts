// One source file as the architecture check sees it: what it imports, and which signs of a power its
// syntax tree shows. Names are resolved by the parser, so a parameter called `fetch` is not the global.
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** The names taken from there; undefined when that cannot be said, as in `import * as` and `import()`. */
  readonly names: readonly string[] | undefined;
  readonly line: number;
}

export interface Export {
  readonly name: string;
  /** Whether the file itself uses it too. */
  readonly isUsedHere: boolean;
  readonly line: number;
}

/** What a piece of the syntax tree shows; `powers.ts` says which power needs it. */
export type Sign =
  | { readonly kind: 'module'; readonly name: string; readonly line: number }
  | { readonly kind: 'global'; readonly name: string; readonly line: number }
  | { readonly kind: 'call'; readonly name: string; readonly line: number }
  | { readonly kind: 'tag'; readonly name: string; readonly line: number }
  | { readonly kind: 'text'; readonly name: string; readonly line: number };

export interface SourceFile {
  readonly imports: readonly Import[];
  readonly signs: readonly Sign[];
  readonly exports: readonly Export[];
}

type Node = { readonly type: string; readonly span: { readonly start: number } } & Readonly<Record<string, unknown>>;

/** Stands before the source: the parser counts positions through all files, and this one is known. */
const MARKER = 'globalThis;';
/** A shebang, and decorators of AssemblyScript where TypeScript has none; blanks keep the positions. */
const UNPARSED = /^#!.*|^[ \t]*@\w+(\([^)]*\))?/gm;
/** Nodes of types that hold values all the same. */
const VALUES_IN_TYPES = new Set([
  'TsAsExpression',
  'TsConstAssertion',
  'TsExportAssignment',
  'TsExternalModuleReference',
  'TsImportEqualsDeclaration',
  'TsInstantiation',
  'TsNonNullExpression',
  'TsSatisfiesExpression',
  'TsTypeAssertion',
]);
/** Global objects whose members are what counts: `process.env`, not `process`. */
const GLOBAL_OBJECTS = new Set(['process', 'globalThis', 'global', 'Date', 'Math', 'performance', 'crypto']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as { readonly raw: string; readonly cooked: string | null }[];
  return quasis.map((quasi) => quasi.cooked ?? quasi.raw).join(' ? ');
};

export function readSourceFile(path: string): SourceFile {
  return parseSource(readFileSync(path, 'utf8'), path);
}

export function parseSource(source: string, path = 'a source file'): SourceFile {
  const text = MARKER + source.replace(UNPARSED, (found) => ' '.repeat(found.length));
  let tree: Node;
  try {
    tree = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' }) as unknown as Node;
  } catch (cause) {
    throw new Error(`${path} cannot be parsed`, { cause });
  }
  return new Reader(text, tree).read();
}

class Reader {
  readonly #imports: Import[] = [];
  readonly #signs: Sign[] = [];
  /** Where each line begins, in bytes, as the parser counts. */
  readonly #lineStarts: readonly number[];
  readonly #body: readonly Node[];
  readonly #start: number;
  /** What the parser calls the scope of names that no file declares. */
  readonly #globalScope: unknown;
  /** Local names that stand for a module of Node's global objects: `import proc from 'node:process'`. */
  readonly #objects = new Map<string, string>();

  constructor(text: string, tree: Node) {
    this.#lineStarts = lineStarts(Buffer.from(text));
    const [marker, ...body] = tree.body as Node[];
    this.#start = marker!.span.start;
    this.#globalScope = (marker!.expression as Node).ctxt;
    this.#body = body;
  }

  read(): SourceFile {
    for (const node of this.#body) if (node.type === 'ImportDeclaration') this.#bindModuleObjects(node);
    this.#visit(this.#body);
    return { imports: this.#imports, signs: this.#signs, exports: this.#readExports() };
  }

  #bindModuleObjects(node: Node): void {
    const module = textOf(node.source)!.replace(/^node:/, '');
    if (!GLOBAL_OBJECTS.has(module)) return;
    for (const specifier of node.specifiers as Node[]) {
      const local = (specifier.local as Node).value as string;
      const imported = (specifier.imported as Node | null)?.value ?? local;
      if (specifier.type === 'ImportSpecifier' && imported !== 'default') {
        this.#sign('global', `${module}.${imported}`, specifier);
      } else this.#objects.set(local, module);
    }
  }

  #readExports(): Export[] {
    const uses = countNames(this.#body);
    return this.#body
      .filter((node) => node.type === 'ExportDeclaration')
      .flatMap((node) => {
        const declaration = node.declaration as Node;
        return declaredNames(declaration).map((name) => ({
          name,
          isUsedHere: uses.get(name)! > 1,
          line: this.#line(node),
        }));
      });
  }

  #visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#visit(item);
      return;
    }
    if (!isNode(value)) {
      // Arguments of calls are wrapped in objects without a type.
      if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) this.#visit(item);
      return;
    }
    if (value.type.startsWith('Ts') && !VALUES_IN_TYPES.has(value.type)) {
      this.#visitType(value);
      return;
    }
    if (this.#read(value)) return;
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) this.#visit(child);
  }

  /** Types hold nothing but imports of types. */
  #visitType(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value) && value.type === 'TsImportType') this.#import(value.argument, true, value);
    for (const child of Object.values(value)) this.#visitType(child);
  }

  /** Reads one node; true when its children have been read too. */
  #read(node: Node): boolean {
    switch (node.type) {
      case 'ImportDeclaration':
        this.#import(node.source, isTypeOnly(node), node);
        return true;
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (isNode(node.source)) this.#import(node.source, isTypeOnly(node), node);
        return isNode(node.source);
      case 'TsExternalModuleReference':
        this.#import(node.expression, false, node);
        return true;
      case 'CallExpression':
        this.#readCall(node);
        return false;
      case 'NewExpression':
        return this.#readNew(node);
      case 'MemberExpression':
        return this.#readMember(node);
      case 'VariableDeclarator':
        return this.#readDestructuring(node);
      case 'TaggedTemplateExpression':
        this.#sign('tag', lastName(node.tag), node);
        return false;
      case 'StringLiteral':
      case 'TemplateLiteral':
        this.#sign('text', textOf(node)!, node);
        return false;
      case 'KeyValueProperty':
        // A key is a name, not a value.
        if ((node.key as Node).type === 'Computed') this.#visit(node.key);
        this.#visit(node.value);
        return true;
      case 'Identifier': {
        const object = this.#objectOf(node);
        if (object) this.#sign('global', `${object}.*`, node);
        else if (node.ctxt === this.#globalScope) this.#sign('global', node.value as string, node);
        this.#visitType(node.typeAnnotation);
        return true;
      }
      default:
        return false;
    }
  }

  #readCall(node: Node): void {
    const callee = node.callee as Node;
    const [argument] = node.arguments as { readonly expression: Node }[];
    if (callee.type === 'Import' || (callee.type === 'Identifier' && callee.value === 'require')) {
      this.#import(argument?.expression, false, node);
    }
    if (callee.type !== 'MemberExpression') return;
    if ((callee.object as Node).type === 'MetaProperty') this.#import(argument?.expression, false, node);
    else this.#sign('call', lastName(callee), node);
  }

  /** `new Date()` reads the clock, `new Date(text)` does not; neither hands the object on. */
  #readNew(node: Node): boolean {
    const callee = node.callee as Node;
    if (this.#objectOf(callee) === undefined) return false;
    const given = (node.arguments ?? []) as unknown[];
    if (given.length === 0) this.#sign('global', `new ${callee.value}()`, node);
    this.#visit(given);
    return true;
  }

  #readMember(node: Node): boolean {
    const member = this.#memberOf(node);
    if (member === undefined) return false;
    this.#sign('global', member, node);
    if ((node.property as Node).type === 'Computed') this.#visit((node.property as Node).expression);
    return true;
  }

  #readDestructuring(node: Node): boolean {
    const object = isNode(node.init) ? (this.#objectOf(node.init) ?? this.#memberObject(node.init)) : undefined;
    if (object === undefined || (node.id as Node).type !== 'ObjectPattern') return false;
    for (const property of (node.id as Node).properties as Node[]) {
      const key = property.key as Node | undefined;
      const name = key?.type === 'Identifier' || key?.type === 'StringLiteral' ? key.value : '*';
      this.#sign('global', object === 'globalThis' ? `${name}` : `${object}.${name}`, property);
    }
    return true;
  }

  /** `process` for every way to write that object, undefined for all else. */
  #objectOf(node: Node): string | undefined {
    if (node.type !== 'Identifier') return undefined;
    const name = node.value as string;
    if (node.ctxt !== this.#globalScope) return this.#objects.get(name);
    if (name === 'global') return 'globalThis';
    return GLOBAL_OBJECTS.has(name) ? name : undefined;
  }

  /** `globalThis.process` is `process`. */
  #memberObject(node: Node): string | undefined {
    const member = this.#memberOf(node);
    return member !== undefined && GLOBAL_OBJECTS.has(member) ? member : undefined;
  }

  /** `process.env` for `process.env`, `process['env']`, `globalThis.process.env`; `fetch` for `globalThis.fetch`. */
  #memberOf(node: Node): string | undefined {
    if (node.type !== 'MemberExpression') return undefined;
    const object = node.object as Node;
    const owner = this.#objectOf(object) ?? this.#memberObject(object);
    if (owner === undefined) return undefined;
    const property = node.property as Node;
    const name = property.type === 'Computed' ? (textOf(property.expression) ?? '*') : (property.value as string);
    return owner === 'globalThis' && name !== '*' ? name : `${owner}.${name}`;
  }

  #import(source: unknown, typeOnly: boolean, node: Node): void {
    const specifier = textOf(source);
    if (specifier === undefined) {
      this.#sign('module', 'a computed name', node);
      return;
    }
    this.#imports.push({ specifier, typeOnly, names: takenNames(node), line: this.#line(node) });
    if (!typeOnly && !specifier.startsWith('.')) this.#sign('module', specifier.replace(/^node:/, ''), node);
  }

  #sign(kind: Sign['kind'], name: string, node: Node): void {
    this.#signs.push({ kind, name, line: this.#line(node) });
  }

  #line(node: Node): number {
    const at = (node.span ?? (node.key as Node).span).start - this.#start;
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lineStarts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}

/** Functions, classes, types and the names of simple constants; patterns do not occur at the top of our files. */
function declaredNames(declaration: Node): string[] {
  const named = (declaration.identifier ?? declaration.id) as Node | undefined;
  if (named !== undefined) return [named.value as string];
  const declarations = (declaration.declarations ?? []) as { readonly id: Node }[];
  return declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.value as string] : []));
}

function countNames(value: unknown, counts = new Map<string, number>()): Map<string, number> {
  if (typeof value !== 'object' || value === null) return counts;
  if (isNode(value) && value.type === 'Identifier') {
    const name = value.value as string;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const child of Object.values(value)) countNames(child, counts);
  return counts;
}

function takenNames(node: Node): string[] | undefined {
  if (node.type === 'TsImportType') return isNode(node.qualifier) ? [node.qualifier.value as string] : undefined;
  if (!Array.isArray(node.specifiers)) return undefined;
  const names = (node.specifiers as Node[]).map((specifier) => {
    const name = specifier.imported ?? specifier.orig ?? specifier.local;
    return specifier.type.includes('Namespace') || !isNode(name) ? undefined : (name.value as string);
  });
  return names.some((name) => name === undefined) ? undefined : (names as string[]);
}

function isTypeOnly(node: Node): boolean {
  if (node.typeOnly === true) return true;
  const specifiers = (node.specifiers ?? []) as Node[];
  return specifiers.length > 0 && specifiers.every((specifier) => specifier.isTypeOnly === true);
}

function lastName(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return lastName(node.property);
  if (node.type === 'CallExpression') return lastName(node.callee);
  return typeof node.value === 'string' ? node.value : '';
}
