// Every query that is sent to GitHub, by name; with the ids that a server has.

import { projectsQuery } from '../../../src/connectors/hosts/github/projects/query.ts';
import {
  deploymentsQuery,
  type IdField,
  PULL_REQUEST_LIST_NAMES,
  probeQuery,
  pullRequestListQuery,
  pullRequestQuery,
  pullRequestsQuery,
} from '../../../src/connectors/hosts/github/queries.ts';

export const githubQueries = (id: IdField): readonly (readonly [name: string, text: string])[] => [
  ['pull requests', pullRequestsQuery(id, false)],
  ['light pull requests', pullRequestsQuery(id, true)],
  ['one pull request', pullRequestQuery(id)],
  ...PULL_REQUEST_LIST_NAMES.map((name) => [`more ${name}`, pullRequestListQuery(name, id)] as const),
  ['deployments', deploymentsQuery()],
  ['projects', projectsQuery()],
  ['what changed in three repos', probeQuery(3)],
];

/** The oldest Enterprise Server that is served, and those after it whose schemas are kept here. */
export const ENTERPRISE_VERSIONS = ['3.10', '3.11', '3.12', '3.13'] as const;
