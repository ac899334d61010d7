import { BlockList, isIP, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** "This host on this network" (RFC 6890): connections to it arrive at this machine, although it is no loopback. */
const UNSPECIFIED = new BlockList();
UNSPECIFIED.addSubnet('0.0.0.0', 8, 'ipv4');
UNSPECIFIED.addAddress('::', 'ipv6');

/** `localhost` and the names below it, with or without the final dot (RFC 6761, section 6.3; W3C Secure Contexts). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i;

/**
 * Whether a host certainly is this machine: for what only this machine may get, such as credentials. Names are not looked
 * up: that would reveal them to DNS servers, and unresolvable names would delay the process, even at its end.
 *
 * @param host - an address, or the `hostname` of a URL, which has decimal and octal spellings in the usual form.
 */
export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host);
  return isIP(bare) === 0 ? LOOPBACK_NAME.test(bare) : includes(LOOPBACK, bare);
}

/** Whether a host may lead to this machine without a lookup: for what this machine must not get. */
export function mayReachThisMachine(host: string): boolean {
  const bare = withoutBrackets(host);
  return isLoopback(bare) || (isIP(bare) !== 0 && includes(UNSPECIFIED, bare));
}

/** Node compares an IPv4 address that is written as IPv6 with the IPv4 addresses of the list. */
function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
