// Section 7 of the specification: critical defects and their fixes.
import { z } from 'zod';
import { TIMELINE_KEYS } from '../../domain/delivery/defect-times.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

export const recordDefect = endpoint({
  route: 'POST /critical_defects',
  action: 'action_defect_created',
  group: 'Critical defects',
  summary: 'Create or update a defect, and mark fixes',
  description:
    'Ensures that the defect exists. An existing one is changed only in the fields that are sent. Every call can add ' +
    'a fix: another time, commit or repo. The defect is resolved at the latest of all of them, whatever the order of ' +
    'the calls; a call that is repeated changes nothing.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePath().describe('Where the defect is; a repo is needed to mark a fix.'),
    defect_key: p.string().describe('Your own identifier of the defect; case does not matter.'),
    detected_at: p.dateTime().optional().describe('Needed to create the defect.'),
    detected_now: p.boolean().default(false).ourName().describe('Substitute for detected_at when the defect is new.'),
    category: p.string().optional().ourName().describe('Listed as customerDefectIdentifier.'),
    description: p.string({ max: 50_000 }).optional().describe('Markdown.'),
    severity: p.integer().optional(),
    fix_released_at: p
      .dateTime()
      .optional()
      .describe('When a fix went into production. Ignored beside fix_released_now or fix_released_sha.'),
    fix_released_now: p.boolean().default(false).describe('Substitute for fix_released_at.'),
    fix_released_sha: p
      .sha()
      .optional()
      .describe('Commit of the fix, in the repo; its authored time is the time of the release.'),
    fix_pushed_at: p.dateTime().optional().ourName().describe('When a fix was pushed.'),
    fix_repo_path: p
      .resourcePath('repo')
      .optional()
      .alias('fix_resource_path')
      .ourName()
      .describe('Repo of the fix, where resource_path names none or another.'),
  },
  returns: r.envelope(),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  async run({ params, grant, ops, warn }) {
    const { isNew, key, hasFix, warnings } = await ops.defects.record(grant, params);
    for (const warning of warnings) warn(warning);
    const what = `${isNew ? 'Created' : 'Updated'} the defect ${key}`;
    return { response_detail: `${what}${hasFix ? ' and marked a fix' : ''}.` };
  },
});

export const removeDefect = endpoint({
  route: 'DELETE /critical_defects',
  action: 'action_defect_deleted',
  group: 'Critical defects',
  summary: 'Delete a defect',
  description: 'With its fixes. An issue that it stands for is a defect no longer.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePath('entity'),
    defect_key: p.string(),
  },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    const { key } = await ops.defects.remove(grant, params.defect_key);
    return { response_detail: `Deleted the defect ${key}.` };
  },
});

const time = () =>
  z.string().nullable().describe('As people write it, in the zone of the entity; null when not reached.');
const minutes = () => z.int().min(0).nullable();

const defectRecord = z
  .object({
    id: z.int(),
    defectKey: z.string(),
    customerDefectIdentifier: z.string().nullable().describe('The category.'),
    detectedAt: z.string(),
    detectedAtWords: z.string().describe('Such as `3 days ago`.'),
    detectedAtVisibleTimestamp: z.string().describe('The date in short.'),
    firstFixActivityAt: time(),
    firstFixReleasedAt: time(),
    finalFixReleasedAt: time(),
    resolvedAt: time(),
    hoursToFirstActivity: z.number().min(0).nullable(),
    minutesToFirstActivity: minutes(),
    minutesActivityToDeploy: minutes().describe('From the last sign of work before the first release to that release.'),
    minutesToResolved: minutes(),
    htmlDescription: z.string().describe('The description as safe HTML.'),
    severity: z.int().nullable(),
    path: z.string(),
    repoPaths: z.array(z.string()).describe('`<organization>/<repo>` of the repos that calls named.'),
    timelineHours: z.array(
      z.object({
        title: z.string(),
        hours: z.number().min(0).nullable(),
        key: z.enum(TIMELINE_KEYS),
      }),
    ),
    issueTracker: z
      .object({ issueIdentifier: z.string(), projectName: z.string(), url: z.string(), title: z.string() })
      .nullable(),
  })
  .meta({ id: 'CriticalDefect' });

export const listDefects = endpoint({
  route: 'GET /critical_defects',
  action: 'action_defect_list',
  group: 'Critical defects',
  summary: 'List defects',
  description:
    'Defects that were active in the range: detected on or before its end, and not resolved before its start. ' +
    'Without a range all of them; the latest detected first.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePaths(),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional(),
    start_date: p.date().optional().alias('beginning_date').ourName(),
    end_date: p.date().optional().alias('ending_date').ourName(),
    team_slug: p.string().optional().describe('Only defects of repos that the team works in.'),
    page: p.page(),
  },
  returns: r.page('critical_defects', defectRecord),
  async run({ params, grant, ops }) {
    const list = await ops.defects.list(grant, params);
    return { response_detail: `Found ${list.total_count} ${list.total_count === 1 ? 'defect' : 'defects'}.`, ...list };
  },
});
