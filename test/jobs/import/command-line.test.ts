import { lookup } from 'node:dns/promises';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgressBar } from '../../../src/cli/terminal/progress-bar.ts';
import { describeEnd, findTargets, listTargets } from '../../../src/cli/verbs/import.ts';
import { addressRule, isMetadataAddress, isPrivateAddress } from '../../../src/connectors/sources/check-address.ts';
import { followRedirects } from '../../../src/connectors/sources/follow-redirects.ts';
import { parseCloneAddress } from '../../../src/domain/repos/clone-address.ts';
import { parseRemoteRefs } from '../../../src/engine/git/refs.ts';
import { parseRepoPath } from '../../../src/operations/repos/imports.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { makeFolder } from './import-kit.ts';

describe('what strata import is given', () => {
  const repo = goldenRepo()
    .commit('one', { files: { a: 'a\n' } })
    .build();

  it('is a repository, named after its folder unless --as says otherwise', () => {
    const checkout = repo.clone();
    expect(findTargets(repo.path, undefined)).toEqual([
      { kind: 'path', address: repo.path, as: 'imported/repo', isNameGuessed: true },
    ]);
    expect(findTargets(`file://${repo.path}`, 'a/b')).toEqual([{ kind: 'path', address: repo.path, as: 'a/b' }]);
    expect(findTargets(checkout, undefined)).toEqual([
      { kind: 'path', address: checkout, as: 'imported/clone-1', isNameGuessed: true },
    ]);
  });

  it('is a folder of repositories, with or without organizations', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'tools'));
    symlinkSync(repo.path, join(folder, 'tools', 'hammer.git'));
    symlinkSync(repo.path, join(folder, 'odd name+.git'));
    expect(findTargets(folder, undefined).map(({ as }) => as)).toEqual(['imported/odd-name', 'tools/hammer']);
    expect(() => findTargets(folder, 'a/b')).toThrow('--as names one repo');
  });

  it('is refused when two repositories of a folder would have one name', () => {
    const folder = makeFolder();
    symlinkSync(repo.path, join(folder, 'hammer.git'));
    symlinkSync(repo.clone(), join(folder, 'hammer'));
    expect(() => findTargets(folder, undefined)).toThrow(/hammer.* and .*hammer.* would both be imported\/hammer/);
    const cased = makeFolder();
    symlinkSync(repo.path, join(cased, 'App'));
    symlinkSync(repo.clone(), join(cased, 'app'));
    expect(() => findTargets(cased, undefined)).toThrow(/App and .*app would both be imported\/app/);
    // Who only looks sees both.
    expect(listTargets(cased, undefined).map(({ as }) => as)).toEqual(['imported/App', 'imported/app']);
    const suffixed = makeFolder();
    symlinkSync(repo.path, join(suffixed, 'q'));
    symlinkSync(repo.clone(), join(suffixed, 'q.GIT'));
    expect(() => findTargets(suffixed, undefined)).toThrow(/would both be imported\/q/);
  });

  it('is an address', () => {
    for (const address of ['https://example.org/x/y.git', 'git://example.org/y', 'git@example.org:x/y.git']) {
      expect(findTargets(address, undefined)).toEqual([
        { kind: 'address', address, as: 'imported/y', isNameGuessed: true },
      ]);
    }
  });

  it('is refused with what would be accepted', () => {
    expect(() => findTargets('/nonexistent', undefined)).toThrow('give a repository, a folder of them or an address');
    expect(() => findTargets(makeFolder(), undefined)).toThrow('is no git repository and has none in it');
  });
});

describe('what strata import says', () => {
  const record = {
    repo_path: 'acme/site',
    import_status: 'processing_completed',
    error_em: null,
    error_detail: '',
    commits_complete_count: 7,
    skipped_commit_count: 0,
    skipped_commits: [],
  } as const;

  it('of an end is whether it was a good one', () => {
    expect(describeEnd(record)).toBe('acme/site is imported: 7 commits.');
    expect(describeEnd({ ...record, commits_complete_count: 0 })).toBe(
      'acme/site is imported, but no commit is young enough; --since all takes the whole history.',
    );
    expect(describeEnd({ ...record, error_em: 'empty_repo', error_detail: 'nothing is left' })).toBe(
      'acme/site was not brought up to date (empty_repo): nothing is left',
    );
  });

  it('of commits that could not be read is which they are, and why', () => {
    const skipped = { sha: 'a'.repeat(40), reason: 'object_missing', path: 'lib/gone.ts' };
    expect(describeEnd({ ...record, skipped_commit_count: 30, skipped_commits: Array(20).fill(skipped) })).toBe(
      [
        'acme/site is imported: 7 commits; 30 could not be read wholly:',
        ...Array(10).fill('  aaaaaaaaaaaa object_missing lib/gone.ts'),
        '  …',
        'Objects are missing from the source, and the figures lack the lines of these commits;',
        'of a partial clone, git fetch --refetch --no-filter brings the rest, which another import reads.',
      ].join('\n'),
    );
    const tooLong = { ...skipped, reason: 'line_too_long' };
    expect(describeEnd({ ...record, skipped_commit_count: 1, skipped_commits: [tooLong] })).not.toContain('missing');
  });

  it('before the number of commits is known is no full bar', () => {
    const written: string[] = [];
    createProgressBar({ isTTY: true, write: (part) => written.push(String(part)) > 0 }).show(0, 0);
    expect(written.join('')).toContain('getting ready');
    expect(written.join('')).not.toContain('█');
  });
});

describe('addresses to clone from', () => {
  it('lose their credentials, and keep nothing that git could take for an option', () => {
    const { url, credentials } = parseCloneAddress('https://ada:s%40cret@example.org/x/y.git');
    expect([url.href, credentials]).toEqual(['https://example.org/x/y.git', { username: 'ada', password: 's@cret' }]);
    for (const bad of [
      'ext::sh -c touch% /tmp/x',
      'file:///etc',
      'https://',
      'ssh://-oProxyCommand=x/y',
      'fd::1',
      '/etc/passwd',
      'https://example.org',
    ]) {
      expect(() => parseCloneAddress(bad), bad).toThrow();
    }
    expect(() => parseCloneAddress('ftp://ada:secret@example.org/x')).toThrow(/^(?!.*secret)/);
  });

  it('where clouds hand out credentials are refused, also where private ones are allowed', () => {
    const allowed = addressRule(true);
    for (const ip of [
      '169.254.169.254',
      '169.254.170.2',
      '169.254.170.23',
      '169.254.42.42',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      'fd00:ec2::254',
      'fd00:ec2:0:0:0:0:0:254',
      'FD00:EC2::23',
      'fd20:ce::254',
      'fd00:c1::a9fe:a9fe',
      'fd00:42::42',
      'fe80::a9fe:a9fe',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '::169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::100.100.100.200',
      '2002:a9fe:a9fe::1',
      'fe80::a9fe:a9fe%eth0',
    ]) {
      expect([isMetadataAddress(ip), allowed(ip), addressRule(false)(ip)], ip).toEqual([true, false, false]);
    }
    for (const ip of [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '100.100.100.201',
      'fd00::1',
      '::1',
      'fe80::1',
      '8.8.8.8',
    ]) {
      expect([isMetadataAddress(ip), allowed(ip)], ip).toEqual([false, true]);
    }
  });

  it('in private networks are known as such', () => {
    const inside = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
    for (const ip of [...inside, '::1', '::', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:a00:1', '224.0.0.1']) {
      expect(isPrivateAddress(ip), ip).toBe(true);
    }
    for (const ip of ['::127.0.0.1', '::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::', 'fec0::1']) {
      expect(isPrivateAddress(ip), ip).toBe(true);
    }
    for (const ip of [
      '::ffff:808:808',
      '2001:4860:4860::8888',
      '2a00::1',
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
    ]) {
      expect(isPrivateAddress(ip), ip).toBe(false);
    }
  });

  it('are resolved anew for each request, and may have moved into a private network meanwhile', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(302, { location: '/moved.git/info/refs' }).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/a.git`);
    await expect(followRedirects(url, null, { isAllowed: () => false, authorities: null })).rejects.toThrow(
      'private address',
    );
    // Allowed when it is first looked at, and not when the request is made.
    const addresses = (await lookup('localhost', { all: true })).length;
    let questions = 0;
    await expect(
      followRedirects(url, null, { isAllowed: () => ++questions <= addresses, authorities: null }),
    ).rejects.toThrow('private network');
    expect(seen).toEqual([]);
    server.close();
  });

  it('a host that names an option for its branch is not believed', () => {
    const sha = 'a'.repeat(40);
    const refs = parseRemoteRefs(`ref: --delete\tHEAD\n${sha}\tHEAD\n${sha}\trefs/heads/main\n`);
    expect(refs.head).toBe('refs/heads/main');
    expect(parseRemoteRefs(`ref: refs/heads/dev\tHEAD\n${sha}\trefs/heads/dev\n`).head).toBe('refs/heads/dev');
  });

  it('a repo path names an organization and a repo, never a place on the server', () => {
    expect(parseRepoPath(' acme/website/ ')).toEqual({ organization: 'acme', repo: 'website' });
    for (const bad of ['acme', '', '/', '../x', 'a/..', 'a/../b', 'a\0/b', './b']) {
      expect(() => parseRepoPath(bad), bad).toThrow('expected <organization>/<repo>');
    }
  });
});
