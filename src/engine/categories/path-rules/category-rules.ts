// The patterns that tell the kinds of code apart, as a table. The first rule that holds decides. Generated and third-party
// files are left aside before (foreign-paths.ts).
import type { CategoryKey } from '../../../domain/commits/line-model.ts';
import {
  CATALOGS,
  COMPONENTS,
  CONFIGURATION,
  DATA,
  INTERFACES,
  PLAIN_TEXT,
  PROSE,
  RECORDS,
  SCRIPTING,
  SELF_NAMED_CONFIGURATION,
  SHELL,
  SQL,
  STYLES,
  TEMPLATES,
} from './language-groups.ts';
import { isLocalization } from './localization-paths.ts';
import { both, either, inFolder, named, type PathTest } from './path-test.ts';

/** A rule holds when everything that it names holds. */
export interface CategoryRule {
  readonly category: CategoryKey;
  readonly path?: PathTest;
  /** Where the file lies, in addition to what its path matches. */
  readonly within?: PathTest;
  readonly outside?: PathTest;
  readonly languages?: ReadonlySet<string>;
  /** Whether its language is a programming language. */
  readonly isCode?: boolean;
}

const IN_TESTS = inFolder(
  /(^|\/)(tests?|t|specs?|__tests?__|testing|e2e|cypress|playwright|doctests?|test-?utils?|__mocks__|fuzz(ing|_targets)?|bench(es|marks?)?|(src\/)?testFixtures|(android|integration|functional|unit)Tests?|[a-z0-9]+([-_][a-z0-9]+)*[-_]tests?|tests?[-_][a-z]+([-_][a-z0-9]+)*|[^/]+\.((Unit|Integration|Functional)?Tests?|Specs?))\//i,
);
const IN_DOCUMENTATION = inFolder(
  /(^|\/)(docs?|documentation|javadoc|man|groovydoc|LICENSES|release-?notes|api-ref|news(fragments)?|changelog\.d|changelogs?|\.changeset)\//i,
);
/** An example is judged by its language. */
const IN_EXAMPLES = inFolder(/(^|\/)(examples?|samples?|demos?)\//i);
const SNAPSHOT = either(
  inFolder(/(^|\/)(__snapshots__|__image_snapshots__)\//),
  named(/\.(snap|ambr|cassette|golden)$|\.(verified|received|approved|snap)\.[^/]+$/),
);

export const CATEGORY_RULES: readonly CategoryRule[] = [
  // what tests recorded, before the tests that stand beside it
  { category: 'test_fixtures', path: SNAPSHOT, within: IN_TESTS },
  { category: 'data', path: SNAPSHOT },
  {
    category: 'test_fixtures',
    path: inFolder(
      /(^|\/)(__fixtures__|fixtures?|test[-_]fixtures?|testdata|test[-_]data|test[-_]resources|src\/test\/resources|cassettes|goldens?)\//i,
    ),
  },
  // texts about tests are texts
  { category: 'documentation', path: IN_DOCUMENTATION, languages: PROSE },
  {
    category: 'documentation',
    path: named(
      /^(README|READ\.?ME|CHANGE(S|LOG)|CONTRIBUTING|CODE_OF_CONDUCT|COPYING|INSTALL|LICEN[CS]E|NEWS|HISTORY|AUTHORS|CONTRIBUTORS|MAINTAINERS|SECURITY|TODO|NOTICE|GOVERNANCE|UPGRAD(E|ING)|SUPPORT)([-_.][^/.]*)?(\.[a-z-]{2,6})?\.(md|markdown|txt|rst|adoc|org|html?|rdoc|textile|pod)$/i,
    ),
  },
  {
    category: 'documentation',
    path: named(
      /^(README|READ\.?ME|CHANGES|CHANGELOG|CONTRIBUTING|COPYING|INSTALL|LICEN[CS]E|Licen[cs]e|NEWS|HISTORY|AUTHORS|CONTRIBUTORS|MAINTAINERS|SECURITY|TODO|NOTICE)([-_.][^/.]*)?$/,
    ),
  },
  // files whose names say what they are, wherever they lie
  {
    category: 'dependency_config',
    path: either(
      named(
        /^(package\.json|bower\.json|component\.json|composer\.json|Gemfile|[^/]+\.gemspec|[^/]*requirements[^/]*\.(txt|in)|(lower-)?constraints[^/]*\.txt|Pipfile|pyproject\.toml|setup\.(py|cfg)|go\.(mod|work)|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|libs\.versions\.toml|Podfile|Cartfile|Package\.swift|pubspec\.ya?ml|mix\.exs|rebar\.config|deps\.edn|project\.clj|build\.sbt|[^/]+\.(csproj|fsproj|vbproj|nuspec)|packages\.config|[Nn]u[Gg]et\.config|Directory\.(Build|Packages)\.props|environment\.ya?ml|conanfile\.(txt|py)|vcpkg\.json|stack\.yaml|[^/]+\.cabal|elm\.json|dub\.(json|sdl)|shard\.yml|deno\.jsonc?|pnpm-workspace\.yaml|renovate\.json5?)$/,
      ),
      both(inFolder(/(^|\/)requirements\/$/), named(/[^/]\.(txt|in)$/)),
      both(inFolder(/(^|\/)\.github\/$/), named(/^(dependabot|renovate)\.(ya?ml|json5?)$/)),
    ),
  },
  { category: 'scripts_build', path: inFolder(/(^|\/)\.github\/(workflows|actions)\//) },
  {
    category: 'scripts_build',
    path: named(
      /^(\.travis\.yml|\.gitlab-ci\.yml|\.?appveyor\.yml|\.?azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|\.zuul\.yaml|Jenkinsfile[^/]*|(Dockerfile|Containerfile|Makefile)([.-][^/]*)?|[^/]+\.dockerfile|(docker-)?compose([.-][^/]*)?\.ya?ml|GNUmakefile|make\.bat|CMakeLists\.txt|meson(\.build|_options\.txt|\.options)|Rakefile|Gruntfile\.[a-z]+|gulpfile\.[a-z]+|(webpack|rollup|vite|esbuild|babel|tsup|rspack|metro|turbo)\.(config|json)[^/]*|Vagrantfile|Fastfile|BUILD(\.bazel)?|WORKSPACE|Tiltfile|Taskfile\.ya?ml|justfile|fabfile\.py|noxfile\.py|tasks\.py|\.goreleaser\.ya?ml)$/i,
    ),
  },
  { category: 'scripts_build', path: named(/\.(props|targets|proj|projitems|cmake|mk|bazel|bzl)$/) },
  { category: 'configuration', languages: SELF_NAMED_CONFIGURATION },
  { category: 'configuration', path: named(/^([jt]sconfig[^/]*\.json|biome\.jsonc?)$/) },
  { category: 'configuration', path: named(/^\.[^/]+$/) },
  // tests before documentation, examples, translations and data: what a test reads is its fixture
  { category: 'tests', path: named(/^(test|tests|conftest)[^/]*\.(py|rb|php|pl|lua|sh|js|ts|jl|nim|c|cc|cpp|h)$/) },
  { category: 'tests', path: named(/^fuzz[-_][^/]*\.(c|cc|cpp|h|rs|go|py|js|ts)$|_fuzz(er)?\.(c|cc|cpp|rs|go)$/) },
  { category: 'tests', path: named(/[._-](test|tests|spec|specs|e2e|cy|test-d|tst|vitest|jest|bench)\.[a-z]+$/i) },
  {
    category: 'tests',
    path: named(/[a-z0-9](Tests?|TestCase|Spec|IT|Steps)\.(java|kt|kts|scala|groovy|cs|fs|vb|swift|php|m|mm|hs|cpp)$/),
  },
  {
    category: 'tests',
    path: named(/\.feature$|\.t$|^(jest|vitest|karma|cypress|playwright|wdio|pytest|phpunit|tox|testem)\.[^/]*$/),
  },
  { category: 'tests', path: IN_TESTS, isCode: true },
  { category: 'tests', path: IN_TESTS, languages: COMPONENTS },
  { category: 'test_fixtures', path: IN_TESTS },
  { category: 'localization', path: isLocalization },
  { category: 'localization', languages: CATALOGS },
  {
    category: 'database_migrations',
    path: both(
      inFolder(/(^|\/)(migrations?|db\/migrate|alembic\/versions|changelogs?\/db|liquibase|flyway)\//i),
      named(/\.(py|rb|php|sql|js|ts|cs|go|java|kt|ex|exs|xml|ya?ml|pl)$/i),
    ),
  },
  { category: 'database_migrations', path: named(/^[VUR]\d+[\d._]*__[^/]+\.sql$/) },
  {
    category: 'scripts_build',
    path: inFolder(
      /(^|\/)(\.circleci|\.buildkite|\.gitlab|\.woodpecker|\.zuul|zuul\.d|\.?pipelines|buildSrc|\.husky|build-logic|gradle\/(plugins|base)|(shell-)?completions?)\/|^ci\//,
    ),
  },
  // data wherever it lies, also under documentation and examples
  { category: 'data', languages: DATA },
  {
    category: 'data',
    path: named(
      /\.(csv|tsv|jsonl|ndjson|geojson|topojson|ipynb|parquet|dump|dat|hwdb|pcap|ids)(\.in)?$|[-_.]dump\.sql$/i,
    ),
  },
  { category: 'data', path: inFolder(/(^|\/)(data|datasets?|dumps?|corpus|[^/]*word-?lists?)\//), languages: RECORDS },
  { category: 'data', path: inFolder(/(^|\/)([^/]*word-?lists?|datasets?|dumps?|corpus)\//), isCode: false },
  { category: 'documentation', path: IN_DOCUMENTATION, isCode: false, outside: IN_EXAMPLES },
  // programs of the documentation, not the part of a program that is about documents
  {
    category: 'documentation',
    path: inFolder(/^([^/]+\/)?(docs?|documentation|man|api-ref)\//i),
    isCode: true,
    outside: IN_EXAMPLES,
  },
  {
    category: 'views_templates',
    path: either(
      both(
        inFolder(/(^|\/)(templates?|views|layouts|partials|jinja2)\//i),
        named(/\.(html?|txt|xml|tpl|tmpl|erb|js|j2|php-tpl|email)$/i),
      ),
      both(inFolder(/(^|\/)res\/(layout|menu|navigation)[^/]*\/$/i), named(/[^/]\.xml$/i)),
    ),
  },
  // a text far from documentation: lists, frames, prompts
  { category: 'data', path: inFolder(/^([^/]+\/){2}/), languages: PLAIN_TEXT },
  { category: 'documentation', languages: PROSE },
  // A table of database rows in code form, before languages that could be anything.
  { category: 'database_sql', languages: SQL },
  {
    category: 'database_sql',
    path: either(
      both(inFolder(/(^|\/)db\/$/), named(/^(schema|structure|seeds?)[^/]*\.(rb|sql)$/)),
      named(/^schema\.(sql|prisma)$/),
    ),
  },
  { category: 'styles', languages: STYLES },
  { category: 'views_templates', languages: TEMPLATES },
  { category: 'configuration', path: named(/^[^/]+\.(config|conf|rc)\.(js|cjs|mjs|ts|mts|cts)$/i) },
  {
    category: 'configuration',
    path: named(
      /\.(conf|cnf|cfg|ini|config|rules|service|socket|target|timer|mount|automount|path|slice|scope|netdev|network|link|preset|policy|nspawn|desktop|env|code-workspace)(\.(in|j2|template|sample))?$/,
    ),
    isCode: false,
  },
  {
    category: 'configuration',
    path: both(
      inFolder(
        /(^|\/)(config|conf|settings|etc|deploy|k8s|kubernetes|helm|charts|terraform|ansible|\.vscode|\.idea)\//i,
      ),
      named(/\.(json|ya?ml|toml|ini|xml|properties|conf|tf|hcl|cfg|env|rb)$/i),
    ),
  },
  { category: 'configuration', languages: CONFIGURATION },
  { category: 'frontend', path: named(/\.a?xaml$/) },
  // JSON near the root, or by its name, configures something; elsewhere it holds data. XML mostly configures.
  { category: 'configuration', path: both(inFolder(/^([^/]+\/)?$/), named(/[^/]\.(json|json5)$/)), languages: RECORDS },
  {
    category: 'configuration',
    path: named(
      /(config|conf|settings|rc|launch|manifest|host|schema|template|tasks|extensions|project|options|global|workspace|profile|vercel|plugins?|app|run|nx|angular|meta|mcp|hooks)\.json5?$/i,
    ),
  },
  { category: 'configuration', path: named(/\.xml$/), languages: RECORDS },
  { category: 'data', languages: RECORDS },
  { category: 'scripts_build', languages: SHELL },
  { category: 'scripts_build', path: inFolder(/(^|\/)scripts?\/|^(tools?|bin|build|tasks|hack|devtools|\.ci)\//) },
  { category: 'frontend', languages: COMPONENTS },
  {
    category: 'frontend',
    path: inFolder(
      /(^|\/)(front-?end|gui|client|web|webapp|ui|components?|pages|hooks|public|static|assets|browser|app\/javascript|javascripts?|js|([\w.]+-)?(dom|react|vue|angular|svelte)(-[\w.]+)?)\//i,
    ),
    languages: SCRIPTING,
  },
  { category: 'frontend', path: named(/\.jsx$/) },
  { category: 'backend', languages: INTERFACES },
  { category: 'backend', path: named(/\.(gperf|cocci)$/) },
];
