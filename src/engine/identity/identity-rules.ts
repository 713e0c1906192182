// What addresses and names say about who stands behind a commit: the hosts' private addresses, the accounts
// of services, and the addresses a host uses for what it does itself. One table each; first match wins.

/** A host's private address; the named groups give the account's id and login. Matched in lower case. */
export const NOREPLY_FORMS: readonly { readonly host: string; readonly pattern: RegExp }[] = [
  { host: 'github', pattern: /^(?<id>\d{1,12})\+(?<login>[^@+]{1,100})@users\.noreply\.github\.com$/ },
  { host: 'github', pattern: /^(?<login>[^@+]{1,100})@users\.noreply\.github\.com$/ },
  { host: 'gitlab', pattern: /^(?<id>\d{1,12})-(?<login>[^@]{1,100})@users\.noreply\.gitlab\.com$/ },
  { host: 'gitlab', pattern: /^(?<login>[^@]{1,100})@users\.noreply\.gitlab\.com$/ },
  { host: 'self-hosted', pattern: /^(?<id>\d{1,12})[+-](?<login>[^@]{1,100})@users\.noreply\.[a-z0-9.-]{3,100}$/ },
  { host: 'self-hosted', pattern: /^(?<login>[^@]{1,100})@users\.noreply\.[a-z0-9.-]{3,100}$/ },
  // Gitea and Forgejo
  { host: 'gitea', pattern: /^(?:(?<id>\d{1,12})\+)?(?<login>[^@+]{1,100})@noreply\.[a-z0-9.-]{3,100}$/ },
  { host: 'sourceforge', pattern: /^(?<login>[^@]{1,100})@users\.(?:sourceforge|sf)\.net$/ },
];

/** Addresses under which a host commits on behalf of whoever pressed the button: never a person. */
export const HOST_ADDRESSES: ReadonlySet<string> = new Set([
  'noreply@github.com',
  'noreply@gitlab.com',
  'gitlab@localhost',
  'noreply@bitbucket.org',
  'commits-noreply@bitbucket.org',
  'noreply@codeberg.org',
  'noreply@gitea.io',
]);

export interface BotRule {
  readonly bot: string;
  readonly field: 'email' | 'name';
  readonly pattern: RegExp;
  /** Seen in public histories, as opposed to a guess from the form of the name. */
  readonly verified: boolean;
}

export const BOT_RULES: readonly BotRule[] = [
  { bot: 'any GitHub app', field: 'email', pattern: /\[bot\]@users\.noreply\./, verified: true },
  { bot: 'any GitHub app', field: 'name', pattern: /\[bot\]$/i, verified: true },
  {
    bot: 'GitLab project or group access token',
    field: 'email',
    pattern: /^(?:project|group)_?\d+_?bot[^@]*@/,
    verified: true,
  },
  { bot: 'GitHub Actions', field: 'email', pattern: /^(?:actions?|github-actions)@github\.com$/, verified: true },
  { bot: 'Dependabot', field: 'email', pattern: /^support@dependabot\.com$/, verified: true },
  {
    bot: 'Renovate',
    field: 'email',
    pattern: /^(?:bot|renovate)@(?:renovateapp|whitesourcesoftware)\.com$/,
    verified: true,
  },
  { bot: 'Greenkeeper', field: 'email', pattern: /^(?:support|greenkeeper\[?bot\]?)@greenkeeper\.io$/, verified: true },
  { bot: 'Snyk', field: 'email', pattern: /^snyk-bot@snyk\.io$/, verified: true },
  { bot: 'PyUp', field: 'email', pattern: /^github-bot@pyup\.io$/, verified: true },
  { bot: 'semantic-release', field: 'email', pattern: /^semantic-release-bot@martynus\.net$/, verified: true },
  { bot: 'Weblate', field: 'email', pattern: /^(?:hosted|noreply)(?:[+-][^@]*)?@weblate\.org$/, verified: true },
  { bot: 'Crowdin', field: 'email', pattern: /^support\+bot@crowdin\.com$/, verified: true },
  {
    bot: 'Transifex',
    field: 'email',
    pattern: /^transifex@users\.noreply\.github\.com$|^(?:tx-bot|bot)@transifex\.com$/,
    verified: false,
  },
  { bot: 'Travis CI', field: 'email', pattern: /^(?:builds|deploy)@travis-ci\.(?:org|com)$/, verified: true },
  { bot: 'Codacy', field: 'email', pattern: /^badger@codacy\.com$/, verified: true },
  { bot: 'Kubernetes CI', field: 'name', pattern: /^k8s-ci-robot$/i, verified: true },
  { bot: 'a name that ends in bot', field: 'name', pattern: /(?:^|[-_ ])(?:bot|robot)$/i, verified: false },
  { bot: 'an address that ends in -bot', field: 'email', pattern: /[-_.](?:bot|robot)@/, verified: false },
];
