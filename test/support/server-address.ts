import type { AddressInfo } from 'node:net';
import type { Server } from '../../src/api/server.ts';

/** Where a listening server is reached from its own machine. */
export function addressOf(server: Server): string {
  const address = server.server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
