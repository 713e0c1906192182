// The language of a file by its name, or by its interpreter line when the name says nothing.
import { LANGUAGE_TABLE } from './language-table.ts';

export type LanguageType = 'programming' | 'markup' | 'data' | 'prose';

interface Row {
  readonly name: string;
  readonly type: LanguageType;
  readonly aliases: string;
  readonly interpreters: string;
}

const ROWS: Row[] = [];
const BY_EXTENSION = new Map<string, number>();
const BY_FILENAME = new Map<string, number>();

// Several languages claim some extensions and linguist then reads the content, which a diff does not
// have. The one most often meant wins.
const PREFERRED_FOR_EXTENSION: Readonly<Record<string, string>> = {
  '.asc': 'AsciiDoc',
  '.as': 'ActionScript',
  '.bas': 'Visual Basic 6.0',
  '.cfg': 'INI',
  '.cgi': 'Perl',
  '.cl': 'OpenCL',
  '.cls': 'TeX',
  '.d': 'D',
  '.ex': 'Elixir',
  '.f': 'Fortran',
  '.fcgi': 'PHP',
  '.fs': 'F#',
  '.ftl': 'FreeMarker',
  '.gd': 'GDScript',
  '.gs': 'JavaScript',
  '.h': 'C',
  '.hh': 'C++',
  '.html': 'HTML',
  '.inc': 'PHP',
  '.json': 'JSON',
  '.l': 'Lex',
  '.lean': 'Lean',
  '.lisp': 'Common Lisp',
  '.lsp': 'Common Lisp',
  '.m': 'Objective-C',
  '.m4': 'M4',
  '.md': 'Markdown',
  '.ml': 'OCaml',
  '.mod': 'XML',
  '.mojo': 'Mojo',
  '.php': 'PHP',
  '.pl': 'Perl',
  '.plist': 'XML Property List',
  '.pm': 'Perl',
  '.pp': 'Puppet',
  '.properties': 'Java Properties',
  '.r': 'R',
  '.rs': 'Rust',
  '.s': 'Unix Assembly',
  '.sc': 'Scala',
  '.spec': 'RPM Spec',
  '.sql': 'SQL',
  '.st': 'Smalltalk',
  '.t': 'Perl',
  '.tpl': 'Smarty',
  '.ts': 'TypeScript',
  '.tsx': 'TSX',
  '.txt': 'Text',
  '.v': 'Verilog',
  '.yaml': 'YAML',
  '.yml': 'YAML',
};

// Read in every thread at its start: only what each file needs, and in plain loops.
const ownExtensions = new Set<string>();
for (const text of LANGUAGE_TABLE.trim().split('\n')) {
  const [name = '', type, aliases = '', extensions = '', filenames = '', interpreters = ''] = text.split('|');
  const index = ROWS.length;
  ROWS.push({ name, type: type as LanguageType, aliases, interpreters });
  if (extensions !== '') readExtensions(extensions.toLowerCase().split(' '), name, index);
  if (filenames !== '') for (const filename of filenames.split('/')) setFirst(BY_FILENAME, filename, index);
}

function readExtensions(extensions: readonly string[], name: string, index: number): void {
  for (let position = 0; position < extensions.length; position++) {
    const key = extensions[position]!;
    const preferred = PREFERRED_FOR_EXTENSION[key];
    if (preferred !== undefined) {
      if (preferred === name) BY_EXTENSION.set(key, index);
      continue;
    }
    // A language's first extension is its own; it beats languages that list it further on.
    const isOwn = position === 0;
    if (!BY_EXTENSION.has(key) || (isOwn && !ownExtensions.has(key))) BY_EXTENSION.set(key, index);
    if (isOwn) ownExtensions.add(key);
  }
}

function setFirst(map: Map<string, number>, key: string, index: number): void {
  if (!map.has(key)) map.set(key, index);
}

/** Made when first asked for: most repositories never need it. */
function lazyIndex(keysOf: (row: Row) => readonly string[]): (key: string) => number | undefined {
  let index: Map<string, number> | null = null;
  return (key) => {
    if (index === null) {
      index = new Map();
      for (const [language, row] of ROWS.entries()) for (const each of keysOf(row)) setFirst(index, each, language);
    }
    return index.get(key);
  };
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);
const byInterpreter = lazyIndex(({ interpreters }) => words(interpreters));
const byName = lazyIndex(({ name, aliases }) =>
  [name.replace(/\s+/g, '-'), ...words(aliases)].map((alias) => alias.toLowerCase()),
);

export const LANGUAGE_NAMES: readonly string[] = ROWS.map(({ name }) => name);

export const NO_LANGUAGE = -1;

export function languageType(language: number): LanguageType | null {
  return ROWS[language]?.type ?? null;
}

/** By name or alias as `linguist-language=` spells it, case and hyphens aside; −1 when unknown. */
export function languageNamed(name: string): number {
  return byName(name.toLowerCase()) ?? NO_LANGUAGE;
}

export function languageOfPath(path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const whole = BY_FILENAME.get(name);
  if (whole !== undefined) return whole;
  // The longest extension wins: .d.ts is not in the table, .html.erb is.
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const found = BY_EXTENSION.get(name.slice(dot).toLowerCase());
    if (found !== undefined) return found;
  }
  return NO_LANGUAGE;
}

const decoder = new TextDecoder();

/** For a file without a telling name: the program its first line names (`#!/usr/bin/env python3`). */
export function languageOfFirstLine(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 4 || bytes[start] !== 35 || bytes[start + 1] !== 33) return NO_LANGUAGE;
  const parts = decoder
    .decode(bytes.subarray(start + 2, Math.min(end, start + 200)))
    .trim()
    .split(/\s+/);
  let program = parts[0]!.slice(parts[0]!.lastIndexOf('/') + 1);
  if (program === 'env') program = parts.slice(1).find((part) => !part.startsWith('-') && !part.includes('=')) ?? '';
  return byInterpreter(program) ?? byInterpreter(program.replace(/[\d.]+$/, '')) ?? NO_LANGUAGE;
}
