// Whether an address leads into a private network. The check is made on the resolved address, and git is
// made to use that very one.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { RepoAccessError } from '../../domain/repos/source.ts';

const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80', 'ssh:': '22', 'git:': '9418' };

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Those that hold an IPv4 address come with it, whatever it is: mapped ones are looked at by that.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

export function isPrivateAddress(ip: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  return PRIVATE.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
}

/** Whether the service may connect to this IP address. */
export type AddressRule = (ip: string) => boolean;

export const addressRule = (allowPrivate: boolean): AddressRule =>
  allowPrivate ? () => true : (ip) => !isPrivateAddress(ip);

/** Resolves the host. Returns what git is to be pinned to: `host:port:ip`. */
export async function checkReachable(url: URL, isAllowed: AddressRule): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: string[];
  try {
    addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new RepoAccessError('transient', `the host ${host} has no address; check how it is spelt, and the network`, {
      cause,
    });
  }
  const forbidden = addresses.find((address) => !isAllowed(address));
  if (forbidden !== undefined) {
    throw new RepoAccessError(
      'refused_address',
      `${host} leads to the private address ${forbidden}; set allow_private_addresses if this service may read repositories there`,
    );
  }
  const first = addresses[0];
  if (first === undefined) throw new RepoAccessError('transient', `the host ${host} has no address`);
  return `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}:${isIPv6(first) ? `[${first}]` : first}`;
}
