// The error table against reality: each row is reached, documented, and answered as it says.
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorsOf } from '../../src/api/openapi.ts';
import { ERRORS, type ErrorCode } from '../../src/domain/errors.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { SAMPLE_ENDPOINTS } from '../endpoints/sample-endpoints.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];
const DECLARING = ['domain/errors.ts', 'api/openapi.ts'];
const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !DECLARING.includes(path))
  .map((path) => readFileSync(`src/${path}`, 'utf8'));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ endpoints: [...ENDPOINTS, ...SAMPLE_ENDPOINTS] });
});

describe.each(codes)('%s', (code) => {
  const { status, response_em } = ERRORS[code];

  test('is answered with its status and response_em', async () => {
    const answer = await app.request({ route: 'POST /samples/fail', json: { code, detail: 'because of x' } });
    expect([answer.status, answer.body]).toEqual([
      status,
      { action_em: 'action_sample_failed', response_em, response_detail: 'because of x' },
    ]);
  });

  test('is documented in contract/errors.md and in the OpenAPI document', () => {
    expect(readFileSync('contract/errors.md', 'utf8')).toContain(`| ${status} | \`${response_em}\` | ${code} |`);
    const document = JSON.parse(readFileSync('contract/openapi.json', 'utf8'));
    expect(document.components.schemas.Error.properties.response_em.enum).toContain(response_em);
  });

  test('is raised somewhere in the source', () => {
    const users = SOURCES.filter((text) => text.includes(`'${code}'`));
    expect(users.length).toBeGreaterThan(0);
  });
});

test('every endpoint documents the errors that its access implies', () => {
  for (const endpoint of [...ENDPOINTS, ...SAMPLE_ENDPOINTS]) {
    const documented = errorsOf(endpoint);
    expect(documented).toContain('internal');
    // Public calls that refuse what comes with them: the link of a survey, the key or password at the door.
    const isSigned = ['/surveys/:id/responses', '/sessions/by_link', '/sessions/by_password'].includes(endpoint.path);
    expect(documented.includes('unauthorized')).toBe(endpoint.access !== 'public' || isSigned);
    expect(documented.includes('forbidden')).toBe(
      // Pages of other sites may change nothing.
      endpoint.method !== 'GET' ||
        endpoint.access === 'super_admin' ||
        typeof endpoint.access === 'object' ||
        endpoint.fails.includes('forbidden'),
    );
  }
});
