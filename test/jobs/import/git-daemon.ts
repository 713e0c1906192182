// Serves the repositories of a folder over git://, on a free port of this machine, until the test file ends.
import { spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { isolatedGitEnvironment } from '../../world/golden-repo.ts';

const running: { kill(): void }[] = [];
afterAll(() => {
  for (const daemon of running) daemon.kill();
});

export async function startGitDaemon(folder: string): Promise<{ url: string; pid: number; kill(): void }> {
  const port = await freePort();
  const args = [
    'daemon',
    '--export-all',
    '--reuseaddr',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--base-path=${folder}`,
  ];
  // A group of its own: the daemon's children must end with it.
  const child = spawn('git', [...args, folder], { env: isolatedGitEnvironment(), stdio: 'ignore', detached: true });
  const daemon = {
    url: `git://127.0.0.1:${port}`,
    pid: child.pid!,
    kill: () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    },
  };
  running.push(daemon);
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 200) throw new Error('git daemon does not start');
    await sleep(50);
  }
  return daemon;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
