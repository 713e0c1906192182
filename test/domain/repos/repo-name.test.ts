import { describe, expect, test } from 'vitest';
import { areSameAddress, readRepoName, repoNameKey } from '../../../src/domain/repos/repo-name.ts';

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

  test('names are compared without case and suffix', () => {
    expect(repoNameKey('Widgets.GIT')).toBe(repoNameKey('widgets'));
  });

  test.each([
    ['ssh://git@Code.example.com/Acme/widgets.git', 'https://code.example.com/acme/widgets/', true],
    ['ssh://git@code.example.com:7999/acme/widgets', 'https://code.example.com:8443/acme/widgets', true],
    ['https://code.example.com:443/acme/widgets', 'https://code.example.com/acme/widgets', true],
    ['ssh://git@code.example.com:22/acme/widgets', 'ssh://git@code.example.com/acme/widgets', true],
    ['ssh://git@code.example.com:7999/acme/widgets', 'ssh://git@code.example.com/acme/widgets', false],
    ['git://code.example.com:9418/acme/widgets', 'git://code.example.com/acme/widgets', true],
    ['http://code.example.com:3000/acme/widgets', 'http://code.example.com:8080/acme/widgets', false],
    ['https://code.example.com/acme/widgets', 'https://code.example.com/acme/widget', false],
    ['/srv/widgets/', '/srv/widgets', true],
    ['/srv/Widgets', '/srv/widgets', false],
    ['/srv/widgets', 'https://code.example.com/srv/widgets', false],
  ])('%s and %s are one: %s', (one, other, isSame) => {
    expect(areSameAddress(one, other)).toBe(isSame);
    expect(areSameAddress(other, one)).toBe(isSame);
  });
});
