// A git that is killed, and a mirror that goes away while it is read, say nothing about the repository: the attempt fails,
// and the next one ends like an import that was never disturbed.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_GIT_ENVIRONMENT } from '../../../src/engine/git/run-git.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { startGitDaemon } from './git-daemon.ts';
import { contentOf, createImportKit, type ImportKit, makeFolder } from './import-kit.ts';

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `export const ${name}${n} = ${name}(${n});\n`).join('');

const history = () =>
  goldenRepo()
    .commit('base', { files: { 'a.ts': lines('a', 12), 'b.ts': lines('b', 9), '.gitattributes': '*.gen -diff\n' } })
    .commit('side', { on: 'topic', parents: ['base'], files: { 'b.ts': lines('b', 5) + lines('x', 4) } })
    .commit('main 1', { on: 'main', files: { 'a.ts': lines('a', 8), 'moved.ts': lines('m', 20) } })
    .merge('joined', ['side'], { files: { 'b.ts': lines('b', 5) + lines('y', 4) } })
    .commit('main 2', { rename: { 'moved.ts': 'there/moved.ts' }, files: { 'there/moved.ts': lines('m', 19) } })
    .commit('main 3', { files: { 'a.ts': lines('c', 12) } });

/** Of the calls of git one in so many is killed; with 1 all of them. */
const EVERY = 4;

const repo = history().build();
let store: Store;
let expected: Record<string, unknown>;

/** A git of our own in front of the real one: `script` runs before each call, `$n` is the number of the call. */
function gitThat(script: string): { environment: Record<string, string>; calls(): number } {
  const folder = makeFolder();
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\necho x >> ${log}\nn=$(wc -l < ${log})\n${script}\nPATH=\${PATH#*:} exec git "$@"\n`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return {
    environment: { PATH: `${folder}:${DEFAULT_GIT_ENVIRONMENT.PATH}` },
    calls: () => readFileSync(log, 'utf8').split('\n').length - 1,
  };
}

const kitWith = (childEnvironment: Record<string, string> = { ...DEFAULT_GIT_ENVIRONMENT }) =>
  createImportKit({
    store,
    isAllowed: (ip) => ip === '127.0.0.1',
    settings: { childEnvironment, threads: 1, batchBytes: 2000, retrySeconds: [0, 0, 0] },
  });

const mirrorOf = (kit: ImportKit, id: number) => join(kit.folder, 'mirrors', String(kit.entityId), `${id}.git`);

async function expectWhole(kit: ImportKit, id: number): Promise<void> {
  const row = await kit.run(id);
  expect(row).toMatchObject({ status: 'processing_completed', error_detail: '', skipped_commit_count: 0 });
  expect(await contentOf(kit, row.repo_id)).toEqual(expected);
}

beforeAll(async () => {
  store = (await createTestDatabase()).store;
  const kit = await kitWith();
  const row = await kit.importFolder('whole', repo.path);
  expect(row.skipped_commit_count).toBe(0);
  expected = await contentOf(kit, row.repo_id);
});

describe('a git that is killed', () => {
  it('at any of its calls, or from one on, ends the attempt and not the facts', async () => {
    const undisturbed = gitThat('');
    const counted = await kitWith(undisturbed.environment);
    await counted.importFolder('whole', repo.path);
    const total = undisturbed.calls();
    expect(total).toBeGreaterThan(10);
    let failed = 0;
    for (let call = 1; call <= total; call += EVERY) {
      const armed = join(makeFolder(), 'armed');
      writeFileSync(armed, '');
      const { environment } = gitThat(`[ -e ${armed} ] && [ $n -ge ${call} ] && ${deathAt(call)}`);
      const kit = await kitWith(environment);
      const id = await kit.queue('whole', { kind: 'path', address: repo.path });
      const row = await kit.run(id);
      rmSync(armed);
      if (row.status === 'processing_completed') {
        expect(row.skipped_commit_count, `call ${call}`).toBe(0);
        expect(await contentOf(kit, row.repo_id), `call ${call}`).toEqual(expected);
      } else {
        failed += 1;
        await expectWhole(kit, id);
      }
    }
    // The others were killed when nobody waited for them any more.
    expect(failed).toBeGreaterThan(total / EVERY / 2);
  }, 240_000);

  it('whenever it is to compare, and never when it is to list, is not a repository without objects', async () => {
    const armed = join(makeFolder(), 'armed');
    writeFileSync(armed, '');
    const { environment } = gitThat(`case " $* " in *" diff-tree "*) [ -e ${armed} ] && kill -9 $$;; esac`);
    const kit = await kitWith(environment);
    const id = await kit.queue('whole', { kind: 'path', address: repo.path });
    expect(await kit.run(id)).toMatchObject({ attempt_count: 1, commit_processed_count: 0 });
    rmSync(armed);
    await expectWhole(kit, id);
  });
});

/** At once; or a little later, by a sleeper of its own that kills what the shell becomes. */
const deathAt = (call: number): string =>
  Math.floor(call / EVERY) % 2 === 0 ? 'kill -9 $$' : '{ (sleep 0.001; kill -9 $$) >/dev/null 2>&1 & }';

describe('a mirror that vanishes while it is read', () => {
  for (const [what, paths] of [
    ['all of it', '"$g"'],
    ['its objects', '"$g/objects"'],
    ['single objects, and its refs stay', '"$g"/objects/pack "$g"/objects/??'],
  ] as const) {
    for (const command of ['diff-tree', 'cat-file']) {
      it(`${what}, when git is called for ${command}`, async () => {
        const daemon = await startGitDaemon(join(repo.path, '..'));
        const once = join(makeFolder(), 'done');
        const { environment } = gitThat(
          `case " $* " in *" ${command} "*) if [ ! -e ${once} ]; then touch ${once}; g=\${1#--git-dir=}; rm -rf ${paths}; fi;; esac`,
        );
        const kit = await kitWith(environment);
        const id = await kit.queue('whole', { kind: 'address', address: `${daemon.url}/repo.git` });
        const row = await kit.run(id);
        expect(row.status).not.toBe('processing_completed');
        expect(row.error_detail).toContain('attempt 1 failed');
        await expectWhole(kit, id);
      });
    }
  }

  for (const [what, paths] of [
    ['all of it', '"$g"'],
    ['its objects', '"$g/objects"'],
    ['the place of the objects that it borrows', '"$g/objects/info/alternates"'],
  ] as const) {
    for (const command of ['cat-file', 'update-ref', 'symbolic-ref', 'for-each-ref', 'diff-tree']) {
      it(`${what}, when git is called for ${command} of a folder`, async () => {
        const once = join(makeFolder(), 'done');
        const { environment } = gitThat(
          `case " $* " in *.git*" ${command} "*) g=\${1#--git-dir=}; if [ ! -e ${once} ] && [ "$g" != ${repo.path} ]; then touch ${once}; rm -rf ${paths}; fi;; esac`,
        );
        const kit = await kitWith(environment);
        const id = await kit.queue('whole', { kind: 'path', address: repo.path });
        const row = await kit.run(id);
        expect(existsSync(once)).toBe(true);
        if (row.status === 'processing_completed') expect(await contentOf(kit, row.repo_id)).toEqual(expected);
        else {
          expect(row.error_detail).toContain('attempt 1 failed');
          await expectWhole(kit, id);
        }
      });
    }
  }

  it('or forgets from where it borrows, although nothing but the window has changed', async () => {
    const armed = join(makeFolder(), 'armed');
    const { environment } = gitThat(
      `case " $* " in *.git*" for-each-ref "*) g=\${1#--git-dir=}; if [ -e ${armed} ] && [ "$g" != ${repo.path} ]; then
        rm -f ${armed} "$g/objects/info/alternates"
        for i in 1 2 3 4 5 6 7 8 9 10; do if [ -e "$g/objects/info/alternates" ]; then break; fi; sleep 0.1; done
        rm -f "$g/objects/info/alternates"
      fi;; esac`,
    );
    const kit = await kitWith(environment);
    const source = { kind: 'path', address: repo.path } as const;
    const from = repo.git('log', '-1', '--format=%cI').trim();
    const id = await kit.queue('whole', source, { from });
    const last = await kit.run(id);
    expect(last).toMatchObject({ status: 'processing_completed', commits_complete_count: 1 });
    writeFileSync(armed, '');
    await kit.queue('whole', source, { all: true });
    const row = await kit.run(id);
    expect(existsSync(armed)).toBe(false);
    expect(row.error_detail).toContain('was removed while it was brought up to date');
    await expectWhole(kit, id);
  });

  it('its objects, right after they were fetched for the first time', async () => {
    const daemon = await startGitDaemon(join(repo.path, '..'));
    const once = join(makeFolder(), 'done');
    const { environment } = gitThat(
      `case " $* " in *" for-each-ref "*) g=\${1#--git-dir=}; if [ ! -e ${once} ] && [ -e "$g/strata-files" ]; then
        touch ${once}
        PATH=\${PATH#*:} git "$@"; rm -rf "$g"/objects/pack/* "$g"/objects/??; exit 0
      fi;; esac`,
    );
    const kit = await kitWith(environment);
    const id = await kit.queue('whole', { kind: 'address', address: `${daemon.url}/repo.git` });
    const row = await kit.run(id);
    expect(existsSync(once)).toBe(true);
    expect(row.error_detail).toContain('was removed while it was brought up to date');
    await expectWhole(kit, id);
  });

  it('or lost a file while nothing ran is made anew before anything is read', async () => {
    const daemon = await startGitDaemon(join(repo.path, '..'));
    const kit = await kitWith();
    const id = await kit.queue('whole', { kind: 'address', address: `${daemon.url}/repo.git` });
    await expectWhole(kit, id);
    const objects = join(mirrorOf(kit, id), 'objects');
    const held = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const victim = held.length > 0 ? join(objects, held[0]!) : join(objects, 'pack');
    rmSync(victim, { recursive: true });
    await expectWhole(kit, id);
    expect(readdirSync(objects)).toEqual(expect.arrayContaining(held));
  });
});

describe('commits that were stored as lacking objects', () => {
  it('are read again when git can show them, together with whatever was traced through them', async () => {
    const damaged = history().build();
    const blob = damaged.git('rev-parse', `${damaged.sha('main 1')}:a.ts`).trim();
    const file = join(damaged.path, 'objects', blob.slice(0, 2), blob.slice(2));
    renameSync(file, `${file}.away`);
    const kit = await kitWith();
    const id = await kit.queue('whole', { kind: 'path', address: damaged.path });
    const lacking = await kit.run(id);
    expect(lacking.status).toBe('processing_completed');
    expect(lacking.skipped_commit_count).toBeGreaterThan(0);
    // Nothing changes while it is still missing.
    expect((await kit.run(id)).skipped_commit_count).toBe(lacking.skipped_commit_count);
    renameSync(`${file}.away`, file);
    await expectWhole(kit, id);
  });
});
