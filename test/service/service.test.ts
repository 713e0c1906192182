// The service as a user meets it: real processes, a real data folder, real signals.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listServers, noteServer } from '../../src/compose/running-servers.ts';
import { ownProcessMark } from '../../src/storage/embedded/process-identity.ts';
import { createTestDatabase } from '../support/database.ts';
import { goldenRepo } from '../world/golden-repo.ts';
import {
  makeDataFolder,
  processesOn,
  type RunningService,
  runStrata,
  spawnStrata,
  startService,
  workersOn,
} from './running-service.ts';

// Each test starts several processes; on a machine with other work that takes its time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folders: ReturnType<typeof makeDataFolder>[] = [];
const running = new Set<RunningService>();

const newFolder = (): string => {
  const folder = makeDataFolder();
  folders.push(folder);
  return folder.path;
};

/** A way to a database that can be cut, as a network is, and mended. */
async function openWayTo(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const listen = (port: number) =>
    new Promise<NetServer>((resolve) => {
      const server = createServer((near) => {
        const far = connect(Number(target.port), target.hostname);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
        }
        near.pipe(far).pipe(near);
      }).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const here = new URL(databaseUrl);
  here.hostname = '127.0.0.1';
  here.port = String(port);
  return {
    databaseUrl: here.href,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    async mend() {
      server = await listen(port);
    },
  };
}

/** Everything below the folder that others than its owner may read; the folder itself may be passed through. */
const filesReadableByOthers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    // What the database's user owns lies in a folder that only this user may enter.
    if (name.startsWith('postgres/')) return false;
    return (statSync(join(folder, name)).mode & 0o077) !== 0;
  });

const start = async (
  data: string,
  args?: readonly string[],
  environment?: Record<string, string>,
): Promise<RunningService> => {
  const service = await startService(data, args, environment);
  running.add(service);
  service.child.once('close', () => running.delete(service));
  return service;
};

afterAll(async () => {
  await Promise.all([...running].map((service) => service.end('SIGTERM')));
  for (const { path, remove } of folders) {
    expect(processesOn(path)).toEqual([]);
    remove();
  }
});

describe('strata serve', () => {
  let data: string;
  beforeAll(() => {
    data = newFolder();
  });

  it('starts from nothing, says where everything is, and serves a request with the token it wrote', async () => {
    const service = await start(data);
    const { base_url, entity } = service.credentials;
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(entity).toBe('local');
    expect(service.text.out).toContain(`${base_url}/docs`);
    expect(service.text.out).toContain(join(data, 'credentials.json'));
    expect(JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')).base_url).toBe(base_url);
    expect(statSync(join(data, 'credentials.json')).mode & 0o777).toBe(0o600);

    expect((await service.get('/readyz')).status).toBe(200);
    expect((await service.get('/docs')).status).toBe(200);
    const answer = await service.get('/api/v1/api_tokens');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      action_em: 'action_get_resource',
      response_em: 'response_success',
    });
    expect((await service.get('/api/v1/api_tokens', `strata_${'a'.repeat(43)}`)).status).toBe(401);
    expect(service.text.err).not.toContain(service.credentials.token);
    console.log(`first start: ready after ${service.readyAfterMs} ms`);
  });

  it('lets commands work beside it, and notices a token revoked by one within seconds', async () => {
    const [service] = running;
    const flags = ['--data', data];
    expect(await runStrata(['entity', 'create', 'acme', '--name', 'Acme', ...flags])).toMatchObject({
      code: 0,
      out: 'Created entity acme.\n',
      err: '',
    });
    await runStrata(['user', 'create', 'jo@acme.test', '--entity', 'acme', '--role', 'manager', ...flags]);
    const created = await runStrata([
      'token',
      'create',
      '--entity',
      'acme',
      '--user',
      'jo@acme.test',
      '--json',
      ...flags,
    ]);
    const { id, token } = JSON.parse(created.out);
    expect((await service!.get('/api/v1/api_tokens', token)).status).toBe(200);
    await runStrata(['token', 'revoke', String(id), ...flags]);
    await sleep(5_000);
    expect((await service!.get('/api/v1/api_tokens', token)).status).toBe(401);
  });

  it('ends cleanly on Ctrl-C, the database included', async () => {
    const [service] = running;
    const finished = await service!.end('SIGINT');
    expect(finished).toMatchObject({ code: 0, signal: null });
    expect(processesOn(data)).toEqual([]);
  });

  it('starts again with all its data and the same token', async () => {
    const before = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8'));
    const service = await start(data);
    expect(service.credentials.token).toBe(before.token);
    expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
    const list = await runStrata(['entity', 'list', '--json', '--data', data]);
    expect(JSON.parse(list.out).map(({ slug }: { slug: string }) => slug)).toEqual(['local', 'acme']);
    console.log(`second start: ready after ${service.readyAfterMs} ms`);
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('has its jobs done by another process, which is started again when it is lost and ends with it', async () => {
    const service = await start(data);
    const [worker, ...others] = workersOn(data);
    expect(others).toEqual([]);
    process.kill(worker!, 'SIGKILL');
    await expect.poll(() => workersOn(data).filter((pid) => pid !== worker), { timeout: 60_000 }).toHaveLength(1);
    expect((await service.get('/readyz')).status).toBe(200);
    // The worker sees that the service is gone, gives its jobs back and stops the database.
    expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    expect(processesOn(data)).toEqual([]);
  });

  it('says within a second that its database is away, and answers 503 until it is back', async () => {
    const { databaseUrl } = await createTestDatabase({ empty: true });
    const way = await openWayTo(databaseUrl);
    const service = await start(newFolder(), ['--port', '0'], { DATABASE_URL: way.databaseUrl });
    expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
    way.cut();
    const began = performance.now();
    const ready = await service.get('/readyz');
    expect(performance.now() - began).toBeLessThan(1_000);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', missing: ['the database does not answer'] },
    ]);
    const metrics = await service.get('/metrics');
    expect([metrics.status, (await metrics.text()).includes('strata_database_up 0')]).toEqual([200, true]);
    const call = await service.get('/api/v1/imports?resource_path=local');
    expect([call.status, call.headers.get('retry-after')]).toEqual([503, '5']);
    await way.mend();
    await expect.poll(async () => (await service.get('/readyz')).status, { timeout: 20_000 }).toBe(200);
    expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
    await service.end('SIGINT');
    way.cut();
  });

  it('keeps everything in its folder to itself, also what an earlier version left open', async () => {
    const open = newFolder();
    mkdirSync(join(open, 'mirrors'), { mode: 0o755 });
    writeFileSync(join(open, 'known_hosts'), '', { mode: 0o644 });
    const service = await start(open);
    expect(filesReadableByOthers(open)).toEqual([]);
    await service.end('SIGINT');
  });

  it('starts again after kill -9 of all of it, and the database that was left behind is taken over', async () => {
    const killed = await start(data);
    const ended = killed.end('SIGKILL');
    for (const pid of workersOn(data)) process.kill(pid, 'SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    expect(processesOn(data).length).toBeGreaterThan(0);
    const service = await start(data);
    expect(service.credentials.token).toBe(killed.credentials.token);
    expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
    await service.end('SIGINT');
    expect(processesOn(data)).toEqual([]);
  });

  it('shares one database with a second server on the same folder, until the last one ends', async () => {
    const first = await start(data);
    const second = await start(data);
    expect(second.credentials.base_url).not.toBe(first.credentials.base_url);
    await first.end('SIGINT');
    expect((await second.get('/api/v1/api_tokens')).status).toBe(200);
    expect((await second.get('/readyz')).status).toBe(200);
    await second.end('SIGINT');
    expect(processesOn(data)).toEqual([]);
  });

  it('names the address of a server that runs when another on the same folder has ended', async () => {
    const first = await start(data);
    const second = await start(data);
    const written = (): string => JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')).base_url;
    expect(written()).toBe(second.credentials.base_url);
    await second.end('SIGINT');
    expect(written()).toBe(first.credentials.base_url);
    const killed = await start(data);
    await killed.end('SIGKILL');
    expect((await runStrata(['sign-in-link', '--data', data])).out).toContain(first.credentials.base_url);
    await first.end('SIGINT');
    expect(readdirSync(join(data, 'servers'))).toHaveLength(1);
    await expect.poll(() => processesOn(data), { timeout: 10_000 }).toEqual([]);
  });

  it('counts the notes of servers that run, and removes those of killed ones and its own', () => {
    const folder = newFolder();
    const notes = (): string[] => readdirSync(join(folder, 'servers'));
    mkdirSync(join(folder, 'servers'));
    writeFileSync(join(folder, 'servers', '4194305-1'), 'http://127.0.0.1:1\n');
    expect(listServers(folder)).toEqual([]);
    const takeBack = noteServer(folder, 'http://127.0.0.1:2');
    expect([listServers(folder), notes()]).toEqual([['http://127.0.0.1:2'], [ownProcessMark()]]);
    takeBack();
    expect([listServers(folder), notes()]).toEqual([[], []]);
  });

  it('ends at once on a second Ctrl-C, and the next start recovers', async () => {
    const service = await start(data, ['--port', '0', '--log-level', 'debug']);
    // An open request keeps the first Ctrl-C waiting.
    const { port } = new URL(service.credentials.base_url);

    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /api/v1/api_tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n');
    await sleep(200);
    service.child.kill('SIGINT');
    await sleep(1_200);
    expect(running.has(service)).toBe(true);
    expect(await service.end('SIGINT')).toMatchObject({ code: 130 });
    socket.destroy();
    const next = await start(data);
    expect((await next.get('/api/v1/api_tokens')).status).toBe(200);
    await next.end('SIGINT');
    expect(processesOn(data)).toEqual([]);
  });
});

describe('strata serve, when it cannot', () => {
  it('names the port that is taken, and leaves nothing running', async () => {
    const data = newFolder();
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const finished = await runStrata(['serve', '--data', data, '--port', port]);
    blocker.close();
    expect(finished.code).toBe(1);
    expect(finished.err).toContain(`port ${port} of 127.0.0.1 is taken; choose another with --port or STRATA_PORT`);
    expect(processesOn(data)).toEqual([]);
    expect(readdirSync(data)).toEqual([]);
  });

  it('reports all problems of the configuration and starts nothing', async () => {
    const data = newFolder();
    const finished = await runStrata(['serve', '--data', data, '--port', 'http'], { STRATA_LOG_LEVEL: 'loud' });
    expect(finished.code).toBe(2);
    expect(finished.err).toContain('--port is "http"');
    expect(finished.err).toContain('STRATA_LOG_LEVEL is "loud"');
    expect(finished.out).toBe('');
  });

  it('names a database that does not answer, without its password', async () => {
    const environment = { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/strata' };
    const finished = await runStrata(['entity', 'list', '--data', newFolder()], environment);
    expect(finished.code).toBe(1);
    expect(finished.err).toContain('127.0.0.1:1');
    expect(finished.err).not.toContain('hunter2');
  });
});

describe('with DATABASE_URL', () => {
  it('the service runs on that database, starts none itself, and leaves no connection open', async () => {
    const data = newFolder();
    const { databaseUrl } = await createTestDatabase({ empty: true });
    const service = await start(data, ['--port', '0'], { DATABASE_URL: databaseUrl });
    expect((await service.get('/api/v1/api_tokens')).status).toBe(200);
    expect(existsSync(join(data, 'postgres'))).toBe(false);
    expect(service.text.err).not.toContain(new URL(databaseUrl).password);
    expect(await service.end('SIGINT')).toMatchObject({ code: 0 });
  });

  it('an import makes the data folder that is not there', async () => {
    const data = join(newFolder(), 'new', 'data');
    const { databaseUrl } = await createTestDatabase({ empty: true });
    const repo = goldenRepo('main')
      .commit('a', { files: { 'a.js': 'first();\n' } })
      .build();
    const { finished, text } = spawnStrata(['import', repo.path, '--data', data], { DATABASE_URL: databaseUrl });
    expect(await finished).toMatchObject({ code: 0 });
    expect(text.err).not.toContain('ENOENT');
    expect(existsSync(join(data, 'credentials.json'))).toBe(true);
    repo.cleanup();
  });
});

describe('strata worker', () => {
  it('works beside a server and ends cleanly by itself', async () => {
    const data = newFolder();
    const service = await start(data);

    const worker = spawnStrata(['worker', '--data', data]);
    for (let waited = 0; !worker.text.out.includes('working on jobs') && waited < 30_000; waited += 50) await sleep(50);
    expect(worker.text.out).toContain('working on jobs');
    worker.child.kill('SIGINT');
    expect(await worker.finished).toMatchObject({ code: 0 });
    expect((await service.get('/readyz')).status).toBe(200);
    await service.end('SIGINT');
  });
});

describe('interrupted', () => {
  it('a command closes the database that it started', async () => {
    const data = newFolder();
    const writer = spawn(process.execPath, ['test/service/write-until-killed.mjs', data, 'x'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<number | null>((resolve) => writer.once('close', resolve));
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    expect(processesOn(data).length).toBeGreaterThan(1);
    writer.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(processesOn(data)).toEqual([]);
  });

  it('a start ends cleanly, whenever Ctrl-C comes', async () => {
    const data = newFolder();
    for (const waitMs of [700, 1_500]) {
      const { child, finished } = spawnStrata(['serve', '--data', data, '--port', '0']);
      await sleep(waitMs);
      child.kill('SIGINT');
      const { code, signal, err } = await finished;
      // Before its first line of code runs, a process can only be ended by the signal itself.
      expect(signal === 'SIGINT' || code === 0, err).toBe(true);
      expect(processesOn(data)).toEqual([]);
    }
  });
});

describe('commands alone', () => {
  it('start the database for themselves and stop it again', async () => {
    const data = newFolder();
    const status = await runStrata(['migrate', '--status', '--json', '--data', data]);
    expect(status.code).toBe(1);
    expect(JSON.parse(status.out)[0]).toEqual({ name: '0001_foundation', applied_at: null });
    expect((await runStrata(['migrate', '--data', data])).code).toBe(0);
    expect((await runStrata(['migrate', '--status', '--data', data])).out).toContain('up to date');
    await runStrata(['entity', 'create', 'acme', '--data', data]);
    const set = await runStrata(['settings', 'set', 'time_zone', 'Europe/Berlin', '--entity', 'acme', '--data', data]);
    expect(set).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^time_zone is now "Europe\/Berlin"\. What depends on it is worked out anew\.\n/),
    });
    const get = await runStrata(['settings', 'get', 'time_zone', '--entity', 'acme', '--data', data]);
    expect(get.out).toBe('"Europe/Berlin"\n');
    expect(processesOn(data)).toEqual([]);
  });
});
