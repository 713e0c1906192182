// Which passwords are accepted: long ones that guessing does not begin with. No rules about kinds of characters.

export const LEAST_PASSWORD_LENGTH = 12;
/** Longer ones cost time to hash and gain nothing. */
export const MOST_PASSWORD_LENGTH = 200;

const FEWEST_DIFFERENT = 5;

/** What common passwords are built around; digits and signs around them, and letters written as digits, hide nothing. */
const COMMON_WORDS = new Set(
  (
    'password passwort passw pass passphrase passcode motdepasse contrasena senha secret geheim login signin signup ' +
    'welcome willkommen letmein letmeinnow openthedoor opensesame changeme changeit changemenow default temporary temp ' +
    'admin administrator root superuser sysadmin system server database postgres oracle mysql guest user username ' +
    'test testing tester example sample demo development developer production staging service company business ' +
    'qwerty qwertyuiop qwertz qwertzuiop azerty azertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc ' +
    'abc abcd abcdef abcdefgh abcdefghij abcdefghijkl abcdefghijklm abcdefghijklmnop iloveyou loveyou love lovely ' +
    'monkey dragon master shadow sunshine princess football baseball basketball hockey soccer superman batman spiderman ' +
    'starwars pokemon minecraft fortnite trustno whatever nothing hello helloworld freedom ninja mustang summer winter ' +
    'spring autumn january february march april june july august september october november december monday tuesday ' +
    'wednesday thursday friday saturday sunday michael jennifer jessica daniel charlie thomas jordan robert matthew ' +
    'computer internet google github gitlab bitbucket facebook microsoft windows android iphone samsung ' +
    'strata dashboard analytics correcthorsebatterystaple'
  ).split(' '),
);

const LETTERS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const withoutEnds = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
const withLetters = (text: string): string => text.replace(/[013457@$!]/g, (sign) => LETTERS_FOR[sign] ?? sign);

/** `passwordpassword` is `password`. */
function repeatedPart(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const part = text.slice(0, length);
    if (text.length % length === 0 && part.repeat(text.length / length) === text) return part;
  }
  return text;
}

/** Each character is the one after, or before, the one to its left: `123456789012`, `zyxwvutsrqpo`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((char) => char.codePointAt(0)!);
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]!));
  // 9 is followed by 0 where somebody counts on.
  const known = [...steps].filter((step) => step !== -9 && step !== 9);
  return known.length === 1 && Math.abs(known[0]!) <= 1;
}

function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  const words = [withoutEnds(lower), withoutEnds(withLetters(withoutEnds(lower))), withLetters(lower)];
  return words.some((word) => {
    const letters = word.replace(/[^\p{L}]/gu, '');
    return COMMON_WORDS.has(repeatedPart(word)) || COMMON_WORDS.has(repeatedPart(letters));
  });
}

/** What is wrong with a password, to be read after "the password"; null where it is accepted. */
export function passwordProblem(password: string, owner: { readonly email: string }): string | null {
  if ([...password].length < LEAST_PASSWORD_LENGTH) {
    return `is shorter than ${LEAST_PASSWORD_LENGTH} characters`;
  }
  if (password.length > MOST_PASSWORD_LENGTH) return `is longer than ${MOST_PASSWORD_LENGTH} characters`;
  const lower = password.toLowerCase();
  if (new Set(lower).size < FEWEST_DIFFERENT || isSequence(lower))
    return 'is a row of characters that is guessed first';
  const [name = '', host = ''] = owner.email.split('@');
  const own = [owner.email, name, host, host.split('.')[0]!].filter((word) => word.length >= 3);
  const core = withoutEnds(lower);
  if (own.some((word) => lower === word || core === word || repeatedPart(core) === word)) {
    return 'is made of your e-mail address';
  }
  return isCommon(password) ? 'is one of those that are guessed first' : null;
}
