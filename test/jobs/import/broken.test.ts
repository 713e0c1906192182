// Sources that cannot be read, wholly or in part: the import ends in the status that says why, with words
// that say what to do, and neither stops the queue.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RepoAccessError, type RepoSource } from '../../../src/domain/repos/source.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR } from '../../../src/operations/index.ts';
import { goldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';
import { startGitDaemon } from './git-daemon.ts';
import { createImportKit, makeFolder } from './import-kit.ts';

const servers: { close(): void }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const loopback = (ip: string): boolean => ip === '127.0.0.1';

describe('sources that cannot be read', () => {
  it('an empty repository has no default branch', async () => {
    const kit = await createImportKit();
    const row = await kit.importFolder('empty', goldenRepo().build().path);
    expect(row).toMatchObject({ status: 'could_not_determine_default_branch', error_em: 'empty_repo' });
    expect(row.error_detail).toContain('push to it');
  });

  it('a default branch whose commit is gone is named, with what to do', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: 'a\n' } })
      .build();
    const broken = goldenRepo().build();
    const missing = repo.sha('one');
    // A branch that leads nowhere, as after a lost disk: git would not write it, a damaged folder has it.
    mkdirSync(join(broken.path, 'refs', 'heads'), { recursive: true });
    writeFileSync(join(broken.path, 'refs', 'heads', 'main'), `${missing}\n`);
    const kit = await createImportKit();
    const row = await kit.importFolder('torn', broken.path);
    expect(row).toMatchObject({ status: 'could_not_determine_default_branch', error_em: 'unknown_error' });
    expect(row.error_detail).toContain(missing);
    expect(row.error_detail).toContain('git fsck');
  });

  it('a repository with SHA-256 objects is refused as such, from a folder and from an address', async () => {
    const folder = join(makeFolder(), 'long.git');
    const git = (...args: string[]) =>
      execFileSync('git', args, { env: isolatedGitEnvironment(), input: '', encoding: 'utf8' }).trim();
    git('init', '-q', '--bare', '--object-format=sha256', '--initial-branch=main', folder);
    const tree = git('-C', folder, 'mktree');
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@x.org'];
    const commit = git('-C', folder, ...who, 'commit-tree', tree, '-m', 'one');
    git('-C', folder, 'update-ref', 'refs/heads/main', commit);
    const daemon = await startGitDaemon(join(folder, '..'));
    const kit = await createImportKit({ isAllowed: loopback });
    const sources = [
      { kind: 'path', address: folder },
      { kind: 'address', address: `${daemon.url}/long.git` },
    ] as const;
    for (const [index, source] of sources.entries()) {
      const row = await kit.run(await kit.queue(`long${index}`, source));
      expect(row).toMatchObject({ status: 'unable_to_import_no_repo', error_em: 'unknown_error', attempt_count: 0 });
      expect(row.error_detail).toBe(
        `acme/long${index} has SHA-256 objects, and only repositories with SHA-1 objects can be imported; strata analyze reads a clone of it`,
      );
    }
  });

  it('a folder that is no repository, and one below a repository, are not found', async () => {
    const kit = await createImportKit();
    for (const path of [kit.folder, join(process.cwd(), 'src'), '/nonexistent/x']) {
      const row = await kit.importFolder('none', path);
      expect(row).toMatchObject({ status: 'unable_to_import_no_repo', error_em: 'repo_not_found' });
      expect(row.error_detail).toContain('check the path');
    }
  });

  it('an address that nobody answers at is tried again, and then given up', async () => {
    const kit = await createImportKit({ isAllowed: loopback, settings: { retrySeconds: [0, 0] } });
    const id = await kit.queue('away', { kind: 'address', address: 'git://127.0.0.1:9/none.git' });
    const first = await kit.run(id);
    expect(first).toMatchObject({ status: 'acquired_connection', attempt_count: 1 });
    expect(first.error_detail).toContain('attempt 1 failed');
    await kit.run(id);
    const last = await kit.run(id);
    expect(last).toMatchObject({ status: 'unable_to_import_too_many_attempts', error_em: 'unknown_error' });
    expect(last.error_detail).toContain('check that the host is up');
    const again = await kit.importFolder(
      'away',
      goldenRepo()
        .commit('one', { files: { a: 'a\n' } })
        .build().path,
    );
    expect(again).toMatchObject({ status: 'processing_completed', error_em: null, error_detail: '' });
  });

  it('wrong credentials end without a retry, and are in no record', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    const kit = await createImportKit({ isAllowed: loopback, settings: { retrySeconds: [0] } });
    const row = await kit.run(await kit.queue('locked', { kind: 'address', address: `${base}/org/repo.git` }));
    expect(row).toMatchObject({ status: 'unable_to_acquire_connection', error_em: 'insufficient_access' });
    expect(row.error_detail).toContain('credentials');
  });

  it('a host that answers 404 has no such repository', async () => {
    const base = await serve((_request, response) => void response.writeHead(404).end());
    const kit = await createImportKit({ isAllowed: loopback });
    const row = await kit.run(await kit.queue('gone', { kind: 'address', address: `${base}/org/repo.git` }));
    expect(row).toMatchObject({ status: 'unable_to_import_no_repo', error_em: 'repo_not_found' });
  });

  it('a private address is refused, and so is a redirect to one', async () => {
    const asked: string[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: `http://127.0.0.2:1${request.url}` }).end();
    });
    const strict = await createImportKit({ isAllowed: () => false });
    const direct = await strict.run(await strict.queue('inner', { kind: 'address', address: `${base}/a/b.git` }));
    expect(direct).toMatchObject({ status: 'unable_to_acquire_connection', error_em: 'insufficient_access' });
    expect(direct.error_detail).toContain('private address 127.0.0.1');
    expect(asked).toEqual([]);
    const kit = await createImportKit({ isAllowed: loopback });
    const row = await kit.run(await kit.queue('moved', { kind: 'address', address: `${base}/a/b.git` }));
    expect(row).toMatchObject({ status: 'unable_to_acquire_connection', error_em: 'insufficient_access' });
    expect(row.error_detail).toContain('private address 127.0.0.2');
  });

  it('a repository larger than allowed is not kept', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: 'a\n' } })
      .build();
    const daemon = await startGitDaemon(join(repo.path, '..'));
    const kit = await createImportKit({ settings: { mirrorLimitBytes: 10 }, isAllowed: loopback });
    const row = await kit.run(await kit.queue('big', { kind: 'address', address: `${daemon.url}/repo.git` }));
    expect(row).toMatchObject({ status: 'unable_to_import_no_repo', error_em: 'unknown_error' });
    expect(row.error_detail).toContain('mirror_limit_megabytes');
    expect(existsSync(join(kit.folder, 'mirrors', String(kit.entityId), `${row.id}.git`))).toBe(false);
  });

  it('a git:// address is cloned: branches, tags and notes, and nothing of pull requests', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: 'a\n' } })
      .branch('proposal')
      .commit('two', { files: { b: 'b\n' } })
      .ref('refs/pull/1/head', 'two')
      .deleteBranch('proposal')
      .tag('v1', 'one', { message: 'first' })
      .note('ai', 'one', 'a\n  h_0123456789abcd 1\n---\n{}')
      .build();
    const daemon = await startGitDaemon(join(repo.path, '..'));
    const kit = await createImportKit({ isAllowed: loopback });
    const row = await kit.run(await kit.queue('remote', { kind: 'address', address: `${daemon.url}/repo.git` }));
    expect(row).toMatchObject({ status: 'processing_completed', commit_processed_count: 1 });
    const mirror = join(kit.folder, 'mirrors', String(kit.entityId), `${row.id}.git`);
    const refs = execFileSync('git', ['-C', mirror, 'for-each-ref', '--format=%(refname)'], { encoding: 'utf8' });
    expect(refs.trim().split('\n')).toEqual(['refs/heads/main', 'refs/notes/ai', 'refs/tags/v1']);
  });
});

describe('a scripted source', () => {
  const scripted = (answer: () => never): RepoSource => ({
    kind: 'scripted',
    listOrganizations: async () => [],
    listRepos: async () => [],
    findRepo: async (_entity, path) => ({ path, source: 'scripted', connectionCount: 3, pastYearCommitCount: 12 }),
    cloneAddress: async () => answer(),
  });

  it('out of quota is waited out and then ends the import', async () => {
    const source = scripted(() => {
      throw new RepoAccessError('quota', 'all 3 connections are rate-limited; wait or add a connection');
    });
    const kit = await createImportKit({ sources: [source], settings: { retrySeconds: [0] } });
    const id = await kit.queue('busy', { kind: 'address', address: 'https://example.org/a/b' });
    const waiting = await kit.run(id);
    expect(waiting).toMatchObject({ status: 'acquired_connection', available_provider_connection_count: 3 });
    expect(waiting.last_provider_quota_exceeded_at).not.toBeNull();
    expect(await kit.run(id)).toMatchObject({ status: 'unable_to_import_no_quota', error_em: 'quota_exceeded' });
  });

  it('a revoked connection is told apart from a missing right', async () => {
    const source = scripted(() => {
      throw new RepoAccessError('revoked', 'the token was revoked; connect again');
    });
    const kit = await createImportKit({ sources: [source] });
    const row = await kit.run(await kit.queue('old', { kind: 'address', address: 'https://example.org/a/b' }));
    expect(row).toMatchObject({ status: 'unable_to_acquire_connection', error_em: 'connection_revoked' });
  });

  it('an offered import waits for its acceptance', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: 'a\n' } })
      .build();
    const kit = await createImportKit();
    const id = await kit.queue('offered', { kind: 'path', address: repo.path });
    await kit.query(`update imports set status = 'offered_pending_acceptance'`);
    expect((await kit.run(id)).status).toBe('offered_pending_acceptance');
    expect((await kit.importFolder('offered', repo.path)).status).toBe('processing_completed');
  });
});

describe('repositories that can be read in part', () => {
  it('missing objects cost the files they belong to, and these are listed', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { 'a.txt': 'a first line of text\n', 'gone.txt': 'something that gets lost\n' } })
      .commit('two', { files: { 'a.txt': 'a first line of text\nand a second one\n' } })
      .build();
    const lost = repo.git('rev-parse', 'HEAD:gone.txt');
    const packs = join(repo.path, 'objects', 'pack');
    const pack = readdirSync(packs).find((name) => name.endsWith('.pack'));
    if (pack !== undefined) {
      const aside = join(makeFolder(), 'aside.pack');
      copyFileSync(join(packs, pack), aside);
      rmSync(packs, { recursive: true });
      execFileSync('git', ['-C', repo.path, 'unpack-objects', '-q'], { input: readFileSync(aside) });
    }
    rmSync(join(repo.path, 'objects', lost.slice(0, 2), lost.slice(2)));
    const kit = await createImportKit();
    const row = await kit.importFolder('torn', repo.path);
    expect(row).toMatchObject({ status: 'processing_completed', commit_processed_count: 2, skipped_commit_count: 1 });
    expect(await kit.query(`select encode(sha, 'hex') as sha, reason, path from skipped_commits`)).toEqual([
      { sha: repo.sha('one'), reason: 'object_missing', path: 'gone.txt' },
    ]);
  });

  it('an enormous file does not stop the import, and its commit is listed', async () => {
    const repo = goldenRepo()
      .commit('huge', { files: { 'data.txt': `${'x'.repeat(20_000_000)}\n`, 'a.txt': 'a small file beside it\n' } })
      .commit('after', { files: { 'a.txt': 'a small file beside it, changed\n' } })
      .build();
    const kit = await createImportKit();
    const row = await kit.importFolder('huge', repo.path);
    expect(row).toMatchObject({ status: 'processing_completed', commits_complete_count: 2 });
    const skipped = await kit.query<{ sha: string; path: string }>(
      `select encode(sha, 'hex') as sha, path from skipped_commits`,
    );
    expect(skipped).toContainEqual({ sha: repo.sha('huge'), path: 'data.txt' });
    const operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date() });
    const [entity] = await kit.query<{ slug: string }>('select slug from entities');
    const grant = await operations.access.enterEntity(OPERATOR, entity!.slug, 'member');
    const [record] = await operations.imports.list(grant);
    await operations.close();
    expect(record?.skipped_commits).toContainEqual(
      expect.objectContaining({ sha: repo.sha('huge'), path: 'data.txt', reason: expect.any(String) }),
    );
  });

  it('dates beyond any calendar do not stop the import', async () => {
    const repo = goldenRepo()
      .commit('early', { at: 0, files: { 'a.txt': 'a first line of text\n' } })
      .commit('late', { at: 1_700_000_000_000_000, files: { 'a.txt': 'another line of text\n' } })
      .tag('light', 'late')
      .tag('heavy', 'late', { message: 'annotated', at: 1_700_000_000_000_000 })
      .build();
    const kit = await createImportKit();
    const row = await kit.importFolder('dates', repo.path);
    expect(row).toMatchObject({ status: 'processing_completed', error_detail: '', commits_complete_count: 2 });
    expect(await kit.query('select name from tags order by name')).toEqual([{ name: 'heavy' }, { name: 'light' }]);
  });

  it('a tag whose object is gone is left out, and none that lies about its object stops the import', async () => {
    const repo = goldenRepo()
      .commit('only', { files: { 'a.txt': 'a first line of text\n' } })
      .tag('good', 'only')
      .build();
    const targets = { lie: `${repo.sha('only')}\ntype tree`, lost: `${'7'.repeat(40)}\ntype commit` };
    for (const [name, target] of Object.entries(targets)) {
      const sha = execFileSync('git', ['-C', repo.path, 'hash-object', '-t', 'tag', '-w', '--literally', '--stdin'], {
        env: isolatedGitEnvironment(),
        input: `object ${target}\ntag ${name}\ntagger A <a@x.org> 1700000000 +0000\n\ntext\n`,
        encoding: 'utf8',
      }).trim();
      writeFileSync(join(repo.path, 'refs', 'tags', name), `${sha}\n`);
    }
    const kit = await createImportKit();
    const row = await kit.importFolder('tags', repo.path);
    expect(row).toMatchObject({ status: 'processing_completed', error_detail: '', commits_complete_count: 1 });
    // Looked at by itself, the one that lies leads to the commit all the same.
    const tags = await kit.query('select name from tags where entity_id = $1 order by name', [kit.entityId]);
    expect(tags).toEqual([{ name: 'good' }, { name: 'lie' }]);
  });

  it('names, addresses, paths and branches of any length do not stop the import', async () => {
    const text = Array.from({ length: 40_000 }, (_, i) => String.fromCodePoint(0x1f600 + ((i * i * 7) % 70))).join('');
    const path = Array.from({ length: 12 }, (_, i) => `${i}`.repeat(250)).join('/');
    const repo = goldenRepo()
      .commit('long', { author: `${text} <${text}@x.org>`, files: { [path]: 'a first line of text\n' } })
      .commit('odd', { author: `a${text} <a${text}@x.org>`, files: { [path]: 'another line of text\n' } })
      .branch(Array.from({ length: 14 }, (_, i) => `b${i}${'x'.repeat(230)}`).join('/'), 'odd')
      .build();
    const kit = await createImportKit();
    const row = await kit.importFolder('long', repo.path);
    expect(row).toMatchObject({ status: 'processing_completed', error_detail: '', commits_complete_count: 2 });
  });
});
