// The language of a file by its name, or by its interpreter line when the name says nothing.
import { LANGUAGE_TABLE } from './language-table.ts';

export type LanguageType = 'programming' | 'markup' | 'data' | 'prose';

interface Language {
  readonly name: string;
  readonly type: LanguageType;
}

const LANGUAGES: Language[] = [];
const BY_EXTENSION = new Map<string, number>();
const BY_FILENAME = new Map<string, number>();
const BY_INTERPRETER = new Map<string, number>();
const BY_NAME = new Map<string, number>();

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

const ownExtensions = new Set<string>();
for (const row of LANGUAGE_TABLE.trim().split('\n')) {
  const [name, type, aliases, extensions, filenames, interpreters] = row.split('|');
  const index = LANGUAGES.length;
  LANGUAGES.push({ name: name!, type: type as LanguageType });
  for (const alias of [name!.replace(/\s+/g, '-'), ...words(aliases)]) setFirst(BY_NAME, alias.toLowerCase(), index);
  words(extensions).forEach((extension, position) => {
    const key = extension.toLowerCase();
    const preferred = PREFERRED_FOR_EXTENSION[key];
    if (preferred !== undefined) {
      if (preferred === name) BY_EXTENSION.set(key, index);
      return;
    }
    // A language's first extension is its own; it beats languages that list it further on.
    const isOwn = position === 0;
    if (!BY_EXTENSION.has(key) || (isOwn && !ownExtensions.has(key))) BY_EXTENSION.set(key, index);
    if (isOwn) ownExtensions.add(key);
  });
  for (const filename of (filenames ?? '').split('/')) if (filename !== '') setFirst(BY_FILENAME, filename, index);
  for (const interpreter of words(interpreters)) setFirst(BY_INTERPRETER, interpreter, index);
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter(Boolean);
}

function setFirst(map: Map<string, number>, key: string, index: number): void {
  if (!map.has(key)) map.set(key, index);
}

export const LANGUAGE_NAMES: readonly string[] = LANGUAGES.map(({ name }) => name);

export const NO_LANGUAGE = -1;

export function languageType(language: number): LanguageType | null {
  return LANGUAGES[language]?.type ?? null;
}

/** By name or alias as `linguist-language=` spells it, case and hyphens aside; −1 when unknown. */
export function languageNamed(name: string): number {
  return BY_NAME.get(name.toLowerCase()) ?? NO_LANGUAGE;
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
  return BY_INTERPRETER.get(program) ?? BY_INTERPRETER.get(program.replace(/[\d.]+$/, '')) ?? NO_LANGUAGE;
}
