// `strata ai import`: usage from files.

import { StrataError } from '../../../domain/errors.ts';
import { counted } from '../../../kit/text/counted.ts';
import { OPERATOR } from '../../../operations/access/actor.ts';
import type { ImportedUsage } from '../../../operations/ai/usage-import.ts';
import { readTextFile } from '../../read-text-file.ts';
import { JSON_OPTION, optionText, type Verb } from '../../verb.ts';
import { aiImpact } from './impact.ts';

export const aiVerbs: readonly Verb[] = [
  aiImpact,
  {
    name: 'ai import',
    summary:
      'Read usage of an AI tool from CSV or JSON files. A day that they name is replaced, so that files can be read again.',
    arguments: [
      {
        name: '<file...>',
        description: '.csv and .json files; all that a day is split into in one call, as part-*.csv.',
      },
    ],
    options: [
      { flags: '--entity <slug>', description: 'Entity the usage is of.', required: true },
      { flags: '--tool <name>', description: 'The tool, such as amazon-q or windsurf.', required: true },
      {
        flags: '--map <list>',
        description:
          'Columns by our names: date=Date,email=User,prompt_count=Chat_MessagesSent; what is left out has our name. One column must be a count.',
      },
      { flags: '--dry-run', description: 'Read and judge the files, and store nothing.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ access, usageImport }) => {
        const paths = call.args.flatMap((path) => path ?? []);
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'admin');
        const imported = await usageImport.importFiles(grant, {
          files: paths.map((path) => ({
            name: path,
            text: readTextFile(path, `"${path}" cannot be read`),
            format: /\.json$/i.test(path) ? 'json' : 'csv',
          })),
          tool: optionText(call, 'tool')!,
          columns: readMap(optionText(call, 'map')),
          isDryRun: call.options.dryRun === true,
        });
        const files = paths.length === 1 ? 'file' : 'files';
        if (imported.unused_columns.length > 0) {
          call.err(`strata: nothing reads these columns of the ${files}: ${imported.unused_columns.join(', ')}`);
        }
        call.out(call.options.json ? JSON.stringify(imported, null, 2) : describeImport(imported, files));
      }),
  },
];

function describeImport(imported: ImportedUsage, files: 'file' | 'files'): string {
  const { rows, days, people, removed_rows, removed_people, is_dry_run } = imported;
  const [has, does] = files === 'file' ? (['has', 'does'] as const) : (['have', 'do'] as const);
  if (rows === 0) return `The ${files} ${has} no rows; nothing ${is_dry_run ? 'would be' : 'was'} stored.`;
  const read = `${is_dry_run ? 'Would read' : 'Read'} ${counted(rows, 'row')} of ${counted(days, 'day')} and ${counted(people, 'person', 'people')}.`;
  if (removed_rows === 0) return read;
  const whose = removed_people === 0 ? 'nobody' : counted(removed_people, 'person', 'people');
  return `${read} ${is_dry_run ? 'Would remove' : 'Removed'} ${counted(removed_rows, 'row')} of ${whose} that the ${files} ${does} not name.`;
}

function readMap(list: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (list?.split(',') ?? []).map((each) => {
      const [name, ...column] = each.trim().split('=');
      if (column.length === 0) throw new StrataError('invalid_parameter', `--map: "${each}" is not <name>=<column>`);
      return [name!, column.join('=')];
    }),
  );
}
