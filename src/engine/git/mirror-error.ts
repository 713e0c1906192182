// Why a repository could not be brought here, told from what git printed: the import's error status and
// whether it is worth trying again both depend on it.

export type MirrorFailure =
  | 'no_access'
  | 'not_found'
  | 'no_default_branch'
  | 'quota'
  | 'too_large'
  | 'refused_address'
  | 'transient';

/** `message` is for the person who asked for the import: it names the address without secrets, and says what to do. */
export class MirrorError extends Error {
  readonly failure: MirrorFailure;

  constructor(failure: MirrorFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'MirrorError';
    this.failure = failure;
  }
}

// First match decides. Git's messages are in English because it runs with LC_ALL=C.
const SIGNS: readonly { pattern: RegExp; failure: MirrorFailure; advice: string }[] = [
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

export function explainGitFailure(shownAddress: string, stderr: string): MirrorError {
  const lines = stderr.split('\n').filter((line) => /^(fatal|error|remote|ssh|ERROR)/i.test(line.trim()));
  const said = (lines.length > 0 ? lines : stderr.split('\n')).join(' ').trim().slice(0, 300) || 'no message';
  const sign = SIGNS.find(({ pattern }) => pattern.test(stderr));
  if (sign) return new MirrorError(sign.failure, `${shownAddress}: ${sign.advice} (git said: ${said})`);
  return new MirrorError(
    'transient',
    `${shownAddress} could not be read; check that the host is up and reachable from here (git said: ${said})`,
  );
}
