// `strata config`: the effective settings of the service, secrets masked, each with its source.
import { textTable } from '../../kit/text/text-table.ts';
import { JSON_OPTION, type Verb } from '../verb.ts';

export const config: Verb = {
  name: 'config',
  summary: 'Print the effective settings and where each comes from.',
  options: [JSON_OPTION],
  configuration: 'service',
  run: async (call) => {
    const { settings, warnings } = call.parts.describeConfig(call.flags);
    for (const warning of warnings) call.err(`strata: ${warning}`);
    if (call.options.json) {
      call.out(
        JSON.stringify(Object.fromEntries(settings.map(({ key, value, source }) => [key, { value, source }])), null, 2),
      );
      return;
    }
    const rows = settings.map(({ key, value, source, env }) => [key, shown(value), source, env]);
    call.out(textTable(['SETTING', 'VALUE', 'SOURCE', 'VARIABLE'], rows));
  },
};

const shown = (value: unknown): string => (value === null || String(value) === '' ? '(none)' : String(value));
