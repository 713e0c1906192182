// What each kind of data is called, where it comes from, and what somebody who lacks it can do: in words, as a command,
// and as a page of the dashboard.
import type { DataKind } from './segments.ts';

export interface DataRemedy {
  readonly title: string;
  readonly remedy: string;
  /** Below /api/v1, for a terminal; null where no call sends it. */
  readonly call: { readonly method: 'POST'; readonly path: string; readonly example: object } | null;
  /** Page of the dashboard below `/e/<entity>/`. */
  readonly page: string;
}

export const DATA_REMEDIES: Readonly<Record<DataKind, DataRemedy>> = {
  commits: {
    title: 'Commits',
    remedy: 'Import a repository.',
    call: { method: 'POST', path: '/imports', example: { repo_path: 'organization/repo' } },
    page: 'imports',
  },
  ai_usage: {
    title: 'Use of AI tools',
    remedy: 'Connect an AI provider, or send what your tools report.',
    call: {
      method: 'POST',
      path: '/ai_usages',
      example: {
        committer_identifier: 'ada@example.com',
        llm_model_name: 'model',
        date: '2026-10-05',
        lines_added: 12,
      },
    },
    page: 'settings',
  },
  pull_requests: {
    title: 'Pull requests',
    remedy: 'Connect the code host, then import a repository of it.',
    call: {
      method: 'POST',
      path: '/api_tokens/provision_user',
      example: {
        email: 'ada@example.com',
        git_provider_em: 'github',
        git_provider_token: 'token of the host',
        entity_slug: 'entity',
      },
    },
    page: 'imports',
  },
  issues: { title: 'Issues', remedy: 'Connect the tracker or code host.', call: null, page: 'imports' },
  sprints: {
    title: 'Sprints',
    remedy: 'Connect the tracker.',
    call: {
      method: 'POST',
      path: '/trackers',
      example: {
        resource_path: 'entity',
        tracker_em: 'jira',
        site_url: 'https://acme.atlassian.net',
        email: 'ada@example.com',
        token: 'token of the tracker',
      },
    },
    page: 'imports',
  },
  releases: {
    title: 'Releases',
    remedy: 'Tag releases in git, or report each one when it is deployed.',
    call: { method: 'POST', path: '/releases', example: { resource_path: 'entity/organization/repo' } },
    page: 'settings',
  },
  critical_defects: {
    title: 'Critical defects',
    remedy: 'Report defects when they are found and when they are fixed.',
    call: {
      method: 'POST',
      path: '/critical_defects',
      example: { resource_path: 'entity/organization/repo', defect_key: 'BUG-1', detected_now: true },
    },
    page: 'settings',
  },
  teams: {
    title: 'Teams',
    remedy: 'Make a team of the people who work together.',
    call: { method: 'POST', path: '/teams', example: { name: 'Core', developer_members: ['ada'] } },
    page: 'teams',
  },
};
