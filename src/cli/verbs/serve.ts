// `strata serve` and `strata worker`: the two ways to run the service.
import { optionText, type Verb } from '../verb.ts';

export const serve: Verb = {
  name: 'serve',
  summary: 'Run the API and a worker, on the embedded database unless DATABASE_URL is set.',
  options: [{ flags: '--import <path>', description: 'Also import this git repository, folder of them or address.' }],
  configuration: 'service',
  makesData: true,
  run: (call) => call.parts.serve(call.flags, { importPath: optionText(call, 'import') }),
};

export const worker: Verb = {
  name: 'worker',
  summary: 'Run a worker alone, beside any number of others on the same database.',
  configuration: 'service',
  makesData: true,
  run: async (call) => {
    (await import('../analyze/tune-v8.ts')).tuneForImport();
    return call.parts.work(call.flags);
  },
};
