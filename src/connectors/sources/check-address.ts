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

/**
 * Where clouds tell a machine its own credentials. They are refused also where private addresses are allowed: nothing else
 * is behind them, and a repository is never there.
 */
const METADATA = new BlockList();
// Amazon EC2, ECS and EKS, Google, Azure, Oracle, DigitalOcean, IBM, Tencent, OpenStack, Hetzner, Vultr, Scaleway and others:
// no host of a network keeps an address there.
METADATA.addSubnet('169.254.0.0', 16, 'ipv4');
// Alibaba, Azure's host, Oracle Classic, IBM's service endpoint
for (const ip of ['100.100.100.200', '168.63.129.16', '192.0.0.192', '161.26.0.10']) METADATA.addAddress(ip, 'ipv4');
// Amazon, Google, Oracle, Scaleway, the link-local form of the first one
for (const [network, prefix] of [
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:c1::', 32],
  ['fd00:42::', 32],
  ['fe80::a9fe:0', 112],
] as const) {
  METADATA.addSubnet(network, prefix, 'ipv6');
}

/** The IPv4 address that an IPv6 one holds: mapped, compatible, translated or by 6to4; else null. */
function heldIPv4(ip: string): string | null {
  const bytes = ipv6Bytes(ip);
  if (bytes === null) return null;
  const dotted = (from: number): string => bytes.slice(from, from + 4).join('.');
  const startsWith = (...prefix: number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const zeros = bytes.slice(0, 10).every((byte) => byte === 0);
  if (zeros && ((bytes[10] === 0xff && bytes[11] === 0xff) || (bytes[10] === 0 && bytes[11] === 0))) return dotted(12);
  if (startsWith(0, 0x64, 0xff, 0x9b)) return dotted(12);
  if (startsWith(0x20, 0x02)) return dotted(2);
  return null;
}

/** The WHATWG parser writes every spelling of an address in one way. */
function ipv6Bytes(ip: string): number[] | null {
  if (!isIPv6(ip)) return null;
  const plain = ip.replace(/%.*$/, '');
  if (!URL.canParse(`http://[${plain}]`)) return null;
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): number[] =>
    text ? text.split(':').map((part) => Number(`0x${part}`)) : [];
  const [first, last] = [groups(head), groups(tail)];
  const all = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
  return all.flatMap((group) => [group >> 8, group & 255]);
}

export function isMetadataAddress(ip: string): boolean {
  const held = heldIPv4(ip);
  if (held !== null && METADATA.check(held, 'ipv4')) return true;
  const plain = ip.replace(/%.*$/, '');
  return METADATA.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** Whether the service may connect to this IP address. */
export type AddressRule = (ip: string) => boolean;

export const addressRule =
  (allowPrivate: boolean): AddressRule =>
  (ip) =>
    !isMetadataAddress(ip) && (allowPrivate || !isPrivateAddress(ip));

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
  if (forbidden !== undefined && isMetadataAddress(forbidden)) {
    throw new RepoAccessError(
      'refused_address',
      `${host} leads to ${forbidden}, where a cloud hands out credentials of this machine; nothing is read from there`,
    );
  }
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
