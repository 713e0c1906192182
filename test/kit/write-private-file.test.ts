import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePrivateFile } from '../../src/kit/write-private-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-private-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a private file', () => {
  it('replaces a file that others could read by one that they cannot', () => {
    const path = join(folder, 'secret');
    writeFileSync(path, 'old', { mode: 0o644 });
    writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it('leaves nothing behind when it cannot be written', () => {
    expect(() => writePrivateFile(join(folder, 'missing', 'secret'), 'x')).toThrow('ENOENT');
    rmSync(join(folder, 'secret'));
    // A folder in the way makes the last step fail, the rename.
    const blocked = mkdtempSync(join(folder, 'blocked-'));
    writeFileSync(join(blocked, 'inside'), '');
    expect(() => writePrivateFile(blocked, 'x')).toThrow();
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
