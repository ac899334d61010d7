import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as SecureServer } from 'node:tls';
import net, { type AddressInfo } from 'node:net';

import { InputError, systemCode } from '../../model/diagnostics/input-error.js';
import { PortBusyError } from './port-busy-error.js';

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'no host has this name',
  EACCES: 'permission is denied',
};

export interface ListenAddress {
  readonly host: string;
  /** The port; 0 for any free one. */
  readonly port: number;
}

export interface Listening {
  /** Without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops accepting connections and waits for the open ones. */
  readonly close: () => Promise<void>;
}

/**
 * Listens on an address; for `localhost`, on both of its addresses.
 *
 * @throws PortBusyError if the port is taken, InputError if the address cannot be listened on.
 */
export async function listen(
  server: Server,
  owner: 'mock' | 'proxy',
  { host, port }: ListenAddress,
): Promise<Listening> {
  try {
    await listenAt(server, { host, port });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EADDRINUSE') throw new PortBusyError(host, port);
    if (code === undefined) throw error;
    const reason = LISTEN_REASONS[code] ?? code;
    throw new InputError(`The ${owner} cannot listen on port ${port} of ${host}: ${reason}.`, {}, { cause: error });
  }
  const others = host === 'localhost' ? await listenOnOtherLoopback(server) : [];
  const close = async (): Promise<void> => void (await Promise.all([server, ...others].map(closeServer)));
  return { url: urlOf(server), close };
}

async function listenAt(server: net.Server, place: ListenAddress): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(place);
  await listening;
}

/** Listens on the other address of `localhost`, because some clients use 127.0.0.1 and some use ::1. */
async function listenOnOtherLoopback(server: Server): Promise<readonly net.Server[]> {
  const { address: first, port } = server.address() as AddressInfo;
  const addresses = await lookup('localhost', { all: true }).catch(() => []);
  const opened = addresses.flatMap(({ address }) => (address === first ? [] : [openForwarder(server, address, port)]));
  return (await Promise.all(opened)).flat();
}

async function openForwarder(server: Server, host: string, port: number): Promise<readonly net.Server[]> {
  const other = net.createServer((socket) => void server.emit('connection', socket));
  try {
    await listenAt(other, { host, port });
    return [other];
  } catch {
    // Ignored if there is no IPv6 or the port is taken there: the first address still works.
    return [];
  }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = server instanceof SecureServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function closeServer(server: net.Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
