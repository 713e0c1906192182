// The whole way as a customer goes it, with a real server process: a user is provisioned, their repos are
// listed in the background, and one is imported over HTTP that asks for the token.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataFolder, type RunningService, startService } from '../../../service/running-service.ts';
import { goldenRepo } from '../../../world/golden-repo.ts';
import { GITHUB_TOKEN, startGithub } from '../../../world/host-doubles/github.ts';
import type { HostDouble } from '../../../world/host-doubles/host-double.ts';

const data = makeDataFolder();
/** Within the past year, which is what an import reads. */
const daysAgo = (days: number): number => Math.floor(Date.now() / 1000) - days * 86_400;
const repo = goldenRepo()
  .commit('first', { files: { 'engine.ts': 'export const wheels = 1;\n' }, at: daysAgo(20) })
  .commit('second', { files: { 'engine.ts': 'export const wheels = 2;\n' }, at: daysAgo(10) })
  .build();
let github: HostDouble;
let service: RunningService;

beforeAll(async () => {
  repo.git('update-server-info');
  github = await startGithub();
  const expected = `Basic ${Buffer.from(`x-access-token:${GITHUB_TOKEN}`).toString('base64')}`;
  github.instead = ({ path, headers, origin }) => {
    if (path === '/api/v3/orgs/engines/repos' && headers.authorization?.endsWith(GITHUB_TOKEN)) {
      const address = `${origin}/engines/difference`;
      return { body: [{ id: 800, name: 'difference', private: true, html_url: address, clone_url: `${address}.git` }] };
    }
    const file = /^\/engines\/difference\.git\/([\w/.-]+)$/.exec(path)?.[1];
    if (file === undefined) return null;
    if (headers.authorization !== expected) {
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' } };
    }
    const found = join(repo.path, file);
    return existsSync(found) ? { body: readFileSync(found) } : { status: 404 };
  };
  service = await startService(data.path, ['--port', '0'], { STRATA_ALLOW_PRIVATE_ADDRESSES: 'true' });
}, 180_000);

afterAll(async () => {
  await service?.end('SIGTERM');
  await github.close();
  repo.cleanup();
  data.remove();
}, 60_000);

const post = async (path: string, token: string, form: Record<string, string>) => {
  const answer = await fetch(`${service.credentials.base_url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams(form),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('from a token of a code host to an imported repo', { timeout: 180_000 }, async () => {
  const provisioned = await post('/api_tokens/provision_user', service.credentials.token, {
    email: 'ada@example.com',
    git_provider_em: 'github',
    git_provider_token: GITHUB_TOKEN,
    endpoint_url: github.address,
    entity_slug: 'analytical',
  });
  expect(provisioned).toMatchObject({ status: 200, body: { entity_slug: 'analytical' } });
  const token = String(provisioned.body.api_token);

  let queued = await post('/imports', token, { resource_path: 'analytical', repo_path: 'engines/difference' });
  for (let round = 0; queued.status === 422 && round < 600; round += 1) {
    await sleep(100); // the list of repos is not there yet
    queued = await post('/imports', token, { resource_path: 'analytical', repo_path: 'engines/difference' });
  }
  expect(queued).toMatchObject({ status: 200, body: { imported: true } });

  let record: Record<string, unknown> = {};
  for (let round = 0; record.import_status !== 'processing_completed' && round < 600; round += 1) {
    await sleep(100);
    const answer = await service.get('/api/v1/imports?resource_path=analytical', token);
    record = ((await answer.json()) as { repos: Record<string, unknown>[] }).repos[0] ?? {};
  }
  expect(record).toMatchObject({
    import_status: 'processing_completed',
    repo_path: 'engines/difference',
    commits_complete_count: 2,
    available_provider_connection_count: 1,
  });

  // The key lies beside the data, for its owner only, and no secret was written to the log.
  expect(statSync(join(data.path, 'secret.key')).mode & 0o777).toBe(0o600);
  const written = service.text.out + service.text.err;
  expect(written).not.toContain(GITHUB_TOKEN);
  expect(written).not.toContain(token);
});
