// A signal ends every process that works on jobs, also while a job of it is stuck for good: a git that never
// answers and cannot be asked to end, and a server that accepts a connection and then says nothing.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { goldenRepo } from '../world/golden-repo.ts';
import { makeDataFolder, processesOn, runStrata, spawnStrata, startService } from './running-service.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const GRACE_SECONDS = 2;
/** Time to end what is left, and to stop the database, on a machine with other work. */
const END_SECONDS = 25;

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const newFolder = (): string => {
  const { path, remove } = makeDataFolder();
  endings.push(remove);
  return path;
};

const repository = goldenRepo()
  .commit('one', { files: { a: 'a\nb\n' } })
  .commit('two', { files: { a: 'a\nc\n' } })
  .build();

/** A git in front of the real one that stands still, deaf to polite signals, when it is given one command. */
function makeStuckGit(command = 'for-each-ref') {
  const folder = mkdtempSync(join(tmpdir(), 'strata-stuck-git-'));
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const pidFile = join(folder, 'pid');
  const script = `#!/bin/sh
case " $* " in *" ${command} "*) trap '' INT TERM HUP; echo $$ > ${pidFile}; exec sleep 86400 ;; esac
exec ${real} "$@"
`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) || undefined : undefined);
  endings.push(() => {
    const left = pid();
    if (left !== undefined && isSleeping(left)) process.kill(left, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    environment: {
      PATH: `${folder}:${process.env.PATH ?? ''}`,
      STRATA_SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
    },
    isStuck: () => pid() !== undefined,
    isLeft: () => isSleeping(pid()),
  };
}

function isSleeping(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep\u000086400');
  } catch {
    return false;
  }
}

/** Answers git with silence; the look that Strata itself takes at an http address with a page. */
async function startSilentServer(protocol: 'git' | 'http') {
  let isQuestioned = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (/^user-agent:.*strata/im.test(bytes.toString('latin1')))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      else isQuestioned = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `${protocol}://127.0.0.1:${port}/silent`, isQuestioned: () => isQuestioned };
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > 60_000) throw new Error(`waited in vain for ${what}`);
    await sleep(50);
  }
}

type Child = Pick<ReturnType<typeof spawnStrata>, 'child' | 'finished'>;

/** The end of the process, or an error when it does not come in time. */
async function endWithin({ child, finished }: Child, signal: NodeJS.Signals, seconds: number) {
  const startedAt = performance.now();
  child.kill(signal);
  const late = new AbortController();
  const result = await Promise.race([finished, sleep(seconds * 1000, null, { signal: late.signal }).catch(() => null)]);
  late.abort();
  if (result === null) {
    child.kill('SIGKILL');
    await finished;
    throw new Error(`still alive ${seconds} s after ${signal}`);
  }
  return { ...result, seconds: (performance.now() - startedAt) / 1000 };
}

describe('while a job is stuck for good', () => {
  it('strata worker ends after the grace time, says what it left, and stops git and the database', async () => {
    const data = newFolder();
    const git = makeStuckGit();
    const worker = spawnStrata(['worker', '--data', data], git.environment);
    await until(() => worker.text.out.includes('working on jobs'), 'the worker');
    expect(await runStrata(['import', repository.path, '--data', data])).toMatchObject({ code: 0 });
    await until(git.isStuck, 'the stuck git');
    const ended = await endWithin(worker, 'SIGINT', GRACE_SECONDS + END_SECONDS);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.seconds).toBeGreaterThan(GRACE_SECONDS - 0.1);
    expect(ended.err).toMatch(/did not end within 2 s.*import_repo|import_repo.*did not end within 2 s/);
    expect(git.isLeft()).toBe(false);
    expect(processesOn(data)).toEqual([]);
  });

  it('strata serve ends after the grace time, and the next start finishes the import', async () => {
    const data = newFolder();
    const git = makeStuckGit();
    const service = await startService(data, ['--port', '0', '--import', repository.path], git.environment);
    await until(git.isStuck, 'the stuck git');
    const ended = await endWithin(service, 'SIGTERM', GRACE_SECONDS + END_SECONDS);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.err).toContain('import_repo');
    expect(git.isLeft()).toBe(false);
    expect(processesOn(data)).toEqual([]);

    const next = await runStrata(['import', repository.path, '--since', 'all', '--data', data]);
    expect(next).toMatchObject({ code: 0 });
    expect(next.out).toContain('is imported: 2 commits.');
    expect(next.err).toBe('');
  });

  it('strata import ends after the grace time with code 1', async () => {
    const data = newFolder();
    const git = makeStuckGit();
    const importing = spawnStrata(['import', repository.path, '--data', data], git.environment);
    await until(git.isStuck, 'the stuck git');
    const ended = await endWithin(importing, 'SIGINT', GRACE_SECONDS + END_SECONDS);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.err).toContain('stopped by SIGINT');
    expect(ended.err).not.toContain('destroyed');
    expect(git.isLeft()).toBe(false);
    expect(processesOn(data)).toEqual([]);
    const { out } = await runStrata(['activity', '--data', data, '--json']);
    expect(JSON.parse(out)).toMatchObject([{ operation: 'strata import' }]);
  });

  it('strata import does not wait for the grace time while an analysis waits for git', async () => {
    const data = newFolder();
    const git = makeStuckGit('diff-tree');
    const environment = { ...git.environment, STRATA_SHUTDOWN_GRACE_SECONDS: '600' };
    const importing = spawnStrata(['import', repository.path, '--since', 'all', '--data', data], environment);
    await until(git.isStuck, 'the stuck git');
    const ended = await endWithin(importing, 'SIGINT', END_SECONDS);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(git.isLeft()).toBe(false);
    expect(processesOn(data)).toEqual([]);
  });

  it('a second signal ends it at once, and still neither git nor the database stays behind', async () => {
    const data = newFolder();
    const git = makeStuckGit();
    const environment = { ...git.environment, STRATA_SHUTDOWN_GRACE_SECONDS: '600' };
    const importing = spawnStrata(['import', repository.path, '--data', data], environment);
    await until(git.isStuck, 'the stuck git');
    importing.child.kill('SIGINT');
    await sleep(1_500);
    const ended = await endWithin(importing, 'SIGINT', 8);
    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(git.isLeft()).toBe(false);
    await until(() => processesOn(data).length === 0, 'the end of the database');
    const log = readFileSync(join(data, 'postgres', 'server.log'), 'utf8');
    expect(log.trimEnd().split('\n').at(-1)).toContain('database system is shut down');
  });
});

describe('while a source does not answer', () => {
  // Over http, git waits for a helper that holds its output open.
  it.each(['git', 'http'] as const)('strata import ends well before the grace time is over (%s)', async (protocol) => {
    const data = newFolder();
    const { url, isQuestioned } = await startSilentServer(protocol);
    const environment = { STRATA_ALLOW_PRIVATE_ADDRESSES: 'true', STRATA_SHUTDOWN_GRACE_SECONDS: '60' };
    const importing = spawnStrata(['import', url, '--data', data], environment);
    await until(isQuestioned, 'git');
    const ended = await endWithin(importing, 'SIGTERM', END_SECONDS);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.err).toContain('stopped by SIGTERM');
    expect(processesOn(data)).toEqual([]);
  });
});

describe('after kill -9 of a service', () => {
  it('strata import does the work itself instead of leaving it to the service that is gone', async () => {
    const data = newFolder();
    const service = await startService(data);
    await service.end('SIGKILL');
    const ended = await endWithin(
      spawnStrata(['import', repository.path, '--since', 'all', '--data', data, '--follow']),
      'SIGCONT',
      60,
    );
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.out).toContain('is imported: 2 commits.');
    expect(processesOn(data)).toEqual([]);
  });

  it('strata import takes up what that service was working on', async () => {
    const data = newFolder();
    const git = makeStuckGit();
    const silence = { STRATA_WORKER_SILENCE_SECONDS: '4' };
    const service = await startService(data, ['--port', '0', '--import', repository.path], {
      ...git.environment,
      ...silence,
    });
    await until(git.isStuck, 'the stuck git');
    await service.end('SIGKILL');
    const ended = await endWithin(
      spawnStrata(['import', repository.path, '--since', 'all', '--data', data], silence),
      'SIGCONT',
      90,
    );
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.out).toContain('is imported: 2 commits.');
  });
});
