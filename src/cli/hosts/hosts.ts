// `strata hosts`: what is collected from where, how far it is, and what is missing.
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { ENTITY_OPTION, entityOf, JSON_OPTION, type Verb } from '../verb.ts';

export const hosts: Verb = {
  name: 'hosts',
  summary: 'List connections to code hosts and trackers, what is collected from each, and what it waits for.',
  options: [
    ENTITY_OPTION,
    {
      flags: '--replay',
      description:
        'Have kept answers read again by the rules of this version; no host is asked. Done in the background.',
    },
    { flags: '--all', description: 'Also list streams that are complete or wait for their next look.' },
    JSON_OPTION,
  ],
  configuration: 'store',
  run: (call) =>
    call.parts.withOperations(call.flags, async (operations) => {
      const entity = entityOf(call);
      if (call.options.replay === true) {
        await operations.hosts.replay(OPERATOR, entity);
        call.out('The kept answers are read again in the background.');
        return;
      }
      const states = await operations.hosts.list(OPERATOR, entity);
      if (call.options.json === true) {
        call.out(JSON.stringify(states, null, 2));
        return;
      }
      printRecords(call, states.tokens, {
        HOST: (row) => row.host,
        OWNER: (row) => row.owner ?? '',
        STATE: (row) => row.state,
        BUDGET: (row) => row.budgets.join('; '),
        'TOKEN ENDS': (row) => row.token_expires_at ?? '',
      });
      for (const { host, owner, warnings } of states.tokens) {
        for (const warning of warnings) call.out(`! ${host} (${owner ?? ''}): ${warning}`);
      }
      for (const { host, compared_at, compared, differed } of states.comparisons) {
        const share = ((100 * differed) / compared).toFixed(1);
        call.out(`${host}: ${compared} items compared since ${compared_at}, ${differed} differed (${share} %)`);
      }
      const isQuiet = (state: string) => state === 'complete' || state.startsWith('next ');
      const shown = call.options.all === true ? states.streams : states.streams.filter(({ state }) => !isQuiet(state));
      call.out('');
      printRecords(call, shown, {
        OF: (row) => row.place,
        WHAT: (row) => `${row.stream} (${row.mode})`,
        ITEMS: (row) => String(row.items),
        DONE: (row) => (row.share === null ? '' : shareText(row.share, row.seconds_left)),
        STATE: (row) => row.state,
      });
    }),
};

const BAR_WIDTH = 10;

/** A bar with the share, and how long it still takes by its pace so far. */
function shareText(share: number, secondsLeft: number | null): string {
  const filled = Math.round(BAR_WIDTH * share);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${Math.floor(share * 100)} %`;
  if (secondsLeft === null) return bar;
  const minutes = Math.ceil(secondsLeft / 60);
  return `${bar}, about ${minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}`;
}
