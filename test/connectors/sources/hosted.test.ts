// Repositories of code hosts are cloned by the first token that can be opened.
import { expect, test } from 'vitest';
import type { HostedRepo } from '../../../src/connectors/sources/hosted.ts';
import { createHostedSource } from '../../../src/connectors/sources/hosted.ts';
import type { HostAccount } from '../../../src/domain/repos/code-host.ts';
import { SealedWithAnotherKey } from '../../../src/kit/sealed-secret.ts';

const path = { organization: 'acme', repo: 'site' };

const seenBy = (name: string, openAccount: () => HostAccount): HostedRepo => ({
  path,
  clone_url: `file:///${name}`,
  failure: null,
  openAccount,
});
const locked = seenBy('locked', () => {
  throw new SealedWithAnotherKey();
});
const open = seenBy('open', () => ({
  provider: 'hostC',
  token: 't',
  email: 'a@b.org',
  endpoint_url: null,
  organization_name: null,
  tenant_id: null,
}));

const addressBy = (...found: HostedRepo[]) =>
  createHostedSource({
    find: async () => found,
    listRepos: async () => [],
    listOrganizations: async () => [],
    codeHosts: { cloneCredentials: () => ({ username: 'u', password: 'p' }) },
    reach: { isAllowed: () => true, authorities: null },
  }).cloneAddress(1, path);

test('those that were sealed with another key are passed over', async () => {
  // A folder is no address to clone from: the refusal shows whose it was.
  await expect(addressBy(locked, open)).rejects.toThrow('file:///open');
});

test('without any that opens, it is said what to do', async () => {
  await expect(addressBy(locked, locked)).rejects.toMatchObject({
    failure: 'revoked',
    message: expect.stringMatching(/acme\/site were sealed with another key; bring secret\.key back/),
  });
});
