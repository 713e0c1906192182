// Section 11 of the specification: releases of repos.
import { z } from 'zod';
import { RELEASE_TRIGGERS } from '../../domain/delivery/release-triggers.ts';
import { PROCESSING_STATUSES } from '../../domain/people/processing-status.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

export const recordRelease = endpoint({
  route: 'POST /releases',
  action: 'action_release_created',
  group: 'Releases',
  summary: 'Record a release',
  description:
    'Ensures that the release exists. The same commit again, without a time or in the same minute, is the same release, ' +
    'unchanged; at another time it is a deployment of that release. Another commit in the same minute corrects the ' +
    'release. A commit that is not known yet makes the service fetch the repo first. Without a commit the release is ' +
    'tied to the newest one of the default branch at that time. Which commits it shipped is worked out soon after.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePath('repo'),
    name: p.string().optional(),
    released_at: p
      .dateTime({ seconds: true })
      .optional()
      .describe('Required unless release_sha, head_long or release_now is given.'),
    release_now: p.boolean().default(false).describe('Substitute for released_at.'),
    release_sha: p
      .sha()
      .optional()
      .describe('A commit of the repo; its authored time is the time of the release where none is given.'),
    head_long: p.sha().optional().describe('Another name of release_sha.'),
    defect_keys_resolved: p
      .strings()
      .default([])
      .alias('defect_keys')
      .ourName()
      .describe('Keys of defects, submitted before, that the release fixes.'),
    issue_keys_resolved: p
      .strings()
      .default([])
      .ourName()
      .describe('Keys of issues that were deployed; one of type Bug or Hotfix becomes a critical defect.'),
    deployed_by_user_name: p
      .string()
      .optional()
      .alias('deployed_by', 'user')
      .ourName()
      .describe('Name of the deployer at the code host.'),
  },
  returns: r.envelope(),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  async run({ params, grant, ops, warn }) {
    const { outcome, released_at, deployed_at, sha, warnings } = await ops.releases.record(grant, params);
    for (const warning of warnings) warn(warning);
    const commit = sha === null ? 'not tied to a commit yet' : `commit ${sha.slice(0, 7)}`;
    const what = deployed_at === null ? OUTCOMES[outcome] : `Recorded a deployment at ${deployed_at} of`;
    return { response_detail: `${what} the release of ${released_at}, ${commit}.` };
  },
});

const OUTCOMES = { created: 'Created', kept: 'Kept', corrected: 'Corrected', deployed: 'Deployed' } as const;

export const removeRelease = endpoint({
  route: 'DELETE /releases',
  action: 'action_release_deleted',
  group: 'Releases',
  summary: 'Delete a release',
  description:
    'With its deployments. Defects that it fixed are open again. A release that follows from a tag, a branch or a message ' +
    'is refused, because the next import would find it again.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePath(),
    release_id: p.integer({ min: 1 }).ourName().describe('The id that GET /releases shows.'),
  },
  returns: r.envelope(),
  fails: ['not_found', 'unprocessable'],
  async run({ params, grant, ops }) {
    const { name, released_at } = await ops.releases.remove(grant, params.release_id);
    return { response_detail: `Deleted the release ${name === null ? '' : `${name} `}of ${released_at}.` };
  },
});

const deployer = z
  .object({
    id: z.int().nullable().describe('Null for somebody who is not known as a committer.'),
    committer_user_name: z.string(),
    full_name: z.string().nullable(),
    git_provider_id: z.string().nullable(),
    last_commit_authored_at: z.string().nullable(),
    last_commit_committed_at: z.string().nullable(),
    processing_status: z.enum(PROCESSING_STATUSES).nullable(),
    provider_email: z.string().nullable(),
    user_id: z.int().nullable(),
  })
  .nullable();

const releaseRecord = z
  .object({
    id: z.int(),
    name: z.string().describe('As given, or the beginning of the release commit.'),
    repo: z.string(),
    repo_id: z.int(),
    repo_path: z.string().describe('`<organization>/<repo>`.'),
    triggered_by: z.enum(RELEASE_TRIGGERS),
    deployed_by: deployer.describe('Null where nobody was named.'),
    released_at: z.string(),
    commit_count: z.int().min(0).describe('Counted commits that it shipped first; 0 for the first known release.'),
    defect_count: z.int().min(0),
    issue_count: z.int().min(0),
    deployment_count: z.int().min(1).describe('How often it went out; 1 unless it was deployed again.'),
  })
  .meta({ id: 'Release' });

export const listReleases = endpoint({
  route: 'GET /releases',
  action: 'action_release_list',
  group: 'Releases',
  summary: 'List releases',
  description: 'Without a range those of the last 90 days; the latest first.',
  access: { resource: 'member' },
  params: {
    resource_path: p.resourcePaths(),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional(),
    start_date: p.date().optional().alias('beginning_date').ourName(),
    end_date: p.date().optional().alias('ending_date').ourName(),
    team_slug: p.string().optional().describe('Only releases of repos that the team works in.'),
    page: p.page(),
  },
  returns: r.page('releases', releaseRecord),
  async run({ params, grant, ops }) {
    const list = await ops.releases.list(grant, params);
    return {
      response_detail: `Found ${list.total_count} ${list.total_count === 1 ? 'release' : 'releases'}.`,
      ...list,
    };
  },
});
