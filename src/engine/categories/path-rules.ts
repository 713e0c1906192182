// What a path says about a file, as tables: generated, third-party, documentation (after linguist's
// rules, MIT, restated), and the patterns that tell the kinds of code apart. First match wins.
import type { CategoryKey } from '../../domain/commits/line-model.ts';

/** Written by a program. */
export const GENERATED_PATHS: readonly RegExp[] = [
  // lock files of package managers
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock)$/,
  /(^|\/)(composer\.lock|Gemfile\.lock|Cargo\.lock|Cargo\.toml\.orig|poetry\.lock|pdm\.lock|uv\.lock|Pipfile\.lock|pixi\.lock)$/,
  /(^|\/)(go\.sum|Gopkg\.lock|glide\.lock|flake\.lock|mix\.lock|Podfile\.lock|Package\.resolved|pubspec\.lock|packages\.lock\.json|gradle\.lockfile|MODULE\.bazel\.lock|\.terraform\.lock\.hcl)$/,
  // minified, bundled, mapped
  /[-.]min\.(js|mjs|css)$/,
  /\.(js|css|mjs|cjs)\.map$/,
  /(^|\/)\.pnp\.[a-z]+$/,
  // output of code generators
  /\.pb\.(go|cc|h|c|rb|swift|dart|ts)$/,
  /_pb2(_grpc)?\.pyi?$/,
  /_pb\.(js|d\.ts|ts|rb)$/,
  /(\.|_)generated\.[a-z]+$/i,
  /(^|\/)(__generated__|_?generated)\//,
  /\.(designer|g|g\.i)\.(cs|vb)$/i,
  /\.(g|freezed|gr|mocks)\.dart$/,
  /(^|\/)zz_generated\.[^/]+\.go$/,
  /_string\.go$|(^|\/)bindata\.go$|_mock\.go$/,
  /\.(nib|xcworkspacedata|xcuserstate|pbxproj|storyboard)$/,
  /(^|\/)Cargo\.bazel\.lock$/,
  /\.(cs|vb)proj\.user$/,
  /(^|\/)(gradlew|gradlew\.bat|mvnw|mvnw\.cmd|gradle\/wrapper\/.*)$/,
  /(^|\/)(configure|aclocal\.m4|config\.(guess|sub)|ltmain\.sh|Makefile\.in|libtool\.m4)$/,
  /\.feature\.cs$|\.xsd\.cs$/,
  /(^|\/)(dist|build|out)\/.*\.(js|css|mjs|cjs|map)$/,
  /(^|\/)(javadoc|apidoc|_build)\/.*\.html$/,
  /\.(pot|mo|jar|class|pyc|o|so|dll|wasm)$/,
];

/** Somebody else's code kept in the repository. */
export const THIRD_PARTY_PATHS: readonly RegExp[] = [
  /(^|\/)(node_modules|bower_components|jspm_packages|web_modules)\//,
  /(^|\/)(vendors?|_vendor|vendored)\//i,
  /(^|\/)(third[-_]?party|3rd[-_]?party|externals?|extern|deps|Pods|Carthage|Godeps\/_workspace|elm-stuff)\//,
  /(^|\/)\.yarn\/(releases|plugins|sdks|versions|unplugged)\//,
  /(^|\/)(cordova|fastclick|foundation|normalize|skeleton|animate|bourbon)([.-][\d.]+)?(\.min)?\.(js|css|less|scss|styl)$/,
  /(^|\/)(jquery|jquery[-.]ui|jquery[-.]\d[^/]*|select2|bootstrap[^/]*|font-?awesome|prototype|mootools[^/]*|dojo|MochiKit|ember[-.]?[^/]*|react[-.]\d[^/]*|angular([-.][a-z]+)?|d3(\.v\d+)?|modernizr[^/]*|underscore|lodash|backbone|raphael|xregexp|html5shiv|respond|less|tiny_?mce|ckeditor|codemirror|fabric|proj4|OpenLayers|moment)(\.min|-min|\.slim)?\.(js|css)$/i,
  /(^|\/)(jquery|select2|bootstrap|font-?awesome|tiny_?mce|ckeditor|codemirror|openlayers|leaflet|mathjax|highlight\.js|xregexp)\/.*\.(js|css|scss|less)$/i,
  /(^|\/)(gradle|\.mvn)\/wrapper\//,
  /(^|\/)(inst\/extdata|packrat)\//,
  /(^|\/)(site-packages|virtualenv|\.?venv)\//,
  /(^|\/)\.(obsidian|teamcity)\//,
  /(^|\/)(autoload|bundle)\/[^/]+\.vim$/,
];

export const DOCUMENTATION_PATHS: readonly RegExp[] = [
  /(^|\/)(docs?|documentation|javadoc|man|groovydoc)\//i,
  /(^|\/)(examples?|samples?|demos?)\//i,
  /(^|\/)(README|READ\.?ME|CHANGE(S|LOG)|CONTRIBUTING|CODE_OF_CONDUCT|COPYING|INSTALL|LICEN[CS]E|NEWS|HISTORY|AUTHORS|CONTRIBUTORS|MAINTAINERS|SECURITY|TODO|NOTICE|GOVERNANCE|UPGRAD(E|ING)|SUPPORT)([-_][^/.]*)?((\.[a-z-]{2,6})?\.(md|markdown|txt|rst|adoc|org|html?|rdoc|textile|pod))?$/i,
];

/** A rule holds when the path matches; `languages`, where given, must hold the file's language too. */
export interface CategoryRule {
  readonly category: CategoryKey;
  readonly path?: RegExp;
  readonly languages?: ReadonlySet<string>;
  readonly multiplier?: number;
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(',').map((name) => name.trim()));

const PROSE = names(
  'Markdown, reStructuredText, AsciiDoc, Org, Textile, RDoc, MediaWiki, Pod, Text, RMarkdown, MDX, Creole, Roff, Roff Manpage, TeX, BibTeX, Typst',
);
const DATA = names(
  'JSON, JSON5, JSONLD, GeoJSON, CSV, TSV, SVG, Gettext Catalog, XML, Public Key, SubRip Text, Diff, Unity3D Asset, Jupyter Notebook, Wavefront Object, Wavefront Material, STL, X BitMap, X PixMap, G-code, Gerber Image, Pickle, TopoJSON, XLIFF, Microsoft Developer Studio Project, EditorConfig',
);
/** Bulk data is worth a tenth, whatever holds it. */
const DATA_MULTIPLIER = 0.1;
const MARKUP_CONFIG = names(
  'YAML, TOML, INI, Java Properties, XML, JSON, JSON with Comments, JSON5, HCL, ApacheConf, Nginx, EditorConfig, Git Config, Git Attributes, Ignore List, Dotenv, XML Property List, NPM Config, Option List, HOCON, CODEOWNERS, Kickstart, Dhall, Pkl, CUE, KDL, Jsonnet, SSH Config, systemd, desktop, Windows Registry Entries, RON, Salt, Nix, Bicep',
);
const SQL = names('SQL, PLSQL, PLpgSQL, TSQL, SQLPL, HiveQL, Prisma, DBML, Cypher, Kusto, LookML');
const STYLES = names('CSS, SCSS, Sass, Less, Stylus, PostCSS');
const TEMPLATES = names(
  'HTML, HTML+ERB, HTML+Django, HTML+EEX, HTML+PHP, HTML+Razor, HTML+ECR, Jinja, Handlebars, Mustache, EJS, Pug, Haml, Slim, Twig, Blade, Smarty, Liquid, Nunjucks, FreeMarker, Java Server Pages, Groovy Server Pages, ASP.NET, Classic ASP, Velocity Template Language, Latte, Go Template, Genshi, Marko, Mako, StringTemplate, XSLT, Closure Templates, Web Ontology Language, Antlers, Edge, Eta, Jte',
);
const COMPONENTS = names(
  'TSX, Vue, Svelte, Astro, Glimmer JS, Glimmer TS, Elm, QML, Riot, Imba, XAML, ActionScript, Markojs',
);
const SCRIPTING = names('JavaScript, TypeScript, CoffeeScript, LiveScript, Dart, ReScript, PureScript');
const SHELL = names(
  'Shell, Batchfile, PowerShell, Makefile, CMake, Dockerfile, Just, Meson, Ninja, Starlark, M4, M4Sugar, Automake, Autoconf, QMake, Groovy, Gradle, Earthly, Fish, Nushell, Awk, sed, RPM Spec, BitBake, Ant Build System, Maven POM, Rake, SCons, Procfile, robots.txt, NSIS, Inno Setup, tcsh, Tcsh, Xonsh',
);

const IN_TESTS = /(^|\/)(tests?|specs?|__tests?__|testing|e2e|cypress|playwright|[a-z]+[-_]tests?|tests?[-_][a-z]+)\//i;

export const CATEGORY_RULES: readonly CategoryRule[] = [
  // fixtures before tests: they stand inside test folders
  {
    category: 'test_fixtures',
    path: /(^|\/)(__snapshots__|__fixtures__|fixtures?|testdata|test[-_]data|cassettes|goldens?|__image_snapshots__)\//,
  },
  { category: 'test_fixtures', path: /\.(snap|golden|cassette)$/ },
  { category: 'test_fixtures', path: IN_TESTS, languages: DATA },
  { category: 'test_fixtures', path: IN_TESTS, languages: PROSE },
  { category: 'tests', path: /(^|\/)(test|tests|conftest)[^/]*\.(py|rb|php|pl|lua|sh|js|ts|jl|nim|c|cc|cpp|h)$/ },
  { category: 'tests', path: /[._-](test|tests|spec|specs|e2e|cy|test-d|bench)\.[a-z]+$/i },
  {
    category: 'tests',
    path: /[a-z0-9](Tests?|TestCase|Spec|IT|Steps)\.(java|kt|kts|scala|groovy|cs|fs|vb|swift|php|m|mm|hs|cpp)$/,
  },
  {
    category: 'tests',
    path: /\.feature$|(^|\/)(jest|vitest|karma|cypress|playwright|wdio|pytest|phpunit|tox)\.[^/]*$/,
  },
  { category: 'tests', path: IN_TESTS },
  {
    category: 'database_migrations',
    path: /(^|\/)(migrations?|db\/migrate|alembic\/versions|changelogs?\/db|liquibase|flyway)\/.*\.(py|rb|php|sql|js|ts|cs|go|java|kt|ex|exs|xml|ya?ml|pl)$/i,
  },
  { category: 'database_migrations', path: /(^|\/)[VUR]\d+[\d._]*__[^/]+\.sql$/ },
  {
    category: 'dependency_config',
    path: /(^|\/)(package\.json|bower\.json|component\.json|composer\.json|Gemfile|[^/]+\.gemspec|requirements[^/]*\.(txt|in)|requirements\/[^/]+\.(txt|in)|constraints[^/]*\.txt|Pipfile|pyproject\.toml|setup\.(py|cfg)|go\.(mod|work)|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|libs\.versions\.toml|Podfile|Cartfile|Package\.swift|pubspec\.ya?ml|mix\.exs|rebar\.config|deps\.edn|project\.clj|build\.sbt|[^/]+\.(csproj|fsproj|vbproj|nuspec)|packages\.config|Directory\.(Build|Packages)\.props|environment\.ya?ml|conanfile\.(txt|py)|vcpkg\.json|stack\.yaml|[^/]+\.cabal|elm\.json|dub\.(json|sdl)|shard\.yml|deno\.jsonc?|pnpm-workspace\.yaml|renovate\.json5?|\.github\/dependabot\.yml)$/,
  },
  {
    category: 'scripts_build',
    path: /(^|\/)(\.github\/(workflows|actions)|\.circleci|\.buildkite|\.gitlab|\.woodpecker|ci|buildSrc|\.husky|build-logic|gradle\/(plugins|base))\//,
  },
  {
    category: 'scripts_build',
    path: /(^|\/)(\.travis\.yml|\.gitlab-ci\.yml|appveyor\.yml|azure-pipelines[^/]*\.yml|bitbucket-pipelines\.yml|Jenkinsfile[^/]*|Dockerfile[^/]*|docker-compose[^/]*\.ya?ml|compose\.ya?ml|Makefile[^/]*|GNUmakefile|CMakeLists\.txt|Rakefile|Gruntfile\.[a-z]+|gulpfile\.[a-z]+|(webpack|rollup|vite|esbuild|babel|tsup)\.config[^/]*|Vagrantfile|Fastfile|BUILD(\.bazel)?|WORKSPACE|Tiltfile|Taskfile\.ya?ml|justfile|fabfile\.py|noxfile\.py|tasks\.py)$/i,
  },
  { category: 'documentation', languages: PROSE },
  // A table of database rows in code form, before languages that could be anything.
  { category: 'database_sql', languages: SQL },
  { category: 'database_sql', path: /(^|\/)(db\/(schema|structure|seeds?)[^/]*\.(rb|sql)|schema\.(sql|prisma))$/ },
  { category: 'styles', languages: STYLES },
  { category: 'views_templates', languages: TEMPLATES },
  {
    category: 'views_templates',
    path: /(^|\/)(templates?|views|layouts|partials|jinja2)\/.*\.(html?|txt|xml|tpl|tmpl|erb|js|j2|php-tpl|email)$/i,
  },
  { category: 'configuration', path: /(^|\/)\.[^/]+(\.(json|ya?ml|js|cjs|mjs|toml|ini|ts))?$/ },
  {
    category: 'configuration',
    path: /(^|\/)[^/]*(config|conf|settings|rc)\.(json|jsonc|json5|js|cjs|mjs|ts|toml|ini|ya?ml|xml)$/i,
  },
  {
    category: 'configuration',
    path: /(^|\/)(config|conf|settings|etc|deploy|k8s|kubernetes|helm|charts|terraform|ansible|\.vscode|\.idea)\/.*\.(json|ya?ml|toml|ini|xml|properties|conf|tf|hcl|cfg|env|rb)$/i,
  },
  {
    category: 'configuration',
    languages: names(
      'YAML, TOML, INI, Java Properties, HCL, ApacheConf, Nginx, EditorConfig, Git Config, Git Attributes, Ignore List, Dotenv, XML Property List, NPM Config, HOCON, CODEOWNERS, Dhall, Pkl, CUE, KDL, Jsonnet, JSON with Comments, Option List, systemd, Nix',
    ),
  },
  // JSON and XML near the root configure something; deeper they are data.
  { category: 'configuration', path: /^([^/]+\/)?[^/]+\.(json|json5|xml)$/, languages: MARKUP_CONFIG },
  { category: 'other', languages: DATA, multiplier: DATA_MULTIPLIER },
  { category: 'scripts_build', languages: SHELL },
  { category: 'scripts_build', path: /(^|\/)(scripts?|tools?|bin|build|tasks|hack|devtools|\.ci)\// },
  { category: 'frontend', languages: COMPONENTS },
  {
    category: 'frontend',
    path: /(^|\/)(front-?end|client|web|webapp|ui|components?|pages|hooks|public|static|assets|browser|app\/javascript|javascripts?|js)\//i,
    languages: SCRIPTING,
  },
  { category: 'frontend', path: /\.jsx$/ },
];

/** Marks in the first lines of a file by which generators tell that they wrote it. */
export const GENERATED_MARKS: readonly string[] = [
  'DO NOT EDIT',
  'do not edit',
  'Do not edit',
  '@generated',
  'Code generated by',
  'Generated by the protocol buffer compiler',
  'Autogenerated by Thrift',
  'This file was automatically generated',
  'This file was generated by',
  '<auto-generated',
];
