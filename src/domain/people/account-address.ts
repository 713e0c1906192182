// Private addresses that code hosts make from an account: the number of the account in front of its login comes and goes,
// so addresses are compared without it.

const NUMBERED: readonly RegExp[] = [
  /^\d{1,12}\+(?=[^@+]{1,100}@users\.noreply\.github\.com$)/,
  /^\d{1,12}-(?=[^@]{1,100}@users\.noreply\.gitlab\.com$)/,
  // Servers of one's own.
  /^\d{1,12}[+-](?=[^@]{1,100}@users\.noreply\.(?!github\.com$|gitlab\.com$)[a-z0-9.-]{3,100}$)/,
  // Gitea and Forgejo
  /^\d{1,12}\+(?=[^@+]{1,100}@noreply\.[a-z0-9.-]{3,100}$)/,
];

/** `email` in lower case. */
export function withoutAccountNumber(email: string): string {
  for (const form of NUMBERED) if (form.test(email)) return email.replace(form, '');
  return email;
}
