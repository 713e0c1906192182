// Data folders and processes for tests of the embedded database, as root and as a normal user.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach } from 'vitest';
import { readPostmasterFile } from '../../src/storage/embedded/postmaster-file.ts';
import { isProcessAlive } from '../../src/storage/embedded/process-identity.ts';

export interface TestUser {
  name: string;
  ids: { uid: number; gid: number } | undefined;
}

const supportFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The users that the tests can run as here: this one, and as root also a normal one. */
export function listTestUsers(): TestUser[] {
  if (process.getuid?.() !== 0) return [{ name: 'a normal user', ids: undefined }];
  const users: TestUser[] = [{ name: 'root', ids: undefined }];
  const nobody = { uid: 65_534, gid: 65_534 };
  const entry = supportFile('../../dist/storage/embedded/start-embedded.js');
  const probe = spawnSync(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(entry)})`], {
    ...nobody,
    cwd: '/',
  });
  if (probe.status === 0) users.push({ name: 'a normal user', ids: nobody });
  else console.warn('SKIPPED as a normal user: the user nobody cannot read this checkout');
  return users;
}

export interface Ready {
  databaseUrl: string;
  pid: number;
  port: number;
  origin: 'created' | 'started' | 'joined';
  /** How often it was told that there is time to do something else. */
  whiles: number;
}

export interface EmbeddedChild {
  process: ChildProcess;
  ready: Ready;
  /** Leaves in order. */
  leave(): Promise<void>;
  kill(): Promise<void>;
}

const children = new Set<ChildProcess>();
const folders = new Set<string>();

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

async function killChild(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}

export interface ChildOptions {
  script?: string;
  args?: string[];
  /** The folder that stands for the project's, instead of the real one. */
  checkout?: string;
}

export function spawnEmbedded(dataDir: string, user: TestUser, options: ChildOptions = {}): ChildProcess {
  const { script = 'embedded-child.mjs', args = [], checkout } = options;
  const path = checkout ? join(checkout, 'test', 'support', script) : supportFile(script);
  const flags = checkout ? ['--preserve-symlinks', '--preserve-symlinks-main'] : [];
  const child = spawn(process.execPath, [...flags, path, dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
    ...user.ids,
  });
  children.add(child);
  return child;
}

/** The values that the child says, one per line. */
export async function* listen(child: ChildProcess): AsyncGenerator<Record<string, unknown>> {
  let rest = '';
  for await (const chunk of child.stdout ?? []) {
    rest += String(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
  }
}

export async function startEmbeddedChild(
  dataDir: string,
  user: TestUser,
  options: ChildOptions = {},
): Promise<EmbeddedChild> {
  const child = spawnEmbedded(dataDir, user, options);
  const says = listen(child);
  const first = (await says.next()).value as { ready?: Ready; failed?: string } | undefined;
  if (!first?.ready) throw new Error(first?.failed ?? 'the process ended without a word');
  return {
    process: child,
    ready: first.ready,
    async leave() {
      child.kill('SIGTERM');
      const last = (await says.next()).value as { left?: boolean } | undefined;
      if (!last?.left) throw new Error('the process did not leave in order');
      await ended(child);
    },
    kill: () => killChild(child),
  };
}

export function createDataFolder(user: TestUser): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-embedded-'));
  chmodSync(folder, 0o755);
  if (user.ids) chownSync(folder, user.ids.uid, user.ids.gid);
  folders.add(folder);
  return folder;
}

const templates = new Map<string, string>();
afterAll(() => {
  for (const folder of templates.values()) rmSync(folder, { recursive: true, force: true });
});

/** A data folder in which the database was started and stopped once; copying one spares an initdb. */
export async function copyDataFolder(user: TestUser): Promise<string> {
  let template = templates.get(user.name);
  if (template === undefined) {
    template = createDataFolder(user);
    folders.delete(template);
    const child = await startEmbeddedChild(template, user);
    await child.leave();
    templates.set(user.name, template);
  }
  const folder = createDataFolder(user);
  const copied = spawnSync('cp', ['-a', `${template}/.`, folder], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  rmSync(join(folder, 'postgres', 'port'), { force: true });
  return folder;
}

export const clusterOf = (dataDir: string): string => join(dataDir, 'postgres', 'cluster');

export async function untilDead(pid: number, milliseconds = 15_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`the process ${pid} still lives`);
    await sleep(10);
  }
}

afterEach(async () => {
  for (const child of children) await killChild(child);
  children.clear();
  for (const folder of folders) {
    const file = readPostmasterFile(clusterOf(folder));
    if (file && isProcessAlive(file.pid)) {
      process.kill(file.pid, 'SIGQUIT');
      await untilDead(file.pid);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  folders.clear();
});
