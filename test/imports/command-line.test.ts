import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTargets } from '../../src/cli/import.ts';
import { isPrivateAddress } from '../../src/connectors/local/check-address.ts';
import { parseCloneAddress } from '../../src/domain/clone-address.ts';
import { parseRepoPath } from '../../src/operations/imports.ts';
import { goldenRepo } from '../support/golden-repo.ts';
import { makeFolder } from './import-kit.ts';

describe('what strata import is given', () => {
  const repo = goldenRepo()
    .commit('one', { files: { a: 'a\n' } })
    .build();

  it('is a repository, named after its folder unless --as says otherwise', () => {
    const checkout = repo.clone();
    expect(findTargets(repo.path, undefined)).toEqual([{ kind: 'path', address: repo.path, as: 'imported/repo' }]);
    expect(findTargets(`file://${repo.path}`, 'a/b')).toEqual([{ kind: 'path', address: repo.path, as: 'a/b' }]);
    expect(findTargets(checkout, undefined)).toEqual([{ kind: 'path', address: checkout, as: 'imported/clone-1' }]);
  });

  it('is a folder of repositories, with or without organizations', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'tools'));
    symlinkSync(repo.path, join(folder, 'tools', 'hammer.git'));
    symlinkSync(repo.path, join(folder, 'odd name+.git'));
    expect(findTargets(folder, undefined).map(({ as }) => as)).toEqual(['imported/odd-name', 'tools/hammer']);
    expect(() => findTargets(folder, 'a/b')).toThrow('--as names one repo');
  });

  it('is an address', () => {
    for (const address of ['https://example.org/x/y.git', 'git://example.org/y', 'git@example.org:x/y.git']) {
      expect(findTargets(address, undefined)).toEqual([{ kind: 'address', address, as: 'imported/y' }]);
    }
  });

  it('is refused with what would be accepted', () => {
    expect(() => findTargets('/nonexistent', undefined)).toThrow('give a repository, a folder of them or an address');
    expect(() => findTargets(makeFolder(), undefined)).toThrow('is no git repository and has none in it');
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

  it('in private networks are known as such', () => {
    const inside = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
    for (const ip of [...inside, '::1', '::', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:a00:1', '224.0.0.1']) {
      expect(isPrivateAddress(ip), ip).toBe(true);
    }
    for (const ip of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
      expect(isPrivateAddress(ip), ip).toBe(false);
    }
  });

  it('a repo path names an organization and a repo, never a place on the server', () => {
    expect(parseRepoPath(' acme/website/ ')).toEqual({ organization: 'acme', repo: 'website' });
    for (const bad of ['acme', '', '/', '../x', 'a/..', 'a/../b', 'a\0/b', './b']) {
      expect(() => parseRepoPath(bad), bad).toThrow('expected <organization>/<repo>');
    }
  });
});
