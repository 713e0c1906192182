// Ports to try, best first. They lie below the range that systems give to outgoing connections, and
// follow from the folder's path, so that a restarted server nearly always comes back on its old port
// and open pools reconnect by themselves.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const COUNT = 10_000;
const TRIES = 50;

function readSavedPort(portFile: string): number | undefined {
  try {
    const port = Number(readFileSync(portFile, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export async function* freePorts(folder: string, portFile: string): AsyncGenerator<number> {
  const saved = readSavedPort(portFile);
  if (saved !== undefined && (await isPortFree(saved))) yield saved;
  const first = createHash('sha256').update(folder).digest().readUInt32BE(0) % COUNT;
  for (let index = 0; index < TRIES; index++) {
    const port = LOWEST + ((first + index * 37) % COUNT);
    if (port !== saved && (await isPortFree(port))) yield port;
  }
}
