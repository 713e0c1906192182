// Section 8 of the specification: the raw records behind reports.
import { z } from 'zod';
import { AUDIT_TYPES, ISSUE_PROVIDERS, PULL_REQUEST_PHASES } from '../../domain/audit-types.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { recordsToCsv } from '../records-to-csv.ts';
import { r } from '../returns.ts';
import { TextAnswer } from '../text-answer.ts';
import { AUDIT_RECORDS } from './audit-records.ts';

const date = () => p.date().optional();

const lists = {
  commits: z.array(AUDIT_RECORDS.commits).optional(),
  committers: z.array(AUDIT_RECORDS.committers).optional(),
  issues: z.array(AUDIT_RECORDS.issues).optional(),
  pull_requests: z.array(AUDIT_RECORDS.pull_requests).optional(),
  teams: z.array(AUDIT_RECORDS.teams).optional(),
  tags: z.array(AUDIT_RECORDS.tags).optional(),
  releases: z.array(AUDIT_RECORDS.releases).optional(),
  critical_defects: z.array(AUDIT_RECORDS.critical_defects).optional(),
  ai_usages: z.array(AUDIT_RECORDS.ai_usages).optional(),
  reviews: z.array(AUDIT_RECORDS.reviews).optional(),
  comments: z.array(AUDIT_RECORDS.comments).optional(),
  sprints: z.array(AUDIT_RECORDS.sprints).optional(),
} satisfies Record<keyof typeof AUDIT_RECORDS, z.ZodType>;

export const listAudits = endpoint({
  route: 'GET /audits',
  action: 'action_audit_list',
  group: 'Data audits',
  summary: 'List the records behind reports',
  description:
    'The array is named after the type. Filters combine; one that the type does not have is refused, and the answer ' +
    'says which types have it. Newest first, and always in the same order.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePaths().describe('Whose records; an organization or a repo narrows the list.'),
    resource_type: p
      .oneOf(AUDIT_TYPES)
      .describe('Beside the six kinds of the specification, those that points of reports are made of.'),
    team_slug: p.string().optional().describe('Of developers who were in the team at the time.'),
    committer_identifier: p
      .string()
      .optional()
      .alias('committer')
      .ourName()
      .describe('User name, code-host id or e-mail address: author, assignee, reviewer or deployer.'),
    committer_user_name: p
      .strings()
      .optional()
      .alias('committer_user_names', 'contributor_user_names')
      .ourName()
      .describe('One of these developers.'),
    start_date: date()
      .alias('beginning_date')
      .ourName()
      .describe('By authorship of commits, opening of pull requests and issues, last commit of committers.'),
    end_date: date().alias('ending_date').ourName().describe('Inclusive; today when only the start is given.'),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional().ourName().describe('Instead of dates.'),
    resolved_start_date: date().ourName().describe('Pull requests closed, issues resolved, on or after the day.'),
    resolved_end_date: date().describe('The same, on or before the day.'),
    critical_defects_only: p.boolean().optional().ourName().describe('Only issues that are critical defects.'),
    issue_key: p
      .string()
      .optional()
      .alias('issue_number')
      .ourName()
      .describe('`PROJ-1234`, or `1234` for that number in any project.'),
    issue_provider_em: p.oneOf(ISSUE_PROVIDERS, { jira: 'tracker_a', github: 'hostC' }).optional().ourName(),
    issue_status: p.string().optional().ourName().describe('As the tracker names it, in any case.'),
    tag_name_contains: p.string().optional().alias('tag').ourName().describe('Part of a tag’s name, in any case.'),
    pull_request_number: p.integer({ min: 1 }).optional().alias('number').ourName(),
    sha: p.shaPrefix().optional().ourName(),
    phase_em: p
      .oneOf(PULL_REQUEST_PHASES)
      .optional()
      .alias('pull_request_phase')
      .ourName()
      .describe('Stale: open, and nothing happened for ten business days.'),
    page: p.integer({ min: 1, max: 1_000_000 }).default(1),
    format: p.oneOf(['json', 'csv']).default('json').ourName().describe('CSV has the paging in its headers.'),
  },
  returns: r.object({
    ...lists,
    page: z.int().min(1),
    page_count: z.int().min(0),
    per_page: z.int().min(1),
    total_count: z.int().min(0),
  }),
  fails: ['unprocessable'],
  async run({ params: { resource_path, page, format, ...input }, caller, ops, warn }) {
    const { records, warnings, ...paging } = await ops.audits.list(caller, resource_path, input, page);
    for (const warning of warnings) warn(warning);
    if (format === 'json') return { [input.resource_type]: records, ...paging };
    return new TextAnswer('text/csv; charset=utf-8', recordsToCsv(AUDIT_RECORDS[input.resource_type], records), {
      'content-disposition': `attachment; filename="${input.resource_type}-${page}.csv"`,
      ...Object.fromEntries(
        Object.entries(paging).map(([name, value]) => [`x-${name.replace('_', '-')}`, String(value)]),
      ),
    });
  },
});
