// `strata activity`: who did what.
import { ACCEPTED_DATES, isAcceptedDate } from '../../domain/calendar/accepted-dates.ts';
import { StrataError } from '../../domain/errors.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb, type VerbCall } from '../verb.ts';

export const activity: Verb = {
  name: 'activity',
  summary: 'List who did what, newest first: calls that may change something, and commands.',
  options: [
    { flags: '--entity <slug>', description: 'Only in this entity; without it also what concerns the service itself.' },
    { flags: '--since <date>', description: 'From this day on, YYYY-MM-DD.' },
    { flags: '--until <date>', description: 'Up to this day.' },
    { flags: '--user <email>', description: 'Only what this user did.' },
    { flags: '--operation <name>', description: 'Only this, such as "POST /releases" or "strata token revoke".' },
    { flags: '--resource <path>', description: 'Only what was done there or below.' },
    { flags: '--outcome <name>', description: 'Only what ended so: success, or the name of an error.' },
    { flags: '--before <id>', description: 'Only what is older than this one; 1,000 are listed at a time.' },
    JSON_OPTION,
  ],
  configuration: 'store',
  isReadOnly: true,
  run: (call) =>
    call.parts.withOperations(call.flags, async (operations) => {
      const records = await operations.activity.listForOperator({
        entity: optionText(call, 'entity'),
        start_date: readDay(call, 'since'),
        end_date: readDay(call, 'until'),
        user_email: optionText(call, 'user'),
        operation: optionText(call, 'operation'),
        resource: optionText(call, 'resource'),
        outcome_em: await readOutcome(call),
        before_id: readId(call, 'before'),
      });
      printRecords(call, records, {
        ID: ({ id }) => String(id),
        WHEN: ({ occurred_at }) => occurred_at,
        ENTITY: ({ entity }) => entity,
        WHO: ({ user_email, credential_kind, credential_id }) =>
          [user_email, credential_kind, credential_id].filter((part) => part !== null).join(' '),
        FROM: ({ address }) => address,
        WHAT: ({ operation }) => operation,
        RESOURCE: ({ resource }) => resource,
        PARAMETERS: ({ parameters }) =>
          Object.entries(parameters)
            .map(([name, value]) => `${name}=${value}`)
            .join(' '),
        OUTCOME: ({ outcome_em }) => outcome_em,
      });
    }),
};

function readDay(call: VerbCall, option: 'since' | 'until'): string | undefined {
  const text = optionText(call, option);
  if (text === undefined || isAcceptedDate(text, new Date())) return text;
  throw refusal(option, text, `a date ${ACCEPTED_DATES}, as YYYY-MM-DD`);
}

async function readOutcome(call: VerbCall): Promise<string | undefined> {
  const text = optionText(call, 'outcome');
  // Not with the help of all commands.
  const { OUTCOMES } = await import('../../domain/activity/activity.ts');
  if (text === undefined || OUTCOMES.some((known) => known === text)) return text;
  throw refusal('outcome', text, OUTCOMES.join(', '));
}

function readId(call: VerbCall, option: 'before'): number | undefined {
  const text = optionText(call, option);
  if (text === undefined || /^[1-9]\d{0,14}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw refusal(option, text, 'the id of an activity');
}

const refusal = (option: string, text: string, accepted: string): StrataError =>
  new StrataError('invalid_parameter', `--${option}: ${JSON.stringify(text)} is not accepted; expected ${accepted}`);
