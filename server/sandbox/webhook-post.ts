import { type LookupAddress, lookup as resolveName } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

import { CALLBACK_HEADER } from '../../http/wire/host-guard.js';
import { isLoopback, mayReachThisMachine } from '../../http/wire/loopback.js';

/** Where callbacks may be sent: to this machine only, or anywhere. */
export type CallbackPolicy = 'loopback' | 'any';

/** The result of an attempt. `refused`: the callback is not allowed, so it is not retried. */
export interface PostResult {
  readonly outcome: 'delivered' | 'failed' | 'refused';
  readonly reason: string;
}

export interface CallbackPost {
  readonly url: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `remote`: anywhere except this machine. */
  readonly policy: CallbackPolicy | 'remote';
  readonly signal: AbortSignal;
}

/** The most time that a receiver has to respond. Milliseconds. */
const TIMEOUT = 10_000;

/** Posts a callback once. Redirects are not followed. Never throws. */
export async function postCallback(post: CallbackPost): Promise<PostResult> {
  const url = URL.canParse(post.url) ? new URL(post.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return refused(`The callback address ${post.url} is no http address.`);
  // Node would send them to the receiver as an Authorization header.
  if (url.username !== '' || url.password !== '')
    return refused('The callback was not sent: its address has a user name or a password in it.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (post.policy === 'loopback' && !isLoopback(host)) return notLoopback(host);
  if (post.policy === 'remote' && mayReachThisMachine(host)) return fromForeignPage(host);
  try {
    return await send(url, post);
  } catch (error) {
    if (error instanceof WrongAddressError) return post.policy === 'remote' ? fromForeignPage(host) : notLoopback(host);
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function send(url: URL, { text, headers, policy, signal }: CallbackPost): Promise<PostResult> {
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    // Always a new connection: a kept-alive one may go to an address that was not checked.
    agent: false,
    headers: {
      'user-agent': 'specmill-mock',
      ...headers,
      [CALLBACK_HEADER]: '1',
      'content-length': String(Buffer.byteLength(text)),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    ...(policy === 'any' ? {} : { lookup: createLookup(policy) }),
  });
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      if (!mayConnect(socket.remoteAddress ?? '', policy)) request.destroy(new WrongAddressError());
    });
  });
  const received = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
    // Node emits no error if the receiver upgrades to another protocol.
    request.on('close', () => reject(new Error('The receiver closed the connection without a response.')));
  });
  request.end(text);
  const response = await received;
  response.on('error', () => {}).resume();
  const { statusCode = 0 } = response;
  const isDelivered = statusCode >= 200 && statusCode < 300;
  return { outcome: isDelivered ? 'delivered' : 'failed', reason: `The receiver responded with ${statusCode}.` };
}

class WrongAddressError extends Error {
  override readonly name = 'WrongAddressError';
}

function refused(reason: string): PostResult {
  return { outcome: 'refused', reason };
}

function notLoopback(host: string): PostResult {
  return refused(
    `The callback was not sent: ${host} is not an address of this machine, and callbacks go elsewhere only with --callbacks any.`,
  );
}

function fromForeignPage(host: string): PostResult {
  return refused(
    `The callback was not sent: a web page of another origin ordered it, and ${host} is an address of this machine.`,
  );
}

function mayConnect(address: string, policy: CallbackPost['policy']): boolean {
  if (policy === 'any') return true;
  return policy === 'loopback' ? isLoopback(address) : !mayReachThisMachine(address);
}

/** Resolves a name to its allowed addresses only, so that the connection goes to a checked address. */
function createLookup(policy: CallbackPost['policy']): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { all: true }, (error, addresses: readonly LookupAddress[]) => {
      const allowed = error === null ? addresses.filter(({ address }) => mayConnect(address, policy)) : [];
      const [first] = allowed;
      if (error !== null || first === undefined) callback(error ?? new WrongAddressError(), '', 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
