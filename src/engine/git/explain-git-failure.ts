// Why a repository could not be brought here, told from what git printed: the import's error status and
// whether it is worth trying again both depend on it.

import { RepoAccessError, type RepoAccessFailure } from '../../domain/repos/source.ts';

// First match decides. Git's messages are in English because it runs with LC_ALL=C.
const SIGNS: readonly { pattern: RegExp; failure: RepoAccessFailure; advice: string }[] = [
  {
    pattern: /error: 429|rate limit|too many requests|quota/i,
    failure: 'quota',
    advice: 'the host refuses more requests for now; the import is tried again later',
  },
  {
    pattern:
      /authentication failed|could not read (username|password)|terminal prompts disabled|permission denied|error: 40[13]|invalid credentials|host key verification failed|access denied or repository not exported/i,
    failure: 'no_access',
    advice:
      'the credentials are missing, wrong, or lack the right to read; register the address again with ones that work',
  },
  {
    pattern:
      /repository .*not found|error: 404|does not exist|not appear to be a git repository|no such (file|repository)|project you were looking for/i,
    failure: 'not_found',
    advice: 'no repository is there; check the address',
  },
  {
    pattern: /error: 30\d|unable to update url base from redirection|redirect/i,
    failure: 'refused_address',
    advice: 'the address redirects to another one; register the address it leads to',
  },
];

export function explainGitFailure(shownAddress: string, stderr: string): RepoAccessError {
  const lines = stderr.split('\n').filter((line) => /^(fatal|error|remote|ssh|ERROR)/i.test(line.trim()));
  const said = (lines.length > 0 ? lines : stderr.split('\n')).join(' ').trim().slice(0, 300) || 'no message';
  const sign = SIGNS.find(({ pattern }) => pattern.test(stderr));
  if (sign) return new RepoAccessError(sign.failure, `${shownAddress}: ${sign.advice} (git said: ${said})`);
  return new RepoAccessError(
    'transient',
    `${shownAddress} could not be read; check that the host is up and reachable from here (git said: ${said})`,
  );
}
