// Who may import whom. A folder's row lists the folders it may use in addition to itself; of the rows that
// fit a file, the longest holds. Folders that do not exist yet have their rows already.
const BASE = ['src/kit', 'src/domain'] as const;

/** Parts of the page that know nothing of one another, or only of text. */
const WEB_PARTS = ['text', 'url', 'charts', 'ui', 'api'].map((name) => `web/src/${name}`);
/** A page may not use another page. */
const WEB_PAGES = ['overview', 'statistic', 'subject', 'statistics', 'imports', 'account', 'sign-in'];

export const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  'src/kit': [],
  'src/domain': ['src/kit'],
  'src/config': BASE,
  'src/engine': [...BASE, 'kernel/contract.ts'],
  'src/connectors': BASE,
  'src/ingest': BASE,
  'src/storage': BASE,
  'src/storage/database': ['src/kit', 'src/storage/queue'],
  'src/storage/embedded': ['src/kit'],
  'src/metrics': [...BASE, 'src/storage'],
  'src/derive': [...BASE, 'src/storage'],
  'src/collect': [...BASE, 'src/connectors', 'src/storage'],
  'src/jobs': [...BASE, 'src/collect', 'src/derive', 'src/engine', 'src/storage'],
  'src/operations': [...BASE, 'src/metrics', 'src/derive', 'src/ingest', 'src/engine/line-history', 'src/storage'],
  'src/endpoints': [...BASE, 'src/operations'],
  'src/endpoints/params': BASE,
  'src/api': [...BASE, 'src/operations', 'src/endpoints'],
  'src/mcp': [...BASE, 'src/operations', 'src/endpoints'],
  'src/cli': [...BASE, 'src/operations', 'src/endpoints', 'src/engine/git'],
  'src/cli/analyze': [...BASE, 'src/cli', 'src/engine'],
  'src/cli/line-history': [...BASE, 'src/cli', 'src/engine'],
  'src/compose': ['src'],
  'src/main.ts': ['src'],
  client: ['contract'],
  'web/vite.config.ts': [],
  'web/src/text': [],
  'web/src/url': ['web/src/text'],
  'web/src/charts': ['web/src/text'],
  'web/src/ui': ['web/src/text'],
  'web/src/api': ['web/src/text'],
  'web/src/report': WEB_PARTS,
  'web/src/imports': [...WEB_PARTS, 'web/src/report'],
  ...Object.fromEntries(
    WEB_PAGES.map((page) => [`web/src/pages/${page}`, [...WEB_PARTS, 'web/src/report', 'web/src/imports']]),
  ),
  'web/src/app': [...WEB_PARTS, 'web/src/report', 'web/src/imports', 'web/src/pages'],
  'web/src/main.tsx': ['web/src/app', 'web/src/ui'],
};
