// Checks passwords without telling who has one, and lets nobody try many: two are hashed at a time, a wrong one costs as
// long for an unknown address, and so many wrong ones are counted against address and account.
import { StrataError } from '../../../domain/errors.ts';
import { RateLimiter } from '../../../kit/door/rate-limiter.ts';
import { hashPassword, SCRYPT_COST, type ScryptCost, verifyPassword } from '../../../kit/door/scrypt-password.ts';
import { FairQueue } from '../../../kit/fair-queue.ts';

const WINDOW_MS = 15 * 60_000;
const TRIES_PER_PAIR = 10;
const TRIES_PER_ADDRESS = 100;
const TRIES_PER_ACCOUNT = 100;
/** Each takes 128 MB while it runs. */
const AT_A_TIME = 2;

export interface PasswordChecker {
  /** Throws rate_limited. `phc` is null for an account without a password, or none. */
  check(
    attempt: { readonly account: string; readonly address: string; readonly password: string },
    phc: string | null,
    signal: AbortSignal,
  ): Promise<boolean>;
  hash(password: string, address: string, signal: AbortSignal): Promise<string>;
}

export function createPasswordChecker(elapsedMs: () => number, cost: ScryptCost = SCRYPT_COST): PasswordChecker {
  const queue = new FairQueue({ total: AT_A_TIME, perKey: 1 });
  const byPair = new RateLimiter(TRIES_PER_PAIR, WINDOW_MS);
  const byAddress = new RateLimiter(TRIES_PER_ADDRESS, WINDOW_MS);
  const byAccount = new RateLimiter(TRIES_PER_ACCOUNT, WINDOW_MS);
  // Hashed by the same cost as all others, and by nobody's password.
  let unknown: Promise<string> | undefined;

  return {
    async check({ account, address, password }, phc, signal) {
      const nowMs = elapsedMs();
      const tries = [
        { limiter: byPair, key: JSON.stringify([account, address]) },
        { limiter: byAddress, key: address },
        { limiter: byAccount, key: account },
      ];
      const exceeded = tries.map(({ limiter, key }) => limiter.take(key, nowMs)).find(({ isExceeded }) => isExceeded);
      if (exceeded !== undefined) {
        const minutes = Math.ceil(exceeded.resetSeconds / 60);
        const message = `too many passwords were tried; try again in ${minutes} minutes, or with a sign-in link`;
        throw new StrataError('rate_limited', message, { retryAfterSeconds: exceeded.resetSeconds });
      }
      unknown ??= hashPassword('nobody has this one', cost);
      const against = phc ?? (await unknown);
      const isRight = (await queue.run(address, signal, () => verifyPassword(password, against))) && phc !== null;
      // Counted before it is hashed, so that many at once are many; whoever knows the password has guessed nothing.
      if (isRight) for (const { limiter, key } of tries) limiter.giveBack(key, nowMs);
      return isRight;
    },

    hash: (password, address, signal) => queue.run(address, signal, () => hashPassword(password, cost)),
  };
}
