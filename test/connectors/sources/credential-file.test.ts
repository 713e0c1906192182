// Credentials of registered addresses never show, whatever became of their file.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCredentialFile } from '../../../src/connectors/sources/credential-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-credentials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['no JSON', 'hunter2-secret'],
  ['JSON that is cut', '{"https://host.example/a": {"username": "u", "password": "hunter2-secret"'],
  ['JSON of another form', '{"https://host.example/a": "hunter2-secret"}'],
  ['a word before the JSON', 'x{"password":"hunter2-secret"}'],
])('a file that holds %s is named, and what is in it is not', async (_what, text) => {
  const path = join(folder, 'broken.json');
  writeFileSync(path, text);
  const file = createCredentialFile(path);
  for (const act of [
    () => file.find('https://host.example/a'),
    () => file.store('https://host.example/b', { username: 'u', password: 'p' }),
    () => file.remove(['https://host.example/a']),
  ]) {
    const error = await act().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const shown = [error, (error as Error).cause].map((one) => `${one} ${(one as Error)?.stack}`).join(' ');
    expect(shown).toContain(path);
    expect(shown).not.toMatch(/hunter2/);
  }
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a file that it writes is its owner’s alone', async () => {
  const path = join(folder, 'fine.json');
  const file = createCredentialFile(path);
  await file.store('https://host.example/a', { username: 'u', password: 'p' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await file.find('https://host.example/a')).toEqual({ username: 'u', password: 'p' });
  expect(await file.remove(['https://host.example/a', 'https://host.example/none'])).toBe(1);
  expect(await file.find('https://host.example/a')).toBeNull();
});
