// Section 6 of the specification: how one line of code came to be what it is.
import { z } from 'zod';
import { CHURN_DAYS } from '../../domain/commits/line-model.ts';
import { HISTORY_ENDS, LINE_HISTORY_OPERATIONS } from '../../operations/line-history/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const comment = z
  .object({
    author: z.string().nullable().describe('User name.'),
    markdown_comment_body: z.string(),
    posted_at: z.string(),
  })
  .meta({ id: 'CodeComment' });

const entry = z
  .object({
    commit_sha: z.string(),
    authored_at: z.string(),
    author: z.object({
      avatar_url: z.string().nullable(),
      commits_in_repo: z.int().nullable().describe('Imported commits of the author in this repo.'),
      email: z.string().describe('As the commit gives it, corrected by the mailmap.'),
      full_name: z.string(),
      user_name: z.string().nullable().describe('Null when the entity does not know the author.'),
    }),
    authored_by_llm: z.boolean(),
    authored_by_llm_evidence: z
      .object({
        share: z.number().describe('Part of the line credited to a model, from 0 to 1.'),
        credits: z.array(z.object({ model: z.string(), provider: z.string(), source: z.string(), share: z.number() })),
      })
      .nullable(),
    churn: z.enum(['churn_new']).nullable().describe(`Replaced or removed a version younger than ${CHURN_DAYS} days.`),
    code_file_path_after: z.string().nullable(),
    code_file_path_before: z.string().nullable(),
    commit_message: z.string(),
    containing_class_or_module: z.string().nullable(),
    deployed_at: z.string().nullable().describe('When the first release with the commit was made.'),
    documentation_for_function_if_available: z.string().nullable(),
    file_category_label: z.string(),
    line_explanation: z.string().describe('The line as this version has it.'),
    line_number_after: z.int().nullable(),
    line_number_before: z.int().nullable(),
    line_value: z.number().describe('Diff Delta of the change of this line.'),
    operation_em: z.enum(LINE_HISTORY_OPERATIONS),
    received_code_comment: comment.nullable().describe('Last review comment on this version.'),
    resolved_code_comment: comment.nullable().describe('Last review comment that this change answered.'),
    scoped_function_name: z.string().nullable(),
    time_since_previous_change: z.int().nullable().describe('Seconds.'),
  })
  .meta({ id: 'LineHistoryEntry' });

const lineNumber = () => p.integer({ min: 1 }).optional();

export const readLineHistory = endpoint({
  route: 'GET /code_introspections/line_history',
  action: 'action_code_line_history',
  group: 'Line history',
  summary: 'Tell the history of a line of code',
  description:
    'Newest first. A change that only shifts the line is no entry; a renamed file is one. Answered from a copy of ' +
    'the repo on this machine, so a commit is known as soon as it was fetched.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePaths().describe('Must come down to a single repo.'),
    file_path: p.string({ max: 4096 }).describe('Relative to the root of the repo.'),
    sha: p.shaPrefix().describe('The version to start from.'),
    line_number_after: lineNumber().describe('In the file as the commit left it. One of the two numbers is needed.'),
    line_number_before: lineNumber().describe('In the file as the commit found it; ignored beside the other.'),
    max_hops: p
      .integer({ min: 0, max: 10_000 })
      .default(5)
      .describe('Most changed versions beside the first; a renamed file counts.'),
    earliest_authored_at: p
      .date()
      .optional()
      .alias('start_date')
      .ourName()
      .describe('Leaves out what was authored before; by default a year before the starting version.'),
  },
  returns: r.envelope({
    line_history: z.array(entry),
    ended_by: z
      .enum(HISTORY_ENDS)
      .describe(
        'Whether the list ends where the line was made, at a limit of the question, or where objects are missing.',
      ),
  }),
  fails: ['unprocessable'],
  async run({ params: { resource_path: _, ...input }, grant, ops, warn }) {
    if (input.line_number_after !== undefined && input.line_number_before !== undefined) {
      warn('line_number_before was ignored because line_number_after was given too');
    }
    const { line_history, ended_by, commit_sha } = await ops.lineHistory.read(grant, input);
    const count = `${line_history.length} ${line_history.length === 1 ? 'version' : 'versions'}`;
    return {
      response_detail: `${count} of the line in ${input.file_path} at ${commit_sha.slice(0, 12)}.`,
      line_history,
      ended_by,
    };
  },
});
