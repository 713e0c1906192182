// `strata analyze`: what it takes. The engine is loaded when it runs, so that help and refusals need not wait for it.
import { optionText, type Verb } from '../verb.ts';

export const analyze: Verb = {
  name: 'analyze',
  summary: 'Read a repository’s history and print what happened in it. Needs no database.',
  arguments: [{ name: '<path>', description: 'A repository, bare or not.' }],
  options: [
    {
      flags: '--since <when>',
      description: 'all, a date, or a span back from now: 90d, 12w, 6m, 1y; by the date of committing. Default: 1y.',
    },
    {
      flags: '--branch <name>',
      description: 'Only this branch. Default: the default branch and all others that share a commit with it.',
    },
    { flags: '--format <format>', description: 'table, json or csv. Default: table.' },
    {
      flags: '--threads <n>',
      description: 'Worker threads, 1 to 64. Default: one for each processor, at most 6.',
    },
    { flags: '--digest', description: 'Print only one hash over all facts.' },
    {
      flags: '--origins <file>',
      description: 'Write the origin of every removed line, one JSON object a run of lines.',
    },
    { flags: '--facts <file>', description: 'Write the facts of every commit and file, one JSON object each.' },
  ],
  configuration: 'none',
  run: async (call) => {
    // They load their code while this thread loads its own and git lists the commits.
    const { startFirstThreads } = await import('../../engine/walk/threads.ts');
    const threads = optionText(call, 'threads');
    startFirstThreads(threads === undefined ? null : Number(threads));
    return (await import('./run-analyze.ts')).runAnalyze(call);
  },
};
