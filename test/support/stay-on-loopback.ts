// Set up before each test file: no test connects to, or looks up the name of, anything but this machine. An attempt throws
// where it is made, and fails the test even when the code under test handles the error.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterEach } from 'vitest';

const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  const family = net.isIP(bare);
  if (family === 0) return bare === 'localhost' || bare === '';
  return LOOPBACK.check(bare, family === 6 ? 'ipv6' : 'ipv4');
};

const attempts: string[] = [];

function refuse(what: string): Error {
  attempts.push(what);
  return Object.assign(new Error(`tests stay on this machine: ${what} goes beyond loopback`), {
    code: 'EBEYONDLOOPBACK',
  });
}

/** What was tried so far, which then counts no longer: for the test of this file alone. */
export const takeAttempts = (): string[] => attempts.splice(0);

/** The host of a call of connect: (options), (port, host) or (path); null for a socket of this machine. */
function hostOf(given: readonly unknown[]): string | null {
  // The framework's own spelling of the same: a list of arguments that are already in order.
  const args = Array.isArray(given[0]) ? given[0] : given;
  const [first, second] = args as readonly unknown[];
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && typeof first.path === 'string') return null;
    return 'host' in first && typeof first.host === 'string' ? first.host : 'localhost';
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return null;
  return typeof second === 'string' ? second : 'localhost';
}

const guarded = new WeakSet<object>();

/** A look-up that the code under test brings along may know any name; what it answers must be of this machine. */
function guardLookup(given: readonly unknown[]): boolean {
  const args = Array.isArray(given[0]) ? given[0] : given;
  const options: unknown = args[0];
  if (typeof options !== 'object' || options === null || !('lookup' in options)) return false;
  const lookup: unknown = options.lookup;
  if (typeof lookup !== 'function' || lookup === dns.lookup) return false;
  if (guarded.has(lookup)) return true;
  const checked: net.LookupFunction = (name, wanted, callback) =>
    Reflect.apply(lookup, undefined, [
      name,
      wanted,
      (error: NodeJS.ErrnoException | null, found: string | dns.LookupAddress[], family?: number) => {
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
        const foreign = error === null ? addresses.find((address) => !isLoopback(address)) : undefined;
        if (foreign === undefined) callback(error, found, family);
        else callback(refuse(`a connection to ${foreign}, which is ${name},`), '', 0);
      },
    ]);
  guarded.add(checked);
  options.lookup = checked;
  return true;
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function guardedConnect(this: net.Socket, ...args: unknown[]) {
  const host = hostOf(args);
  const isJudgedLater = host !== null && net.isIP(host) === 0 && guardLookup(args);
  if (host !== null && !isJudgedLater && !isLoopback(host)) throw refuse(`a connection to ${host}`);
  return Reflect.apply(connect, this, args);
} as typeof connect;

const LOOKUPS = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCname', 'resolveTxt'] as const;
for (const target of [dns, dns.promises] as Record<(typeof LOOKUPS)[number], unknown>[]) {
  for (const name of LOOKUPS) {
    const original = target[name];
    if (typeof original !== 'function') continue;
    target[name] = (host: string, ...rest: unknown[]): unknown => {
      const isAddress = net.isIP(host) !== 0;
      if (!isAddress && !isLoopback(host)) throw refuse(`the look-up of ${host}`);
      return Reflect.apply(original, target, [host, ...rest]);
    };
  }
}
syncBuiltinESMExports();

afterEach(() => {
  const tried = takeAttempts();
  if (tried.length > 0) throw new Error(`the test tried ${tried.join(', ')}; tests stay on this machine`);
});
