// Every query validates against the schema that GitHub publishes, and those for old servers against one without the
// fields that Enterprise Server 3.10 lacks.
import { buildSchema, type GraphQLSchema, parse, printSchema, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  deploymentsQuery,
  type IdField,
  PULL_REQUEST_LIST_NAMES,
  probeQuery,
  pullRequestListQuery,
  pullRequestQuery,
  pullRequestsQuery,
} from '../../../src/connectors/hosts/github/queries.ts';
import { githubSchema } from '../../world/company/github-company.ts';

const queries = (id: IdField): readonly (readonly [name: string, text: string])[] => [
  ['pull requests', pullRequestsQuery(id, false)],
  ['light pull requests', pullRequestsQuery(id, true)],
  ['one pull request', pullRequestQuery(id)],
  ...PULL_REQUEST_LIST_NAMES.map((name) => [`more ${name}`, pullRequestListQuery(name, id)] as const),
  ['deployments', deploymentsQuery()],
  ['what changed in three repos', probeQuery(3)],
];

const problems = (schema: GraphQLSchema, text: string): string[] =>
  validate(schema, parse(text)).map(({ message }) => message);

/** Enterprise Server 3.10 knows no 64-bit ids. */
const oldSchema = (): GraphQLSchema =>
  buildSchema(printSchema(githubSchema()).replaceAll('fullDatabaseId', 'someLaterField'), { assumeValid: true });

describe('github.com', () => {
  test.each(queries('fullDatabaseId'))('%s', (_name, text) => {
    expect(problems(githubSchema(), text)).toEqual([]);
  });
});

test('an old server takes the variant for it, and refuses the other', () => {
  const schema = oldSchema();
  for (const [name, text] of queries('databaseId')) expect(problems(schema, text), name).toEqual([]);
  expect(problems(schema, pullRequestsQuery('fullDatabaseId', false)).join()).toContain('fullDatabaseId');
});

test('a field that GitHub does not have is refused', () => {
  const text = pullRequestsQuery('fullDatabaseId', false).replace('headRefOid', 'headRefSha');
  expect(problems(githubSchema(), text)).toEqual([expect.stringContaining('headRefSha')]);
});
