// Section 5 of the specification: usage of AI tools that no provider reports to us, sent by the customer.

import { MOST_CENTS, MOST_OF, type UsageQuantity } from '../../domain/ai/usage-limits.ts';
import { counted } from '../../kit/text/counted.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const MOST_WARNINGS = 20;

const count = (of: UsageQuantity) => p.integer({ min: 0, max: MOST_OF[of] }).optional();

const usageParams = {
  llm_model_name: p.string({ max: 200 }).describe('Decides the provider; an unknown name belongs to `custom`.'),
  date: p.dateTime({ zone: 'UTC' }).describe('The day that the counts belong to, in UTC.'),
  committer_user_name: p.string().optional(),
  committer_identifier: p
    .string()
    .optional()
    .alias('committer')
    .ourName()
    .describe('User name, code-host id or e-mail address of the developer.'),
  team_slug: p.string().optional().describe('Without a committer, the usage is the team’s as a whole.'),
  lines_added: count('lines_added'),
  lines_deleted: count('lines_deleted').ourName(),
  prompted_suggest_count: count('prompted_suggest_count').describe('Suggestions generated after prompts.'),
  prompted_accept_count: count('prompted_accept_count').describe(
    'Those of them that were used; not more than were suggested.',
  ),
  tab_suggest_count: count('tab_suggest_count').ourName().describe('Tab completions offered.'),
  tab_accept_count: count('tab_accept_count').ourName().describe('Tab completions taken; not more than were offered.'),
  cents_cost: p
    .decimal({ scale: 6, min: 0, max: MOST_CENTS })
    .optional()
    .describe('Cost of that day in cents; what is finer than a millionth of a cent is rounded.'),
  add_to_existing: p
    .boolean()
    .default(false)
    .alias('increment')
    .ourName()
    .describe('True adds to the counts stored for the day, subject and model; false puts those sent in their place.'),
};

const resourcePath = p.resourcePath().describe('Usage belongs to the entity as a whole.');

export const recordAiUsage = endpoint({
  route: 'POST /ai_usages',
  action: 'action_ai_usage',
  group: 'AI usage',
  summary: 'Submit AI usage of one day',
  description:
    'A count that is not sent stays as it is. Usage with neither committer nor team counts in totals only. ' +
    'The same call repeated changes nothing, unless it adds.',
  access: { resource: 'member' },
  params: { resource_path: resourcePath, ...usageParams },
  returns: r.envelope(),
  fails: ['unprocessable'],
  async run({ params: { resource_path: _, ...usage }, grant, ops, warn }) {
    const { subject, warnings } = await ops.aiUsages.record(grant, [usage], false);
    for (const warning of warnings) warn(warning);
    const day = usage.date.toISOString().slice(0, 10);
    return { response_detail: `Recorded the usage of ${usage.llm_model_name} on ${day} by ${subject}.` };
  },
});

export const recordAiUsages = endpoint({
  route: 'POST /ai_usages/bulk',
  action: 'action_ai_usage',
  group: 'AI usage',
  summary: 'Submit up to 1,000 records of AI usage',
  description:
    'All of them are stored or, when one is refused, none. They are applied in the order in which they come.',
  access: { resource: 'member' },
  params: {
    resource_path: resourcePath,
    usages: p.objects(usageParams, { maxItems: 1000 }).ourName().describe('Each with the parameters of a single call.'),
  },
  returns: r.envelope(),
  fails: ['unprocessable'],
  async run({ params, grant, ops, warn }) {
    const { record_count, warnings } = await ops.aiUsages.record(grant, params.usages, true);
    for (const warning of warnings.slice(0, MOST_WARNINGS)) warn(warning);
    return { response_detail: `Recorded ${counted(record_count, 'record')} of usage.` };
  },
});

const { llm_model_name, date, committer_user_name, committer_identifier, team_slug } = usageParams;

export const removeAiUsage = endpoint({
  route: 'DELETE /ai_usages',
  action: 'action_ai_usage_deleted',
  group: 'AI usage',
  summary: 'Delete the AI usage of one day',
  description: 'Of the day, the committer or team, and the model: what a submission would replace.',
  access: { resource: 'admin' },
  params: { resource_path: resourcePath, llm_model_name, date, committer_user_name, committer_identifier, team_slug },
  returns: r.envelope(),
  fails: ['not_found', 'unprocessable'],
  async run({ params: { resource_path: _, ...usage }, grant, ops }) {
    const { subject } = await ops.aiUsages.remove(grant, usage);
    const day = usage.date.toISOString().slice(0, 10);
    return { response_detail: `Deleted the usage of ${usage.llm_model_name} on ${day} by ${subject}.` };
  },
});
