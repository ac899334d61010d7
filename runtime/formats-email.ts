import { ipv4, ipv6 } from './formats-address.js';

/** A local part (an atom with dots, or a quoted string), and a host name or an address in brackets. */
const EMAIL =
  /^(?=.{3,254}$)(?:[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[([^\]]+)\])$/i;

/** RFC 5321: also quoted local parts, hosts of one label, and addresses in brackets. */
export function email(text: string): boolean {
  const match = EMAIL.exec(text);
  const literal = match?.[1];
  if (literal === undefined) return match !== null;
  return /^ipv6:/i.test(literal) ? ipv6(literal.slice(5)) : ipv4(literal);
}
