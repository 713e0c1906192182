// `strata repo remove`.
import { OPERATOR } from '../../operations/access/actor.ts';
import { optionText, type Verb } from '../verb.ts';

const DEFAULT_ENTITY = 'local';

export const repoVerbs: readonly Verb[] = [
  {
    name: 'repo remove',
    summary: 'Take a repo and all its facts out of an entity and of every report. Cannot be undone.',
    arguments: [{ name: '<org/repo>', description: 'The repo, as GET /api/v1/imports names it.' }],
    options: [{ flags: '--entity <slug>', description: `The entity. Default: ${DEFAULT_ENTITY}.` }],
    configuration: 'store',
    run: (call) =>
      call.parts.withOperations(call.flags, async ({ access, imports }) => {
        const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity') ?? DEFAULT_ENTITY, 'admin');
        const { repo_path, commit_count, committer_count } = await imports.remove(grant, call.args[0]!);
        const people = committer_count === 0 ? '' : `, and ${committer_count} people whom nothing else names`;
        call.out(`Removed ${repo_path} with ${commit_count} commits${people}.`);
      }),
  },
];
