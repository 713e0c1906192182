// `strata generate [--check]`: files that are written from the tables in the source and checked in.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Verb } from '../verb.ts';

export const generate: Verb = {
  name: 'generate',
  summary: 'Write the generated files of a checkout (contract/, parts of docs/).',
  options: [{ flags: '--check', description: 'Write nothing; exit code 1 when a file is out of date.' }],
  configuration: 'none',
  run: async (call) => {
    const files = await call.parts.generatedFiles();
    const outdated = files.filter(({ path, content }) => {
      const target = join(call.parts.packageFolder, path);
      return !existsSync(target) || readFileSync(target, 'utf8') !== content;
    });
    if (call.options.check) {
      for (const { path } of outdated) call.err(`strata: ${path} is out of date; run npm run generate`);
      call.out(`${files.length} generated files, ${outdated.length} out of date`);
      return outdated.length === 0 ? 0 : 1;
    }
    for (const { path, content } of outdated) {
      const target = join(call.parts.packageFolder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      call.out(`wrote ${path}`);
    }
    call.out(`${files.length} generated files, ${outdated.length} written`);
    return 0;
  },
};
