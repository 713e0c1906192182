import { describe, expect, test } from 'vitest';
import { parseTrailers } from '../../../src/engine/evidence/trailers.ts';
import { authorOfRecord, directorsOf } from '../../../src/engine/identity/author-of-record.ts';
import { readCoAuthors } from '../../../src/engine/identity/co-authors.ts';
import {
  identityKey,
  identityKind,
  readHostAccount,
  suggestUserName,
} from '../../../src/engine/identity/read-identity.ts';

describe('a private address names its account', () => {
  test.each([
    ['123+ada@users.noreply.github.com', { host: 'github', login: 'ada', id: '123' }],
    ['Ada@users.noreply.github.com', { host: 'github', login: 'ada', id: null }],
    ['49699333+dependabot[bot]@users.noreply.github.com', { host: 'github', login: 'dependabot[bot]', id: '49699333' }],
    ['77-ada.l@users.noreply.gitlab.com', { host: 'gitlab', login: 'ada.l', id: '77' }],
    ['ada@users.noreply.gitlab.com', { host: 'gitlab', login: 'ada', id: null }],
    ['5+ada@users.noreply.ghe.example.com', { host: 'self-hosted', login: 'ada', id: '5' }],
    ['ada@noreply.codeberg.org', { host: 'gitea', login: 'ada', id: null }],
    ['ada@users.sourceforge.net', { host: 'sourceforge', login: 'ada', id: null }],
  ])('%s', (email, account) => {
    expect(readHostAccount(email)).toEqual(account);
  });
  test.each(['ada@example.com', 'noreply@github.com', 'x@noreply', '', '@users.noreply.github.com'])(
    '%s names none',
    (email) => {
      expect(readHostAccount(email)).toBeNull();
    },
  );
});

describe('what an identity is', () => {
  test.each([
    ['Ada Lovelace', 'ada@example.com', 'person'],
    ['Claude', 'claude@dupont.fr', 'person'],
    ['Abbot', 'abbot@example.com', 'person'],
    ['Talbot', '1+talbot@users.noreply.github.com', 'person'],
    ['GitHub', 'noreply@github.com', 'host'],
    ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com', 'bot'],
    ['renovate[bot]', 'someone@example.com', 'bot'],
    ['Renovate Bot', 'bot@renovateapp.com', 'bot'],
    ['semantic-release-bot', 'semantic-release-bot@martynus.net', 'bot'],
    ['github-actions', 'action@github.com', 'bot'],
    ['acme-deploy-bot', 'ops@example.com', 'bot'],
    ['project bot', 'project_123_bot_abc@noreply.gitlab.com', 'bot'],
    ['Claude', 'noreply@anthropic.com', 'ai_agent'],
    ['Cursor Agent', 'cursoragent@cursor.com', 'ai_agent'],
    ['Devin AI', '158243242+devin-ai-integration[bot]@users.noreply.github.com', 'ai_agent'],
  ])('%s <%s> is a %s', (name, email, kind) => {
    expect(identityKind({ name, email })).toBe(kind);
  });
});

describe('one person has one key', () => {
  test.each([
    ['Ada@Example.com ', 'ada@example.com'],
    ['123+Ada@users.noreply.github.com', 'ada@users.noreply.github.com'],
    ['ada@users.noreply.github.com', 'ada@users.noreply.github.com'],
    ['77-ada@users.noreply.gitlab.com', 'ada@users.noreply.gitlab.com'],
  ])('%s', (email, key) => {
    expect(identityKey({ name: 'Ada', email })).toBe(key);
  });
  test('without an address the name is the key, and two nameless authors stay apart from everyone', () => {
    expect(identityKey({ name: ' Ada  Lovelace', email: '' })).toBe('name:ada lovelace');
    expect(identityKey({ name: '', email: '' })).toBe('name:');
  });
  test('accounts of the same login on different hosts are different people', () => {
    expect(identityKey({ name: 'A', email: 'ada@users.noreply.github.com' })).not.toBe(
      identityKey({ name: 'A', email: 'ada@users.noreply.gitlab.com' }),
    );
  });
});

describe('a user name is suggested', () => {
  test.each([
    ['Ada Lovelace', '123+countess@users.noreply.github.com', 'countess'],
    ['Ada Lovelace', 'ada@example.com', 'ada-lovelace'],
    ['Łukasz Størmør-Weiß', 'l@example.com', 'lukasz-stormor-weiss'],
    ['王伟', 'wang.wei@example.com', 'wang-wei'],
    ['王伟', '', 'unknown'],
    ['', 'x@example.com', 'x'],
    ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com', 'dependabot'],
    ['A'.repeat(80), 'a@example.com', 'a'.repeat(39)],
  ])('%s <%s> → %s', (name, email, userName) => {
    expect(suggestUserName({ name, email })).toBe(userName);
  });
});

test('co-authors are named once each, without the author; the first person among them directed an agent', () => {
  const message = [
    'Add it',
    '',
    'Co-authored-by: Bo <bo@x.org>',
    'Co-Authored-By: Bo Byte <BO@x.org>',
    'Co-authored-by: Ada <1+ada@users.noreply.github.com>',
    'Co-authored-by: Claude Opus 4.5 <noreply@anthropic.com>',
    'Co-authored-by: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
    'Co-authored-by: GitHub <noreply@github.com>',
    'Co-authored-by: nobody',
    'Signed-off-by: Eve <eve@x.org>',
    '',
  ].join('\n');
  const author = { name: 'Ada', email: 'ada@users.noreply.github.com' };
  const coAuthors = readCoAuthors(parseTrailers(message), author);
  expect(coAuthors.map(({ email }) => email)).toEqual([
    'bo@x.org',
    'noreply@anthropic.com',
    '49699333+dependabot[bot]@users.noreply.github.com',
    'noreply@github.com',
  ]);
  const directors = directorsOf({ co_authors: coAuthors.toReversed() });
  expect(directors).toEqual({ co_author: { name: 'Bo', email: 'bo@x.org' } });
  const agent = { name: 'Copilot', email: '198982749+Copilot@users.noreply.github.com' };
  expect(authorOfRecord({ author: agent }, directors)?.name).toBe('Bo');
  expect(authorOfRecord({ author: agent }, {})).toBeNull();
  expect(authorOfRecord({ author }, directors)).toBeNull();
});
