// What a commit's message says of its work: that it takes another commit back, or that it only formats.
import { PLAIN_COMMIT, SAYS_REFORMATTING, SAYS_REVERT } from '../kernel-contract.ts';

/** `Revert "subject"` is what git and the hosts write; a reapplied commit is a revert of a revert. */
const REVERT_SUBJECT = /^(?:revert(?:ed)?(?:\([^)]*\))?:?\s+["'“`]|revert(?:\([^)]*\))?:\s|reapply\s+["'“`])/i;
const REVERT_BODY = /^This reverts (?:commit|pull request|merge request)\b/im;

/** Names of formatters and of what they do, in a subject. */
const FORMATTERS =
  /\b(?:re-?format(?:s|ted|ting)?|formatt?(?:ing|er)|auto-?format(?:ted)?|prettier|prettify|black(?:en(?:ed)?)?|ya?pf|autopep8|isort|gofmt|goimports|rustfmt|clang-format|spotless|standard(?:js)? style|eslint --fix|lint(?:er)? fix(?:es)?|ruff format|code ?style|coding style|white-?space|re-?indent(?:ed|ation)?|indentation|trailing (?:commas?|spaces)|semicolons?|double quotes|single quotes|line endings|pyupgrade|f-strings?)\b/i;

/** A code of the kernel's contract. */
export function standingOf(message: string): number {
  const end = message.indexOf('\n');
  const subject = end < 0 ? message : message.slice(0, end);
  if (REVERT_SUBJECT.test(subject) || REVERT_BODY.test(message)) return SAYS_REVERT;
  return FORMATTERS.test(subject) ? SAYS_REFORMATTING : PLAIN_COMMIT;
}
