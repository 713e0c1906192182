// `strata repo list|remove`.
import { counted } from '../../kit/text/counted.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import { printRecords } from '../terminal/print-records.ts';
import { ENTITY_OPTION, entityOf, JSON_OPTION, type Verb } from '../verb.ts';
import { withWorkingOut } from '../work-out.ts';

export const repoVerbs: readonly Verb[] = [
  {
    name: 'repo list',
    summary: 'List the repos of an entity, how far their imports are and what they wait for.',
    options: [ENTITY_OPTION, JSON_OPTION],
    configuration: 'store',
    isReadOnly: true,
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ access, imports }) => {
        const grant = await access.enterEntity(OPERATOR, entityOf(call), 'member');
        printRecords(call, await imports.list(grant), {
          REPO: ({ repo_path }) => repo_path,
          PHASE: ({ phase_em }) => phase_em,
          COMMITS: ({ commit_processed_count }) => String(commit_processed_count),
          DONE: ({ percent_complete }) => `${percent_complete} %`,
          'LAST RUN': ({ finished_at }) => finished_at,
          'WAITS FOR': ({ waits_for_em }) => waits_for_em,
          UNTIL: ({ waits_until }) => waits_until,
          ERROR: ({ error_detail }) => error_detail,
        });
      }),
  },
  {
    name: 'repo remove',
    summary: 'Take a repo and all its facts out of an entity and of every report. Cannot be undone.',
    arguments: [{ name: '<org/repo>', description: 'The repo, as GET /api/v1/imports names it.' }],
    options: [ENTITY_OPTION],
    configuration: 'store',
    run: (call) => {
      const entity = entityOf(call);
      return withWorkingOut(call, entity, async ({ access, imports }) => {
        const grant = await access.enterEntity(OPERATOR, entity, 'admin');
        const { repo_path, commit_count, committer_count } = await imports.remove(grant, call.args[0]!);
        const people =
          committer_count === 0 ? '' : `, and ${counted(committer_count, 'person', 'people')} whom nothing else names`;
        call.out(`Removed ${repo_path} with ${counted(commit_count, 'commit')}${people}.`);
      });
    },
  },
];
