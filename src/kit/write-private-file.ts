// Writes a file that only its owner may read, all at once: whoever looks sees the old content or the
// new one, never a part, also after a power cut.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export function writePrivateFile(path: string, content: string): void {
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  try {
    const file = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Makes the rename itself durable. Windows cannot open a folder, and does not need to. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
