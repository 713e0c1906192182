// Reads postmaster.pid, in which a running server says who it is and whether it is ready.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PostmasterFile {
  pid: number;
  port: number;
  /** Seconds since 1970. */
  startedAt: number;
  /** 'starting', 'ready', 'stopping' or 'standby'; empty while the server is still writing the file. */
  status: string;
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  return {
    pid: Number(lines[0]),
    startedAt: Number(lines[2]),
    port: Number(lines[3]),
    status: (lines[7] ?? '').trim(),
  };
}
