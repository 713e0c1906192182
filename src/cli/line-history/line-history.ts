// `strata line-history PATH`: what it takes. As with analyze, the engine is loaded when it runs.
import { DEFAULT_MAX_HOPS } from '../../engine/line-history/default-max-hops.ts';
import type { Verb } from '../verb.ts';

export const lineHistory: Verb = {
  name: 'line-history',
  summary: 'Show how one line of code came to be: each change of its content, newest first.',
  arguments: [{ name: '<path>', description: 'A git repository, bare or not.' }],
  options: [
    {
      flags: '--sha <commit>',
      description: 'Commit to start from: a sha or its first digits, a branch or a tag (default: HEAD).',
    },
    {
      flags: '--file <file>',
      description: 'File, from the root of the repository or from this folder.',
      required: true,
    },
    { flags: '--line <number>', description: 'Line number in the file as the commit left it.', required: true },
    { flags: '--before', description: 'The number counts in the file as the commit found it.' },
    { flags: '--max-hops <count>', description: `Changes to show beside the first (default: ${DEFAULT_MAX_HOPS}).` },
    {
      flags: '--earliest <date>',
      description: 'Leave out what was authored before, YYYY-MM-DD (default: one year before the first).',
    },
    { flags: '--format <format>', description: 'table or json (default: table).' },
  ],
  configuration: 'none',
  run: async (call) => (await import('./run-line-history.ts')).runLineHistory(call),
};
