// GitHub as a double over a company. Queries are run by the published GraphQL schema, which refuses what is not in it;
// answers of lists are held against the published OpenAPI description before they are sent.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { buildSchema, type GraphQLSchema, graphql } from 'graphql';
import {
  type DoubleAnswer,
  type DoubleRequest,
  type HostDouble,
  startHostDouble,
} from '../host-doubles/host-double.ts';
import type { Company, CompanyRepo } from './company.ts';
import { graphqlRepository } from './github-graphql.ts';
import { repoLists } from './github-lists.ts';
import { graphqlOwner } from './github-projects.ts';

export const COMPANY_TOKEN = 'ghp_CompanyDoubleToken0123456789abcdefgh';

const SCHEMA = new URL('../../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);
let schema: GraphQLSchema | undefined;
export const githubSchema = (): GraphQLSchema => {
  schema ??= buildSchema(readFileSync(SCHEMA, 'utf8'), { assumeValid: true });
  return schema;
};

interface Described {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: object } };
}
export const description = JSON.parse(
  readFileSync(new URL('../host-doubles/github-openapi.json', import.meta.url), 'utf8'),
) as {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, Described>> } }>
  >;
  readonly components: {
    readonly responses: Readonly<Record<string, Described>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
};
/** OpenAPI 3.0 lets a choice of types be nullable; JSON Schema wants null among them. */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNull(value)]));
  if (nullable !== true) return plain;
  return { anyOf: [{ type: 'null' }, plain] };
}

const ajv = new Ajv({ strict: false, allErrors: false, discriminator: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'github', ...(withNull(description) as object) });
const validators = new Map<string, ValidateFunction>();

/** Throws where GitHub's description does not allow the answer. */
function checkAnswer(operation: string, body: unknown): void {
  let validate = validators.get(operation);
  if (validate === undefined) {
    const answer = description.paths[operation]!.get.responses['200']!;
    const { schema: shape } = answer.content!['application/json']!;
    validate = ajv.compile(JSON.parse(JSON.stringify(withNull(shape)).replaceAll('"#/', '"github#/')));
    validators.set(operation, validate);
  }
  if (!validate(body)) throw new Error(`GitHub would not answer ${operation} so: ${ajv.errorsText(validate.errors)}`);
}

export interface GithubCompany extends HostDouble {
  readonly company: Company;
  /** The host's clock. */
  clock: () => Date;
  /** What a token has left; calls count down. */
  budgets: Record<string, { quota: number; remaining: number; resetAt: Date }>;
}

const isList = (value: object): value is readonly unknown[] => Array.isArray(value);

const SCOPES = { 'x-oauth-scopes': 'read:org, repo' };
const MOST_PAGE = 100;

export async function startGithubCompany(
  company: Company,
  tokens: readonly string[] = [COMPANY_TOKEN],
): Promise<GithubCompany> {
  const budgets: GithubCompany['budgets'] = {};
  const fail = (status: number, message: string): DoubleAnswer => ({
    status,
    body: { message, status: String(status) },
  });

  const answer = async (request: DoubleRequest): Promise<DoubleAnswer> => {
    const token = (request.headers.authorization ?? '').replace(/^(?:bearer|token) /i, '');
    if (!tokens.includes(token)) return fail(401, 'Bad credentials');
    const resource = request.path.endsWith('/graphql') ? 'graphql' : 'core';
    const resetAt = new Date(Math.ceil(double.clock().getTime() / 3_600_000) * 3_600_000);
    budgets[`${token} ${resource}`] ??= { quota: 5_000, remaining: 5_000, resetAt };
    const budget = budgets[`${token} ${resource}`]!;
    if (budget.resetAt <= double.clock()) Object.assign(budget, { remaining: budget.quota, resetAt });
    const headers = {
      ...SCOPES,
      date: double.clock().toUTCString(),
      'x-ratelimit-limit': String(budget.quota),
      'x-ratelimit-remaining': String(Math.max(0, budget.remaining - 1)),
      'x-ratelimit-reset': String(budget.resetAt.getTime() / 1000),
      'x-ratelimit-resource': resource,
    };
    if (budget.remaining <= 0) {
      return { ...fail(403, `API rate limit exceeded for user ID 1.`), headers };
    }
    budget.remaining -= 1;
    const plain = await (resource === 'graphql' ? query(request) : rest(request));
    return { ...plain, headers: { ...headers, ...plain.headers } };
  };

  const query = async ({ body }: DoubleRequest): Promise<DoubleAnswer> => {
    const { query: source, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    const findRepo = ({ owner, name }: { owner: string; name: string }) => {
      const repo =
        owner === company.organization ? company.repos.find((candidate) => candidate.name === name) : undefined;
      return repo === undefined ? null : graphqlRepository(company, repo);
    };
    const result = await graphql({
      schema: githubSchema(),
      source,
      variableValues: variables,
      rootValue: {
        repository: findRepo,
        repositoryOwner: ({ login }: { login: string }) => graphqlOwner(company, login),
      },
    });
    const isUnknown = (result.data as { repository?: unknown } | null | undefined)?.repository === null;
    const errors = [
      ...(result.errors ?? []).map(({ message, path }) => ({ message, path })),
      ...(isUnknown ? [{ type: 'NOT_FOUND', path: ['repository'], message: 'Could not resolve to a Repository' }] : []),
    ];
    return {
      body: JSON.parse(JSON.stringify({ data: result.data ?? null, ...(errors.length === 0 ? {} : { errors }) })),
    };
  };

  const rest = (request: DoubleRequest): DoubleAnswer => {
    const path = request.path.replace('/api/v3', '');
    const byId = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
    const repo = byId === null ? undefined : company.repos.find(({ id }) => String(id) === byId[1]);
    if (byId !== null && repo === undefined) return fail(404, 'Not Found');
    if (byId !== null && byId[2] === undefined) return { body: wholeRepo(repo!) };
    const operation = byId === null ? path : `/repos/{owner}/{repo}${byId[2]}`;
    return list(request, operation, repo);
  };

  const wholeRepo = (repo: CompanyRepo) => ({ id: repo.id, full_name: `${company.organization}/${repo.name}` });

  const list = (request: DoubleRequest, path: string, repo: CompanyRepo | undefined): DoubleAnswer => {
    const lists = repoLists({ company, repo, origin: request.origin, description });
    const found = lists.find(path, request.query);
    if (found === null) return fail(404, 'Not Found');
    const all = found.items;
    if (!isList(all)) return { body: all };
    const size = Math.min(Number(request.query.get('per_page') ?? 30), MOST_PAGE);
    const page = Number(request.query.get('page') ?? 1);
    const items = all.slice((page - 1) * size, page * size);
    const body = found.wrap === undefined ? items : found.wrap(items, all.length);
    checkAnswer(found.operation, body);
    const next = new URL(`${request.origin}${request.path}?${request.query}`);
    next.searchParams.set('page', String(page + 1));
    const link = `<${next.href}>; rel="next", <${next.href}>; rel="last"`;
    return { body, headers: all.length > page * size ? { link } : {} };
  };

  const server = await startHostDouble(answer);
  const double: GithubCompany = Object.assign(server, { company, clock: () => new Date(), budgets });
  return double;
}
