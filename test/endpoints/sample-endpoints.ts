// Test-only endpoints: every parameter type, every kind of access and answer, and ways to fail that no
// real endpoint has yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ERRORS, type ErrorCode, StrataError } from '../../src/domain/errors.ts';
import { endpoint, endpointList } from '../../src/endpoints/endpoint.ts';
import { p } from '../../src/endpoints/params/index.ts';
import { r } from '../../src/endpoints/returns.ts';

const group = 'Samples';
const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

const createSample = endpoint({
  route: 'POST /samples',
  action: 'action_sample_created',
  group,
  summary: 'Takes a required parameter of every type',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePaths('entity', 'organization', 'repo'),
    flag: p.boolean(),
    day: p.date(),
    at: p.dateTime(),
    at_or_seconds: p.dateTime({ seconds: true }).ourName(),
    cents: p.decimal({ scale: 2, min: 0 }),
    email: p.email(),
    count: p.integer({ min: 0 }),
    rows: p.objects({ text: p.string(), at: p.dateTime().optional() }),
    host_em: p.oneOf(['hostB', 'hostC'], { github: 'hostC' }),
    repo: p.resourcePath('repo'),
    sha: p.sha(),
    sha_prefix: p.shaPrefix(),
    name: p.string({ max: 40 }).alias('title').describe('What to call it.'),
    secret_token: p.string({ max: 100 }).secret(),
    members: p.strings(),
    address: p.url(),
  },
  returns: r.envelope({ read: z.string().describe('The values as they were read.') }),
  run: ({ params }) => ({ response_detail: 'Read.', read: JSON.stringify({ ...params, secret_token: null }) }),
});

const listSamples = endpoint({
  route: 'GET /samples',
  action: 'action_sample_list',
  group,
  summary: 'Answers with a bare array',
  access: 'token',
  params: { page: p.integer({ min: 1 }).default(1), size: p.integer({ min: 0, max: 10_000 }).default(3) },
  returns: r.list(z.object({ number: z.int() }).meta({ id: 'Sample' })),
  run: ({ params }) => Array.from({ length: params.size }, (_, index) => ({ number: params.page * 100 + index })),
});

const pageOfSamples = endpoint({
  route: 'GET /samples/pages',
  action: 'action_sample_pages',
  group,
  summary: 'Answers with a page of records',
  access: { resource: 'member' },
  params: { page: p.integer({ min: 1 }).default(1) },
  returns: r.page('samples', z.object({ number: z.int() }).meta({ id: 'Sample' })),
  run: ({ params }) => ({
    response_detail: 'One page.',
    page: params.page,
    page_count: 1,
    per_page: 50,
    total_count: 1,
    samples: [{ number: 1 }],
  }),
});

const showSample = endpoint({
  route: 'GET /samples/:id',
  action: 'action_get_resource',
  group,
  summary: 'Has a parameter in its path',
  access: 'public',
  params: { id: p.integer({ min: 1 }) },
  returns: r.object({ id: z.int() }),
  run: ({ params }) => ({ id: params.id }),
});

const updateSample = endpoint({
  route: 'PUT /samples',
  action: 'action_sample_updated',
  group,
  summary: 'Needs an admin',
  access: { resource: 'admin' },
  params: { resource_path: p.resourcePath('entity'), name: p.string().optional() },
  returns: r.envelope(),
  run: () => ({ response_detail: 'Updated.' }),
});

const deleteSample = endpoint({
  route: 'DELETE /samples',
  action: 'action_sample_deleted',
  group,
  summary: 'Needs a super admin',
  access: 'super_admin',
  params: { name: p.string() },
  returns: r.envelope(),
  run: () => ({ response_detail: 'Deleted.' }),
});

const failSample = endpoint({
  route: 'POST /samples/fail',
  action: 'action_sample_failed',
  group,
  summary: 'Raises the error it is asked for',
  access: 'token',
  params: { code: p.oneOf(codes), detail: p.string({ max: 1000 }).default('as asked') },
  returns: r.envelope(),
  fails: codes,
  run: ({ params }) => {
    throw new StrataError(params.code, params.detail);
  },
});

const crashSample = endpoint({
  route: 'POST /samples/crash',
  action: 'action_sample_crashed',
  group,
  summary: 'Throws what nobody expected',
  access: 'token',
  params: { words: p.string({ max: 1000 }).default('unexpected'), system_code: p.string().optional() },
  returns: r.envelope(),
  run: ({ params }) => {
    const cause = new Error(`inner ${params.words}`);
    throw Object.assign(new Error(`outer ${params.words}`, { cause }), {
      code: params.system_code,
      detail: params.words,
    });
  },
});

/** Waits of the slow endpoint that were told to stop. */
export const STOPPED: number[] = [];

const slow = {
  group,
  summary: 'Takes its time',
  access: 'token' as const,
  params: { ms: p.integer({ min: 0, max: 5000 }) },
  returns: r.envelope(),
  run: async ({ params, signal }: { params: { ms: number }; signal: AbortSignal }) => {
    try {
      await sleep(params.ms, undefined, { signal });
    } catch (error) {
      STOPPED.push(params.ms);
      throw error;
    }
    return { response_detail: `Waited ${params.ms} ms.` };
  },
};
const slowSample = endpoint({ route: 'POST /samples/slow', action: 'action_sample_slow', ...slow });
const slowRead = endpoint({ route: 'GET /slow_samples', action: 'action_sample_slow_read', ...slow });

export const SAMPLE_ENDPOINTS = endpointList(
  createSample,
  listSamples,
  pageOfSamples,
  showSample,
  updateSample,
  deleteSample,
  failSample,
  crashSample,
  slowSample,
  slowRead,
);
