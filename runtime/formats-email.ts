import { ipv4, ipv6 } from './formats-address.js';

const LOCAL_PART = String.raw`(?:[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")`;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** RFC 5321: also quoted local parts, hosts of one label, and addresses in brackets. */
export function email(text: string): boolean {
  const pattern = new RegExp(`^(?=.{3,254}$)${LOCAL_PART}@(?:${LABEL}(?:\\.${LABEL})*|\\[([^\\]]+)\\])$`, 'i');
  const match = pattern.exec(text);
  const literal = match?.[1];
  if (literal === undefined) return match !== null;
  return /^ipv6:/i.test(literal) ? ipv6(literal.slice(5)) : ipv4(literal);
}
