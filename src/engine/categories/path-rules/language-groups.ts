// Languages that say the same about a file, by their names in linguist's table.

const names = (text: string): ReadonlySet<string> => new Set(text.split(',').map((name) => name.trim()));

export const PROSE = names(
  'Markdown, reStructuredText, AsciiDoc, Org, Textile, RDoc, Wikitext, Pod, Text, RMarkdown, MDX, Creole, Roff, Roff Manpage, TeX, BibTeX, Typst',
);
export const PLAIN_TEXT = names('Text');
/** Rows, pictures, output: nothing that people write line by line. */
export const DATA = names(
  'CSV, TSV, SVG, Public Key, SubRip Text, Diff, Unity3D Asset, Jupyter Notebook, Wavefront Object, Wavefront Material, STL, X BitMap, X PixMap, G-code, Gerber Image, Pickle, Jest Snapshot, Linux Kernel Module, Raw token data, PDDL, Glyph Bitmap Distribution Format, Adobe Font Metrics',
);
/** Translated texts. */
export const CATALOGS = names('Gettext Catalog, Fluent');
/** Formats that hold data in one place and configure something in another. */
export const RECORDS = names('JSON, JSON5, JSONLD, XML');
export const CONFIGURATION = names(
  'YAML, TOML, INI, Java Properties, HCL, ApacheConf, Nginx, EditorConfig, Git Config, Git Attributes, Ignore List, Dotenv, XML Property List, NPM Config, HOCON, CODEOWNERS, Dhall, Pkl, CUE, KDL, Jsonnet, JSON with Comments, Option List, Nix, Bicep, SSH Config, Kickstart, desktop, Windows Registry Entries, RON, Salt, Terraform Template, Microsoft Visual Studio Solution, Browserslist, Singularity',
);
/** They name themselves: the same file configures the same thing wherever it lies. */
export const SELF_NAMED_CONFIGURATION = names(
  'EditorConfig, Git Config, Git Attributes, Ignore List, NPM Config, CODEOWNERS',
);
export const SQL = names('SQL, PLSQL, PLpgSQL, TSQL, SQLPL, HiveQL, Prisma, Cypher, Kusto, LookML');
export const STYLES = names('CSS, SCSS, Sass, Less, Stylus, PostCSS');
export const TEMPLATES = names(
  'HTML, HTML+ERB, HTML+EEX, HTML+PHP, HTML+Razor, HTML+ECR, Jinja, Handlebars, Mustache, EJS, Pug, Haml, Slim, Twig, Blade, Smarty, Liquid, Nunjucks, FreeMarker, Java Server Pages, Groovy Server Pages, ASP.NET, Classic ASP, Velocity Template Language, Latte, Go Template, Genshi, Marko, Mako, StringTemplate, XSLT, Closure Templates, Web Ontology Language, Antlers, Edge',
);
export const COMPONENTS = names('TSX, Vue, Svelte, Astro, Glimmer JS, Glimmer TS, Elm, QML, Riot, Imba, ActionScript');
export const SCRIPTING = names('JavaScript, TypeScript, CoffeeScript, LiveScript, Dart, ReScript, PureScript');
/** Written by hand and compiled, though linguist counts them as data. */
export const INTERFACES = names(
  "Protocol Buffer, GraphQL, Thrift, Cap'n Proto, WebIDL, ASN.1, RAML, OASv2-json, OASv2-yaml, OASv3-json, OASv3-yaml, Smithy, Avro IDL",
);
export const SHELL = names(
  'Shell, Batchfile, PowerShell, Makefile, CMake, Dockerfile, Just, Meson, Ninja, Starlark, M4, M4Sugar, QMake, Groovy, Gradle, Earthly, fish, Nushell, Awk, sed, RPM Spec, BitBake, Ant Build System, Maven POM, Procfile, NSIS, Inno Setup, Tcsh, Xonsh, Go Checksums',
);
