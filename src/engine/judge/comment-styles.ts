// How comments look, by family of languages. A language that is in no family has none.

import { LANGUAGE_NAMES, languageType } from '../categories/languages.ts';
import {
  FILTERED_BYTES,
  STYLE_BYTES,
  STYLE_CALLS,
  STYLE_CLOSE,
  STYLE_DOC_LINE,
  STYLE_DOC_OPEN,
  STYLE_DOCSTRINGS,
  STYLE_HEADS,
  STYLE_LINE,
  STYLE_MASK_FILTER,
  STYLE_MASKS,
  STYLE_OPEN,
  STYLE_STARS,
} from '../kernel-contract.ts';
import { C_MASKS, PHP_MASKS, PYTHON_MASKS, RUBY_MASKS, SHELL_MASKS } from './error-masks.ts';

export interface CommentStyle {
  /** Texts that make the rest of a line a comment, when it begins with them. */
  readonly line: readonly string[];
  /** Of those, the ones that make a doc comment. Longer texts are tried first. */
  readonly docLine: readonly string[];
  readonly open: string | null;
  readonly close: string | null;
  /** Block openings that make a doc comment. */
  readonly docOpen: readonly string[];
  /** Python: a string that begins a line documents what stands above it. */
  readonly hasDocstrings: boolean;
  /** Whether `name(` is a call. */
  readonly hasCalls: boolean;
  /** What hides errors. */
  readonly masks: readonly string[];
}

const NONE: CommentStyle = {
  line: [],
  docLine: [],
  open: null,
  close: null,
  docOpen: [],
  hasDocstrings: false,
  hasCalls: false,
  masks: [],
};

const C_BLOCK = { open: '/*', close: '*/', docOpen: ['/**', '/*!'] };

const FAMILIES: readonly { readonly style: CommentStyle; readonly languages: string }[] = [
  {
    style: { ...NONE, ...C_BLOCK, line: ['//'], docLine: ['///', '//!'], hasCalls: true, masks: C_MASKS },
    languages:
      'C, C++, C#, Java, JavaScript, TypeScript, TSX, Go, Rust, Swift, Kotlin, Scala, Dart, Objective-C, Objective-C++, Groovy, Gradle, Solidity, Zig, D, V, Verilog, SystemVerilog, CUDA, GLSL, HLSL, ActionScript, Apex, ReScript, Haxe, Vala, Protocol Buffer, Thrift, Prisma, Less, SCSS, Stylus, JSON with Comments, JSON5, Jsonnet, Odin, QML, Glimmer JS, Glimmer TS, Astro, Pug',
  },
  { style: { ...NONE, ...C_BLOCK }, languages: 'CSS, PostCSS' },
  {
    style: { ...NONE, ...C_BLOCK, line: ['//', '#'], docLine: ['///'], hasCalls: true, masks: PHP_MASKS },
    languages: 'PHP, Hack, HCL',
  },
  {
    style: { ...NONE, line: ['#'], hasDocstrings: true, hasCalls: true, masks: PYTHON_MASKS },
    languages: 'Python, Cython, Starlark, Mojo, GDScript',
  },
  {
    style: {
      ...NONE,
      line: ['#'],
      docLine: ["#'", '##'],
      open: '=begin',
      close: '=end',
      docOpen: ['=begin'],
      hasCalls: true,
      masks: RUBY_MASKS,
    },
    languages: 'Ruby, Crystal, Perl, Raku, R, Julia, Elixir, Nim, CoffeeScript, Tcl, Awk, Nix',
  },
  {
    style: { ...NONE, line: ['#'], masks: SHELL_MASKS },
    languages:
      'Shell, Fish, Makefile, CMake, Dockerfile, YAML, TOML, Ignore List, Git Attributes, Git Config, Dotenv, Puppet, Nginx, ApacheConf, Just, Meson, PowerShell, Java Properties, CODEOWNERS, Gettext Catalog, GraphQL, Requirements File, Pip Requirements, Nushell, Gherkin, RPM Spec, BitBake, Procfile, EditorConfig',
  },
  { style: { ...NONE, line: ['#', ';'] }, languages: 'INI, NPM Config, Option List, systemd' },
  {
    style: { ...NONE, line: ['--'], open: '/*', close: '*/', hasCalls: true },
    languages: 'SQL, PLSQL, PLpgSQL, TSQL, SQLPL, HiveQL',
  },
  {
    style: { ...NONE, line: ['--'], docLine: ['---'], open: '--[[', close: ']]', hasCalls: true },
    languages: 'Lua, Luau, Teal, MoonScript',
  },
  {
    style: { ...NONE, line: ['--'], docLine: ['-- |', '-- ^'], open: '{-', close: '-}', docOpen: ['{-|'] },
    languages: 'Haskell, Elm, PureScript, Idris, Agda, Lean, Ada, VHDL, AppleScript, Dhall',
  },
  {
    style: { ...NONE, line: [';'], docLine: [';;;'] },
    languages:
      'Clojure, Common Lisp, Scheme, Racket, Emacs Lisp, Assembly, Unix Assembly, NASL, NewLisp, Hy, Fennel, LLVM, AutoHotkey',
  },
  {
    style: { ...NONE, line: ['%'], docLine: ['%%', '%!'], hasCalls: true },
    languages: 'Erlang, Prolog, MATLAB, TeX, PostScript',
  },
  {
    style: { ...NONE, open: '(*', close: '*)', docOpen: ['(**'], hasCalls: false },
    languages: 'OCaml, Standard ML, Rocq Prover, Wolfram Language',
  },
  {
    style: { ...NONE, line: ['//'], docLine: ['///'], open: '(*', close: '*)', hasCalls: true },
    languages: 'F#, Pascal',
  },
  {
    style: { ...NONE, line: ["'"], docLine: ["'''"], hasCalls: true },
    languages: 'Visual Basic .NET, VBA, Visual Basic 6.0, VBScript, BrighterScript',
  },
  { style: { ...NONE, line: ['"'], hasCalls: true }, languages: 'Vim Script' },
  { style: { ...NONE, line: ['!'], hasCalls: true }, languages: 'Fortran, Fortran Free Form' },
  { style: { ...NONE, line: ['::', 'rem ', 'REM ', '@rem'] }, languages: 'Batchfile' },
  {
    style: { ...NONE, open: '<!--', close: '-->' },
    languages:
      'HTML, XML, Markdown, SVG, XML Property List, HTML+Django, HTML+EEX, HTML+PHP, Maven POM, Ant Build System, XAML, XSLT, MDX, ASP.NET, Java Server Pages, FreeMarker, Smarty, Velocity Template Language, Web Ontology Language, Mustache',
  },
  {
    style: { ...NONE, line: ['//'], ...C_BLOCK, hasCalls: true, masks: C_MASKS },
    languages: 'Vue, Svelte, Marko, Riot',
  },
  { style: { ...NONE, line: ['{#'], open: '{#', close: '#}' }, languages: 'Jinja, Twig, Nunjucks' },
  { style: { ...NONE, open: '{{!--', close: '--}}' }, languages: 'Handlebars, Blade' },
  { style: { ...NONE, line: ['<%#'], open: '<!--', close: '-->' }, languages: 'HTML+ERB, EJS' },
  { style: { ...NONE, line: ['..'] }, languages: 'reStructuredText' },
];

/** A programming language we know nothing of: most take after C or the shell. */
const UNKNOWN_PROGRAMMING: CommentStyle = {
  ...NONE,
  ...C_BLOCK,
  line: ['//', '#'],
  hasCalls: true,
  masks: C_MASKS,
};

/** All of them; a style's place here is its number. */
export const COMMENT_STYLES: readonly CommentStyle[] = [
  NONE,
  UNKNOWN_PROGRAMMING,
  ...FAMILIES.map(({ style }) => style),
];

const NUMBER_BY_NAME = new Map<string, number>(
  FAMILIES.flatMap(({ style, languages }) =>
    languages.split(', ').map((name) => [name, COMMENT_STYLES.indexOf(style)] as const),
  ),
);

export function commentStyleNumber(language: number): number {
  const number = NUMBER_BY_NAME.get(LANGUAGE_NAMES[language] ?? '');
  return number ?? COMMENT_STYLES.indexOf(languageType(language) === 'programming' ? UNKNOWN_PROGRAMMING : NONE);
}

/** As the kernel reads it. */
export function styleBytes(style: CommentStyle): Uint8Array {
  const bytes = Buffer.alloc(STYLE_BYTES);
  const { open, close } = style;
  // A leading star continues a block.
  const hasStars = open === '/*';
  for (const mark of [...style.line, ...style.docLine, open ?? '', ...style.docOpen, hasStars ? '*' : ''])
    if (mark !== '') bytes[STYLE_HEADS + mark.charCodeAt(0)] = 1;
  bytes[STYLE_STARS] = hasStars ? 1 : 0;
  bytes[STYLE_DOCSTRINGS] = style.hasDocstrings ? 1 : 0;
  bytes[STYLE_CALLS] = style.hasCalls ? 1 : 0;
  writeMarks(bytes.subarray(STYLE_OPEN, STYLE_CLOSE), open === null ? [] : [open]);
  writeMarks(bytes.subarray(STYLE_CLOSE, STYLE_DOC_OPEN), close === null ? [] : [close]);
  writeMarks(bytes.subarray(STYLE_DOC_OPEN, STYLE_DOC_LINE), style.docOpen);
  writeMarks(bytes.subarray(STYLE_DOC_LINE, STYLE_LINE), style.docLine);
  writeMarks(bytes.subarray(STYLE_LINE, STYLE_MASK_FILTER), style.line);
  writeFilter(bytes.subarray(STYLE_MASK_FILTER, STYLE_MASKS), style.masks);
  writeMarks(bytes.subarray(STYLE_MASKS), style.masks);
  return bytes;
}

/** A text belongs to a set as far as it goes; a blank in it stands for any number of blanks, so any byte may be there. */
function writeFilter(room: Buffer, masks: readonly string[]): void {
  const beginnings = [...new Set(masks.map((mask) => mask.slice(0, FILTERED_BYTES)))];
  for (const [number, beginning] of beginnings.entries()) {
    const bit = 1 << (number % 8);
    const fixed = beginning.search(/[ *]|$/);
    for (let place = 0; place < FILTERED_BYTES; place++) {
      const code = place < fixed ? beginning.charCodeAt(place) : null;
      for (let half = 0; half < 16; half++) {
        if (code === null || half === (code & 15)) room[place * 32 + half]! |= bit;
        if (code === null || half === code >> 4) room[place * 32 + 16 + half]! |= bit;
      }
    }
  }
}

function writeMarks(room: Buffer, marks: readonly string[]): void {
  const list = Buffer.concat(marks.map((mark) => Buffer.from(String.fromCharCode(mark.length) + mark, 'latin1')));
  if (list.length >= room.length) throw new Error(`no room for the marks ${marks.join(' ')}`);
  room.set(list);
}
