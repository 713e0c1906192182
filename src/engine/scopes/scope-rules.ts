// How to recognise functions, classes and doc comments: one row per language family. All patterns are
// tried on a single line, are anchored at its start, and what a repetition repeats can be read in one way only, so
// that no line can make them slow. `name` is the name; `owner`, where given, is the class a function belongs to.

export interface ScopeRule {
  /** Names as in linguist. */
  readonly languages: readonly string[];
  readonly functions: readonly RegExp[];
  readonly containers: readonly RegExp[];
  /** Words that look like a called or declared name but are not one. */
  readonly notNames?: ReadonlySet<string>;
  /** Lines at the header's own indentation that still belong to it. */
  readonly continues?: RegExp;
  /** Lines whose indentation says nothing: labels, preprocessor lines. */
  readonly ignore?: RegExp;
  readonly lineComment: RegExp | null;
  readonly blockComment: readonly [open: string, close: string] | null;
  /** Strings that may span lines. */
  readonly longStrings: readonly (readonly [open: string, close: string])[];
  readonly quotes: string;
  /** Lines between a doc comment and its function: decorators, annotations, attributes. */
  readonly decorator?: RegExp;
  /** Line comments directly above that document a function; null when only block comments do. */
  readonly docLine: RegExp | null;
  /** True when the documentation is the first string inside the function. */
  readonly docString?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const C_CONTROL = words(
  'if else for while do switch case return catch try throw new delete sizeof using lock when await yield synchronized function typeof in of and or not assert defined alignof decltype static_assert foreach fixed checked unchecked super this',
);
const SLASHES = /^\s*\/\//;
const SLASH_BLOCK = ['/*', '*/'] as const;
const C_IGNORE = /^\s*#|^\s*[A-Za-z_]\w*:\s*$|^\s*(?:public|private|protected)(?: slots)?:\s*$/;
const C_CONTINUES = /^\s*(?::|,|where\b|throws\b|extends\b|implements\b|noexcept\b|const\b\s*$|=>|requires\b)/;
const AT_WORD = /^\s*@/;

export const SCOPE_RULES: readonly ScopeRule[] = [
  {
    languages: ['JavaScript', 'TypeScript', 'TSX', 'JSX', 'Vue', 'Svelte'],
    functions: [
      /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*(?<name>[\w$]+)/,
      /^\s*(?:exports|module\.exports|this)\.(?<name>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/,
      /^\s*(?<owner>[\w$]+)(?:\.prototype)?\.(?<name>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)/,
      /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]*)?=\s*(?:[\w$.]+\()?(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>|\(\s*$|<\w+[^>]*>\s*\()/,
      /^\s*(?:'|")?(?<name>[\w$]+)(?:'|")?\s*:\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)/,
      /^\s*(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set|declare)\s+)*\*?\s*#?(?<name>[\w$]+)\s*(?:<[^>]*>)?\s*\((?!['"`]|[^;]*(?:=>|\bfunction\b))(?:[^;]*[{(,])?\s*$/,
      /^\s*(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set)\s+)*#?(?<name>[\w$]+)\s*(?:<[^>]*>)?\s*\((?!['"`]|[^;]*(?:=>|\bfunction\b))[^;]*\)\s*(?::[^;{]*)?\{/,
      /^\s*(?:(?:public|private|protected|static|readonly)\s+)*#?(?<name>[\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]*)?=>/,
    ],
    containers: [
      /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/,
      /^\s*(?:export\s+)?(?:declare\s+)?(?:interface|namespace|module|enum|const enum)\s+(?<name>[\w$.]+)/,
      /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*=\s*class\b/,
    ],
    notNames: words(
      'if else for while do switch case return catch try throw new delete typeof function await yield with super import',
    ),
    continues: C_CONTINUES,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['`', '`']],
    quotes: '\'"',
    decorator: AT_WORD,
    docLine: null,
  },
  {
    languages: ['Python', 'Cython', 'Starlark'],
    functions: [/^\s*(?:async\s+)?(?:def|cpdef|cdef)\s+(?<name>\w+)\s*\(/, /^\s*(?<name>\w+)\s*=\s*lambda\b/],
    containers: [/^\s*(?:cdef\s+)?class\s+(?<name>\w+)/],
    lineComment: /^\s*#/,
    blockComment: null,
    longStrings: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
    quotes: '\'"',
    decorator: AT_WORD,
    docLine: null,
    docString: true,
  },
  {
    languages: ['Java', 'Groovy'],
    functions: [
      /^\s*(?!(?:return|new|throw|else|assert|yield|case)\b)(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|strictfp)\s+|@\w+(?:\([^)]*\))?\s+|<[^>]*>\s*)*[\w.$]+(?:<[^;(]*>)?(?:\[\])*\s+(?<name>\w+)\s*\([^;]*(?:$|\{)/,
      /^\s*(?:(?:public|private|protected)\s+)?(?<name>[A-Z]\w*)\s*\([^;]*(?:[{,(]|\))\s*$/,
    ],
    containers: [
      /^\s*(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?:class|interface|@interface|enum|record|trait)\s+(?<name>\w+)/,
    ],
    notNames: C_CONTROL,
    continues: C_CONTINUES,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['"""', '"""']],
    quotes: '\'"',
    decorator: AT_WORD,
    docLine: null,
  },
  {
    languages: ['C#'],
    functions: [
      /^\s*(?!(?:return|new|throw|else|yield|await|case|goto)\b)(?:(?:public|private|protected|internal|static|virtual|override|abstract|sealed|async|unsafe|extern|new|partial|readonly)\s+)*[\w.?[\],]+(?:<[^;(]*>)?[?[\]]*\s+(?<name>[\w.]+)\s*(?:<[^>]*>)?\s*\([^;]*(?:$|=>|\{)/,
      /^\s*(?:(?:public|private|protected|internal|static)\s+)+(?<name>[A-Z]\w*)\s*\([^;]*(?:$|=>|\{)/,
      /^\s*(?:(?:public|private|protected|internal|static|virtual|override|abstract|sealed|new|readonly|required)\s+)+[\w.?<>,[\] ]+\s(?<name>\w+)\s*(?:\{|=>|$)/,
    ],
    containers: [
      /^\s*(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly|ref|file)\s+)*(?:class|interface|struct|enum|record(?:\s+(?:class|struct))?)\s+(?<name>\w+)/,
      /^\s*namespace\s+(?<name>[\w.]+)/,
    ],
    notNames: C_CONTROL,
    continues: C_CONTINUES,
    ignore: /^\s*#/,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['"""', '"""']],
    quotes: '\'"',
    decorator: /^\s*\[/,
    docLine: /^\s*\/\/\/\s?/,
  },
  {
    languages: ['C', 'C++', 'Objective-C', 'Objective-C++', 'CUDA', 'Cuda', 'GLSL', 'HLSL'],
    functions: [
      /^\s*[-+]\s*\([^)]*\)\s*(?<name>\w+)/,
      /^(?:[\w*&<>,:\s[\]]*?[\s*&])?(?<owner>\w+)(?:<[^>]*>)?::(?<name>~?\w+|operator\s*[^\s(]+)\s*\([^;]*$/,
      /^(?:[\w*&<>,:\s[\]]*?[\s*&])?(?<owner>\w+)(?:<[^>]*>)?::(?<name>~?\w+|operator\s*[^\s(]+)\s*\([^;]*\)[^;=]*\{/,
      /^\s*(?!(?:return|new|throw|else|assert|yield|await|case|goto|delete|co_return|co_await)\b)(?:(?:static|inline|extern|virtual|explicit|constexpr|consteval|friend|const|unsigned|signed|struct|enum|template\s*<[^>]*>|__\w+(?:\([^)]*\))?|(?!__)[A-Z_]{4,}(?:\([^)]*\))?)\s+)*[A-Za-z_][\w:<>,]*(?:\s+const)?[\s*&]+(?<name>~?[A-Za-z_]\w*|operator\s*[^\s(]+)\s*\([^;]*$/,
      /^\s*(?!(?:return|new|throw|else|assert|yield|await|case|goto|delete|co_return|co_await)\b)(?:(?:static|inline|extern|virtual|explicit|constexpr|friend|const|unsigned|struct)\s+)*[A-Za-z_][\w:<>,]*(?:\s+const)?[\s*&]+(?<name>~?[A-Za-z_]\w*|operator\s*[^\s(]+)\s*\([^;]*\)[^;=]*\{/,
      /^\s*(?:explicit\s+)?(?<name>~?[A-Za-z_]\w*)\s*\([^;]*\)\s*(?::[^;]*)?(?:\{|$)/,
    ],
    containers: [
      /^\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:class|struct|union|enum(?:\s+class)?)\s+(?:[A-Z_]{4,}\s+)?(?<name>\w+)[^;()=]*$/,
      /^\s*(?:inline\s+)?namespace\s+(?<name>[\w:]+)/,
      /^\s*@(?:implementation|interface|protocol)\s+(?<name>\w+)/,
    ],
    notNames: C_CONTROL,
    continues: C_CONTINUES,
    ignore: C_IGNORE,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [],
    quotes: '\'"',
    decorator: /^\s*(?:\[\[|__attribute__|template\s*<|[A-Z_]{4,}\([^)]*\)\s*$)/,
    docLine: /^\s*\/\/[/!]?<?\s?/,
  },
  {
    languages: ['Go'],
    functions: [
      /^func\s+\(\s*(?:\w+\s+)?\*?(?<owner>\w+)(?:\[[^\]]*\])?\s*\)\s*(?<name>\w+)/,
      /^func\s+(?<name>\w+)/,
      /^\s*(?<name>\w+)\s*:?=\s*func\s*\(/,
    ],
    containers: [/^\s*(?:type\s+)?(?<name>\w+)\s+(?:struct|interface)\b/],
    ignore: /^\s*\w+:\s*$/,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['`', '`']],
    quotes: '"',
    docLine: /^\s*\/\/\s?/,
  },
  {
    languages: ['Rust'],
    functions: [
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+(?:"[^"]*"\s+)?)?fn\s+(?<name>\w+)/,
      /^\s*macro_rules!\s*(?<name>\w+)/,
    ],
    containers: [
      /^\s*(?:unsafe\s+)?impl(?:<[^{]*?>)?\s+(?:[^{]*?\sfor\s+)(?:&(?:'\w+\s+)?(?:mut\s+)?)?(?<name>[\w:]+)/,
      /^\s*(?:unsafe\s+)?impl(?:<[^{]*?>)?\s+(?<name>[\w:]+)/,
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|union|trait|mod)\s+(?<name>\w+)/,
    ],
    continues: C_CONTINUES,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['r#"', '"#']],
    quotes: '"',
    decorator: /^\s*#!?\[/,
    docLine: /^\s*\/\/[/!]\s?/,
  },
  {
    languages: ['Ruby', 'Crystal'],
    functions: [
      /^\s*(?:(?:private|protected|public|module_function|private_class_method|memoize)\s+)?def\s+(?:self\.|(?<owner>[A-Z]\w*)\.)?(?<name>[\w]+[?!=]?|[^\s\w(]+)/,
      /^\s*define_method\s*\(?\s*[:'"](?<name>[\w?!=]+)/,
    ],
    containers: [
      /^\s*(?:class|module)\s+(?!<<)(?<name>[\w:]+)/,
      /^\s*(?<name>[A-Z]\w*)\s*=\s*(?:Struct|Class|Module|Data)\.(?:new|define)\b/,
    ],
    lineComment: /^\s*#/,
    blockComment: null,
    longStrings: [['=begin', '=end']],
    quotes: '\'"',
    docLine: /^\s*#\s?/,
  },
  {
    languages: ['PHP', 'Hack'],
    functions: [
      /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?\s*(?<name>\w+)/,
      /^\s*\$(?<name>\w+)\s*=\s*(?:static\s+)?(?:function|fn)\b/,
    ],
    containers: [
      /^\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+(?<name>\w+)/,
      /^\s*namespace\s+(?<name>[\w\\]+)\s*\{?$/,
    ],
    continues: C_CONTINUES,
    lineComment: /^\s*(?:\/\/|#(?!\[))/,
    blockComment: SLASH_BLOCK,
    longStrings: [],
    quotes: '\'"',
    decorator: /^\s*#\[/,
    docLine: null,
  },
  {
    languages: ['Swift'],
    functions: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|static|class|final|override|mutating|nonmutating|required|convenience|dynamic|nonisolated|prefix|postfix|infix)\s+)*func\s+(?<name>\w+|[^\s\w(]+)/,
      /^\s*(?:@\w+\s+)*(?:(?:public|private|fileprivate|internal|open|override|required|convenience)\s+)*(?<name>init|deinit|subscript)\b[?!]?\s*[({<]/,
      /^\s*(?:(?:public|private|fileprivate|internal|open|static|override|lazy)\s+)*var\s+(?<name>\w+)\s*:[^={]*\{\s*$/,
    ],
    containers: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|final|indirect)\s+)*(?:class|struct|enum|protocol|extension|actor)\s+(?<name>[\w.]+)/,
    ],
    continues: C_CONTINUES,
    ignore: /^\s*#/,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['"""', '"""']],
    quotes: '"',
    decorator: AT_WORD,
    docLine: /^\s*\/\/\/\s?/,
  },
  {
    languages: ['Kotlin'],
    functions: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|internal|open|override|abstract|final|suspend|inline|operator|infix|tailrec|external|actual|expect)\s+)*fun\s+(?:<[^>]*>\s*)?(?:(?<owner>[A-Z]\w*)(?:<[^>]*>)?\??\.)?(?<name>\w+|`[^`]+`)/,
    ],
    containers: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|internal|open|abstract|final|sealed|data|inner|enum|annotation|value|inline|companion|actual|expect|fun)\s+)*(?:class|interface|object)\s+(?<name>\w+)/,
    ],
    continues: C_CONTINUES,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['"""', '"""']],
    quotes: '\'"',
    decorator: AT_WORD,
    docLine: null,
  },
  {
    languages: ['Scala'],
    functions: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|protected|final|override|implicit|inline|transparent|lazy|given)(?:\[\w+\])?\s+)*def\s+(?<name>\w+|[^\s\w(:=[]+)/,
    ],
    containers: [
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|protected|final|abstract|sealed|implicit|case|open)(?:\[\w+\])?\s+)*(?:class|object|trait|enum|package object)\s+(?<name>\w+)/,
    ],
    continues: /^\s*(?:extends\b|with\b|:|\))/,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [['"""', '"""']],
    quotes: '"',
    decorator: AT_WORD,
    docLine: null,
  },
  {
    languages: ['Shell', 'Bash', 'Zsh', 'Fish'],
    functions: [/^\s*(?:function\s+)?(?<name>[\w:.-]+)\s*\(\s*\)/, /^\s*function\s+(?<name>[\w:.-]+)/],
    containers: [],
    lineComment: /^\s*#/,
    blockComment: null,
    longStrings: [],
    quotes: '',
    docLine: /^\s*#(?!!)\s?/,
  },
  {
    languages: ['Dart'],
    functions: [
      /^\s*(?!(?:return|new|throw|else|assert|yield|await|case|goto|delete|co_return|co_await)\b)(?:(?:static|final|external|abstract)\s+)*(?:[\w.?]+(?:<[^;(]*>)?\??\s+)?(?:get\s+|set\s+|factory\s+)?(?<name>[\w.]+)\s*\([^;]*(?:$|\{|=>|async)/,
    ],
    containers: [
      /^\s*(?:(?:abstract|sealed|base|final|interface|mixin)\s+)*(?:class|mixin|enum|extension)\s+(?<name>\w+)/,
    ],
    notNames: C_CONTROL,
    continues: C_CONTINUES,
    lineComment: SLASHES,
    blockComment: SLASH_BLOCK,
    longStrings: [
      ["'''", "'''"],
      ['"""', '"""'],
    ],
    quotes: '\'"',
    decorator: AT_WORD,
    docLine: /^\s*\/\/\/\s?/,
  },
  {
    languages: ['Lua'],
    functions: [
      /^\s*(?:local\s+)?function\s+(?:(?<owner>[\w.]+)[.:])?(?<name>\w+)\s*\(/,
      /^\s*(?:local\s+)?(?:(?<owner>[\w.]+)\.)?(?<name>\w+)\s*=\s*function\b/,
    ],
    containers: [],
    lineComment: /^\s*--/,
    blockComment: ['--[[', ']]'],
    longStrings: [['[[', ']]']],
    quotes: '\'"',
    docLine: /^\s*--+\s?/,
  },
  {
    languages: ['Elixir'],
    functions: [/^\s*(?:def|defp|defmacro|defmacrop|defguard|defdelegate)\s+(?<name>\w+[?!]?)/],
    containers: [/^\s*(?:defmodule|defprotocol|defimpl)\s+(?<name>[\w.]+)/],
    lineComment: /^\s*#/,
    blockComment: null,
    longStrings: [['"""', '"""']],
    quotes: '"',
    decorator: /^\s*@(?:spec|impl|doc false|deprecated)/,
    docLine: /^\s*#\s?/,
  },
];
