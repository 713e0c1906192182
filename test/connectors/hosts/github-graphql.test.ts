// Every query validates against the schema that GitHub publishes, and against those of Enterprise Server from 3.10 on,
// with the ids that the server has.
import { readFileSync } from 'node:fs';
import { assertObjectType, buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { pullRequestsQuery } from '../../../src/connectors/hosts/github/queries.ts';
import { githubSchema } from '../../world/company/github-company.ts';
import { ENTERPRISE_VERSIONS, githubQueries } from '../../world/host-doubles/github-queries.ts';

const problems = (schema: GraphQLSchema, text: string): string[] =>
  validate(schema, parse(text)).map(({ message }) => message);

describe('github.com', () => {
  test.each(githubQueries('fullDatabaseId'))('%s', (_name, text) => {
    expect(problems(githubSchema(), text)).toEqual([]);
  });
});

/** What was cut out by write-github-schemas.mjs; a field that a query names anew is cut out by running it again. */
const enterpriseSchema = (version: string): GraphQLSchema => {
  const file = new URL(`../../world/host-doubles/github-schemas/${version}.graphql`, import.meta.url);
  return buildSchema(readFileSync(file, 'utf8'));
};

const fieldsOf = (schema: GraphQLSchema): string[] =>
  Object.keys(assertObjectType(schema.getType('PullRequest')).getFields());

describe.each(ENTERPRISE_VERSIONS)('Enterprise Server %s', (version) => {
  const schema = enterpriseSchema(version);
  const hasLargeIds = fieldsOf(schema).includes('fullDatabaseId');

  test.each(githubQueries('databaseId'))('%s', (_name, text) => {
    expect(problems(schema, text)).toEqual([]);
  });

  test('64-bit ids are taken where the server has them, and refused elsewhere', () => {
    const found = problems(schema, pullRequestsQuery('fullDatabaseId', false)).join();
    if (hasLargeIds) expect(found).toBe('');
    else expect(found).toContain('fullDatabaseId');
  });
});

test('Enterprise Server up to 3.12 has no 64-bit ids of pull requests', () => {
  const lacking = ENTERPRISE_VERSIONS.filter(
    (version) => !fieldsOf(enterpriseSchema(version)).includes('fullDatabaseId'),
  );
  expect(lacking).toEqual(['3.10', '3.11', '3.12']);
});

test.each(['github.com', ...ENTERPRISE_VERSIONS])('a field that %s does not have is refused', (version) => {
  const schema = version === 'github.com' ? githubSchema() : enterpriseSchema(version);
  const text = pullRequestsQuery('databaseId', false).replace('headRefOid', 'headRefSha');
  expect(problems(schema, text)).toEqual([expect.stringContaining('headRefSha')]);
});
