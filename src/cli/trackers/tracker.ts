// `strata tracker add|list|remove`. The token comes from standard input or a file, never from the arguments, which other
// users of the machine can see.
import { StrataError } from '../../domain/errors.ts';
import { CONNECTED_KINDS } from '../../domain/work/tracker-site.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { readTextFile } from '../read-text-file.ts';
import { printRecords } from '../terminal/print-records.ts';
import { JSON_OPTION, optionText, type Verb } from '../verb.ts';

const ENTITY = { flags: '--entity <slug>', description: 'Entity the tracker belongs to.', required: true };

const listOf = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

export const trackerVerbs: readonly Verb[] = [
  {
    name: 'tracker add',
    summary:
      'Connect a tracker, whose issues and sprints are then collected. The token is read from standard input, checked at the tracker and kept sealed. A site that is connected already gets the new token.',
    options: [
      ENTITY,
      { flags: '--kind <name>', description: `One of ${CONNECTED_KINDS.join(', ')}.`, required: true },
      { flags: '--site <url>', description: 'Address of the site, such as https://acme.atlassian.net.' },
      { flags: '--email <address>', description: 'Of the token’s account; needed for jira.' },
      { flags: '--projects <list>', description: 'Keys of projects, with commas; all when left out.' },
      { flags: '--points-fields <list>', description: 'Ids of the fields that hold story points.' },
      { flags: '--token-file <path>', description: 'Read the token from this file instead.' },
      JSON_OPTION,
    ],
    configuration: 'store',
    async run(call) {
      const tracker_em = CONNECTED_KINDS.find((kind) => kind === optionText(call, 'kind'));
      if (tracker_em === undefined) {
        const given = JSON.stringify(optionText(call, 'kind'));
        throw new StrataError('invalid_parameter', `--kind: ${given} is not one of ${CONNECTED_KINDS.join(', ')}`);
      }
      const file = optionText(call, 'tokenFile');
      if (file === undefined && process.stdin.isTTY) call.err('Paste the token, then press Enter and Ctrl-D:');
      const token = readToken(file).trim();
      await call.parts.withOperations(call.flags, async ({ access, trackers }) => {
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'admin');
        const input = {
          tracker_em,
          token,
          site_url: readSite(optionText(call, 'site')),
          email: optionText(call, 'email'),
          projects: listOf(optionText(call, 'projects')),
          points_fields: listOf(optionText(call, 'pointsFields')),
        };
        const { tracker, account_name } = await trackers.add(grant, input, new AbortController().signal);
        call.out(
          call.options.json
            ? JSON.stringify(tracker, null, 2)
            : `Tracker ${tracker.id}, ${tracker.name}, is connected as ${account_name}.`,
        );
      });
    },
  },
  {
    name: 'tracker list',
    summary: 'List the connected trackers, and how far each is collected.',
    options: [ENTITY, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ access, trackers }) => {
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'manager');
        printRecords(call, await trackers.list(grant), {
          ID: ({ id }) => String(id),
          KIND: ({ tracker_em }) => tracker_em,
          NAME: ({ name }) => name,
          SITE: ({ site_url }) => site_url,
          ISSUES: ({ issue_count }) => String(issue_count),
          SPRINTS: ({ sprint_count }) => String(sprint_count),
          'COLLECTED UNTIL': ({ collected_until, is_backfilling }) =>
            is_backfilling ? 'older issues are under way' : collected_until,
          'WAITS UNTIL': ({ wait_until }) => wait_until,
          'TOKEN EXPIRES': ({ token_expires_at }) => token_expires_at,
          ERROR: ({ error_em, error_detail }) =>
            error_em === null ? error_detail : `${error_em}: ${error_detail ?? ''}`,
        });
      }),
  },
  {
    name: 'tracker remove',
    summary: 'Disconnect a tracker. What was collected stays.',
    arguments: [{ name: '<id>', description: 'Id from strata tracker list.' }],
    options: [ENTITY],
    configuration: 'store',
    run: async (call) => {
      const id = call.args[0]!;
      if (!/^\d{1,15}$/.test(id)) {
        throw new StrataError('invalid_parameter', `"${id}" is no id; expected one of strata tracker list`);
      }
      await call.parts.withOperations(call.flags, async ({ access, trackers }) => {
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'admin');
        await trackers.remove(grant, Number(id));
        call.out(`Disconnected tracker ${id}.`);
      });
    },
  },
];

function readSite(site: string | undefined): string | undefined {
  if (site === undefined) return undefined;
  if (!URL.canParse(site)) throw new StrataError('invalid_parameter', `--site: ${JSON.stringify(site)} is no address`);
  return site;
}

const readToken = (file: string | undefined): string =>
  readTextFile(file, `--token-file: ${JSON.stringify(file)} is not accepted; expected a file that can be read`);
