// What a commit's message says of its work: that it takes another commit back, or that it only formats.
import { PLAIN_COMMIT, SAYS_REFORMATTING, SAYS_REVERT } from '../kernel-contract.ts';

/** `Revert "subject"` is what git and the hosts write; a reapplied commit is a revert of a revert. */
const REVERT_SUBJECT = /^(?:revert(?:ed)?(?:\([^)]*\))?:?\s+["'“`]|revert(?:\([^)]*\))?:\s|reapply\s+["'“`])/i;
const REVERT_BODY = /^This reverts (?:commit|pull request|merge request)\b/im;

/**
 * Names of formatters and of what they do, in a subject. The kernel asks for more before it believes them: many files, and
 * about as much text after as before.
 */
const FORMATTERS = new RegExp(
  [
    String.raw`\b(?:re-?|auto-?)?format(?:s|ted|ting|ter)?\b`,
    String.raw`\b(?:re-?)?(?:wrap|flow|indent|style)(?:s|d|ed|ped|ing|ping|ation)?\b`,
    String.raw`\b(?:prettier|prettify|black(?:en(?:ed)?)?|yapf|autopep8|isort|gofmt|goimports|rustfmt|clang-format|spotless)\b`,
    String.raw`\b(?:eslint|lint(?:er|ing|ed)?|ruff|biome|pyupgrade|rubocop|standardjs?)\b`,
    String.raw`\b(?:code ?style|coding style|white-?space|line (?:length|endings?|breaks?)|max-len)\b`,
    String.raw`\b(?:trailing (?:commas?|spaces)|semi-?colons?|(?:double|single) quotes|f-strings?)\b`,
  ].join('|'),
  'i',
);

/** A code of the kernel's contract. */
export function standingOf(message: string): number {
  const end = message.indexOf('\n');
  const subject = end < 0 ? message : message.slice(0, end);
  if (REVERT_SUBJECT.test(subject) || REVERT_BODY.test(message)) return SAYS_REVERT;
  return FORMATTERS.test(subject) ? SAYS_REFORMATTING : PLAIN_COMMIT;
}
