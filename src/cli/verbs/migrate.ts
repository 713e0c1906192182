// `strata migrate [--status]`: bring the database schema up to date, or show how far it is.
import { textTable } from '../../kit/text/text-table.ts';
import { JSON_OPTION, type Verb } from '../verb.ts';

export const migrate: Verb = {
  name: 'migrate',
  summary: 'Apply missing schema migrations; every command that needs the database does this by itself.',
  options: [
    { flags: '--status', description: 'Only list the migrations; exit code 1 when some are missing.' },
    JSON_OPTION,
  ],
  configuration: 'store',
  makesData: true,
  run: async (call) => {
    const statusOnly = call.options.status === true;
    const rows = await call.parts.migrate(call.flags, { statusOnly });
    const missing = rows.filter(({ applied_at }) => applied_at === null).length;
    if (call.options.json) call.out(JSON.stringify(rows, null, 2));
    else {
      call.out(
        textTable(
          ['MIGRATION', 'APPLIED'],
          rows.map((row) => [row.name, row.applied_at ?? 'missing']),
        ),
      );
      call.out(missing === 0 ? 'The schema is up to date.' : `${missing} missing: run strata migrate.`);
    }
    return missing === 0 ? 0 : 1;
  },
};
