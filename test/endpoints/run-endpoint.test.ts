// Endpoints without HTTP: the way that any face takes, from values as they came to the answer.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller, Role } from '../../src/domain/access/caller.ts';
import { listAudits } from '../../src/endpoints/audits/audits.ts';
import { recordDefect } from '../../src/endpoints/delivery/critical-defects.ts';
import { type Endpoint, endpoint } from '../../src/endpoints/endpoint.ts';
import { p } from '../../src/endpoints/params/index.ts';
import { readReport } from '../../src/endpoints/reports/reports.ts';
import { introspectSegments } from '../../src/endpoints/reports/segment-introspections.ts';
import { r } from '../../src/endpoints/returns.ts';
import { createEndpointRunner } from '../../src/endpoints/run-endpoint.ts';
import { TextAnswer } from '../../src/endpoints/text-answer.ts';
import { createOperations, OPERATOR, type Operations } from '../../src/operations/index.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { ensureRepo } from '../../src/storage/repos/repos.ts';
import { createTestDatabase } from '../support/database.ts';

const NOW = new Date('2026-02-18T12:00:00Z');
let store: Store;
let operations: Operations;
let entityId: number;

beforeAll(async () => {
  ({ store } = await createTestDatabase());
  const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
  operations = createOperations({ store, log, now: () => NOW });
  entityId = (await operations.entities.create(OPERATOR, { slug: 'acme' })).id;
  await operations.entities.create(OPERATOR, { slug: 'other' });
  await operations.settings.set(OPERATOR, 'acme', 'time_zone', 'Asia/Tokyo');
  await ensureRepo(store.db, entityId, { organization: 'Core', repo: 'Site' }, 'path');
  return async () => {
    await operations.close();
    await store.close();
  };
});

/** A caller as a session would make one: nothing of it is a token. */
const callerAs = (role: Role): Caller => ({
  user_id: 1,
  via: { kind: 'session', session_id: 'abc' },
  entity_id: entityId,
  entity_slug: 'acme',
  role,
  is_super_admin: false,
});

const call = (what: Endpoint, caller: Caller | null, given: Record<string, unknown>, ops = operations) =>
  createEndpointRunner(
    what,
    ops,
  )({
    caller,
    given: new Map(Object.entries(given)),
    now: NOW,
    signal: new AbortController().signal,
  });

describe('an endpoint that is called without HTTP', () => {
  test('reads values, decides the right, runs, and answers with envelope and warnings', async () => {
    const given = {
      resource_path: 'acme/core/site',
      defect_key: 'D-1',
      detected_at: '2026-02-17 08:00',
      colour: 'red',
    };
    const { body, warnings } = await call(recordDefect, callerAs('member'), given);
    expect(body).toEqual({
      action_em: 'action_defect_created',
      response_em: 'response_success',
      response_detail: 'Created the defect D-1.',
      warnings: [expect.stringContaining('unknown parameter "colour" was ignored')],
    });
    expect(warnings).toEqual([]);
    const { rows } = await store.pool.query(`select detected_at from critical_defects where defect_key = 'D-1'`);
    expect(new Date(rows[0].detected_at).toISOString(), 'the time is in the zone of the entity').toBe(
      '2026-02-16T23:00:00.000Z',
    );
  });

  test('answers with a text as a value, not as headers', async () => {
    const given = { resource_path: 'acme', resource_type: 'critical_defects', format: 'csv' };
    const { body } = await call(listAudits, callerAs('admin'), given);
    expect(body).toBeInstanceOf(TextAnswer);
    expect(body).toMatchObject({ fileName: 'critical_defects-1.csv', facts: { page: 1, total_count: 1 } });
  });

  test.each([
    [
      'a right that the role lacks',
      listAudits,
      'member',
      { resource_path: 'acme', resource_type: 'commits' },
      'forbidden',
    ],
    ['an entity of others', readReport, 'admin', { resource_path: 'other' }, 'not_found'],
    [
      'an entity of others behind the own one',
      readReport,
      'admin',
      { resource_path: 'acme,other' },
      'invalid_parameter',
    ],
    [
      'a value of the wrong kind, before the right',
      listAudits,
      'member',
      { resource_path: 'acme' },
      'invalid_parameter',
    ],
    ['a repo of others for the fix', recordDefect, 'admin', { ...fixIn('other/core/site') }, 'not_found'],
    [
      'an entity of others where any caller may ask',
      introspectSegments,
      'admin',
      { resource_path: 'other' },
      'not_found',
    ],
  ] as const)('refuses %s', async (_, what, role, given, code) => {
    await expect(call(what, callerAs(role), given)).rejects.toMatchObject({ name: 'StrataError', code });
  });

  test('says what the caller has shown', async () => {
    const denied = call(listAudits, callerAs('member'), { resource_path: 'acme', resource_type: 'commits' });
    await expect(denied).rejects.toThrow('this needs the role admin in acme; the session has member');
  });
});

function fixIn(fix_repo_path: string) {
  return { resource_path: 'acme', defect_key: 'D-2', detected_now: true, fix_released_now: true, fix_repo_path };
}

test('a call looks its entity and settings up once, and hands them on', async () => {
  let lookups = 0;
  const counted: Operations = {
    ...operations,
    access: {
      ...operations.access,
      locate: (...given) => {
        lookups += 1;
        return operations.access.locate(...given);
      },
    },
  };
  const given = { resource_path: 'acme', segment_by: 'commit_count', start_date: '2026-02-01' };
  await call(readReport, callerAs('member'), given, counted);
  await call(
    recordDefect,
    callerAs('member'),
    { resource_path: 'acme', defect_key: 'D-3', detected_now: true },
    counted,
  );
  expect(lookups).toBe(2);
});

test('an operation that needs more than its endpoint grants does not compile', () => {
  endpoint({
    route: 'GET /too_little',
    action: 'action_sample',
    group: 'Samples',
    summary: 'Grants a member what an admin needs',
    access: { resource: 'member' },
    params: { resource_path: p.resourcePaths() },
    returns: r.envelope({ committers: z.array(z.unknown()) }),
    async run({ grant, ops }) {
      // @ts-expect-error the grant is a member's
      await ops.developers.setProcessing(grant, {}, 'not_processing');
      return { response_detail: '', committers: [] };
    },
  });
});

test('no file of the endpoints imports anything of a transport', () => {
  const folder = join(import.meta.dirname, '../../src/endpoints');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)]
      .map(([, module]) => module!)
      .filter((module) => /fastify|node:https?|node:net|\bqs\b|\/api\//.test(module))
      .map((module) => `${name} imports ${module}`),
  );
  expect(found).toEqual([]);
});
