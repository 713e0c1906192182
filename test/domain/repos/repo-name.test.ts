import { describe, expect, test } from 'vitest';
import { addressKey, readRepoName, repoNameKey } from '../../../src/domain/repos/repo-name.ts';

describe('a repository has one name', () => {
  test.each([
    'acme/widgets',
    'acme/widgets.git',
    ' /acme/widgets/ ',
    'acme/widgets.git/',
    'https://code.example.com/acme/widgets',
    'https://me:secret@code.example.com:8443/acme/widgets.git/',
    'ssh://git@code.example.com/acme/widgets.git',
    'git@code.example.com:acme/widgets.git',
    'git://code.example.com/acme/widgets?depth=1#readme',
  ])('%s', (text) => expect(readRepoName(text)).toEqual({ organization: 'acme', repo: 'widgets' }));

  test('groups in groups are the organization', () =>
    expect(readRepoName('https://code.example.com/a/b/c.git')).toEqual({ organization: 'a/b', repo: 'c' }));

  test.each(['widgets', '', '/', 'acme//widgets', 'acme/.git', 'https://code.example.com/', 'git@code.example.com:x'])(
    '%j is none',
    (text) => expect(readRepoName(text)).toBeNull(),
  );

  test('names and addresses are compared without case, suffix and protocol', () => {
    expect(repoNameKey('Widgets.GIT')).toBe(repoNameKey('widgets'));
    expect(addressKey('ssh://git@Code.example.com/Acme/widgets.git')).toBe(
      addressKey('https://code.example.com/acme/widgets/'),
    );
    expect(addressKey('/srv/Widgets/')).not.toBe(addressKey('/srv/widgets'));
  });
});
