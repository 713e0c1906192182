// Who may import whom. A folder's row lists the folders it may use in addition to itself; of the rows that
// fit a file, the longest holds. Folders that do not exist yet have their rows already.
const BASE = ['src/kit', 'src/domain'] as const;

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
  web: ['client', 'contract'],
};
