// Who may import whom. One table; a folder's line lists the folders it may use besides itself.
const MAY_IMPORT = {
  kit: [],
  domain: ['kit'],
  config: ['kit', 'domain'],
  engine: ['kit', 'domain'],
  connectors: ['kit', 'domain'],
  storage: ['kit', 'domain'],
  metrics: ['kit', 'domain', 'storage'],
  derive: ['kit', 'domain', 'storage'],
  operations: ['kit', 'domain', 'storage', 'metrics', 'derive', 'engine/line-history'],
  jobs: ['kit', 'domain', 'engine', 'connectors', 'storage', 'derive'],
  endpoints: ['kit', 'domain', 'operations'],
  api: ['kit', 'domain', 'operations', 'endpoints'],
  cli: ['kit', 'domain', 'operations', 'engine'],
};

// Capabilities that only some folders may hold.
const ONLY_IN = [
  { name: 'child-process', module: '^(node:)?child_process$', folders: ['engine/git', 'storage/embedded'] },
  {
    name: 'sql-driver',
    module: '^node_modules/(pg|pg-copy-streams|kysely|graphile-worker)/',
    folders: ['storage', 'derive'],
  },
  {
    name: 'outbound-http',
    module: '^(node:)?https?$|^node_modules/(undici|got|axios|node-fetch|nodemailer)/',
    folders: ['connectors'],
  },
];

const inFolders = (folders) => `^src/(${folders.join('|')})(/|\\.ts$)`;

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: inFolders([folder, ...allowed]) },
    })),
    ...ONLY_IN.map(({ name, module, folders }) => ({
      name: `${name}-only-in-${folders[0].replace('/', '-')}`,
      severity: 'error',
      from: { path: '^src/', pathNot: inFolders(folders) },
      to: { path: module, dependencyTypesNot: ['type-only'] },
    })),
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'src-never-imports-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
