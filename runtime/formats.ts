/**
 * Matches a URI whose host is not in brackets (RFC 3986): host, path and query have the same characters. Each part is
 * matched once, so the time is linear.
 */
const URI =
  /^[a-z][a-z\d+.-]*:(?![?#]|$)[\w.~!$&'()*+,;=:@/?-]*(?:%[0-9a-f]{2}[\w.~!$&'()*+,;=:@/?-]*)*(?:#[\w.~!$&'()*+,;=:@/?-]*(?:%[0-9a-f]{2}[\w.~!$&'()*+,;=:@/?-]*)*)?$/i;
/** A scheme has characters of paths, too. References may also contain double quotes, as in ajv-formats. */
const URI_REFERENCE =
  /^[\w.~!$&'"()*+,;=:@/?-]*(?:%[0-9a-f]{2}[\w.~!$&'"()*+,;=:@/?-]*)*(?:#[\w.~!$&'"()*+,;=:@/?-]*(?:%[0-9a-f]{2}[\w.~!$&'"()*+,;=:@/?-]*)*)?$/i;
/** Scheme and credentials, and a host in brackets with its port. The other expressions check the credentials. */
const BRACKETS = /^((?:[a-z][a-z\d+.-]*:)?\/?\/(?:[^/?#@["]*@)?)\[([^\]]*)\](?::\d*)?(?![^/?#])/i;
/** An address of a version after IPv6: `IPvFuture` of RFC 3986. */
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;
/** As ajv-formats has it (MIT, Evgeny Poberezkin). */
const URI_TEMPLATE =
  /^(?:(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i;
/** Scheme, credentials, host and port, and the rest. */
const URL_PARTS = /^(?:https?|ftp):\/\/(?:[^\s/?#]*@)?([^\s/?#@:]+)(?::\d{2,5})?(?:[/?#]\S*)?$/i;
/** Addresses that are not public: this machine, private networks, multicast and reserved ranges. */
const PRIVATE_IPV4 = /^(?:0|10|127|22[4-9]|2[3-5]\d|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;
const HOSTNAME =
  /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** RFC 3986, with a scheme. */
export function uri(text: string): boolean {
  return matches(URI, text);
}

/** RFC 3986, also relative. */
export function uriReference(text: string): boolean {
  return matches(URI_REFERENCE, text);
}

/** Whether a text matches without a valid host in brackets. */
function matches(pattern: RegExp, text: string): boolean {
  return pattern.test(text.includes('[') ? text.replace(BRACKETS, withoutHost) : text);
}

function withoutHost(whole: string, before: string, address: string): string {
  return ipv6(address) || FUTURE_ADDRESS.test(address) ? before : whole;
}

/** RFC 6570. */
export function uriTemplate(text: string): boolean {
  return URI_TEMPLATE.test(text);
}

/** An http, https or ftp address with a public host. */
export function url(text: string): boolean {
  const host = URL_PARTS.exec(text)?.[1];
  if (host === undefined) return false;
  if (/^[\d.]+$/.test(host)) return ipv4(host) && !PRIVATE_IPV4.test(host);
  const labels = host.split('.');
  const isName = labels.every((label) =>
    /^[a-z0-9\u{00a1}-\u{ffff}](?:[a-z0-9\u{00a1}-\u{ffff}-]*[a-z0-9\u{00a1}-\u{ffff}])?$/iu.test(label),
  );
  return isName && labels.length > 1 && /^[a-z\u{00a1}-\u{ffff}]{2,}$/iu.test(labels.at(-1) ?? '');
}

/** RFC 1123. */
export function hostname(text: string): boolean {
  return HOSTNAME.test(text);
}

/** Four decimal numbers without leading zeros. */
export function ipv4(text: string): boolean {
  return IPV4.test(text);
}

/** RFC 4291. */
export function ipv6(text: string): boolean {
  // An IPv4 address at the end takes the place of two groups.
  const last = text.slice(text.lastIndexOf(':') + 1);
  const halves = (ipv4(last) ? text.replace(last, '0:0') : text).split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const isCounted = halves.length === 2 ? groups.length < 8 : halves.length === 1 && groups.length === 8;
  return isCounted && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}

const DATE =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))$/;

/** `full-date` of RFC 3339. */
export function date(text: string): boolean {
  return DATE.test(text) && (!text.endsWith('-02-29') || isLeapYear(Number(text.slice(0, 4))));
}

function isLeapYear(year: number): boolean {
  return year % (year % 100 === 0 ? 400 : 4) === 0;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const LEAP_SECOND = /^(\d\d):(\d\d):60.*?(?:z|([+-])(\d\d):(\d\d))$/i;

/** `full-time` of RFC 3339: with an offset; leap seconds only where they can occur. */
export function time(text: string): boolean {
  if (TIME.test(text)) return true;
  const match = LEAP_SECOND.exec(text);
  if (match === null || !TIME.test(text.replace(':60', ':59'))) return false;
  const [, hour, minute, sign, offsetHour = 0, offsetMinute = 0] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return (Number(hour) * 60 + Number(minute) - offset + 2880) % 1440 === 1439;
}

/** `date-time` of RFC 3339. A date has ten characters. */
export function dateTime(text: string): boolean {
  return (text[10] === 'T' || text[10] === 't') && date(text.slice(0, 10)) && time(text.slice(11));
}

/** A `date-time` without an offset, as in the format registry of OpenAPI. */
export function dateTimeLocal(text: string): boolean {
  const clock = /^t(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/i;
  return date(text.slice(0, 10)) && clock.test(text.slice(10));
}

/** An ISO 8601 duration, as defined in RFC 3339. */
export function duration(text: string): boolean {
  if (text === 'P' || text.endsWith('T')) return false;
  return /^P(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/.test(text);
}

/** A local part (an atom with dots, or a quoted string), and a host name or an address in brackets. */
const EMAIL =
  /^(?=.{3,254}$)(?:[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[([^\]]+)\])$/i;

/** RFC 5321, including quoted local parts, hosts of one label, and addresses in brackets. */
export function email(text: string): boolean {
  const match = EMAIL.exec(text);
  const literal = match?.[1];
  if (literal === undefined) return match !== null;
  return /^ipv6:/i.test(literal) ? ipv6(literal.slice(5)) : ipv4(literal);
}

/** A 32-bit integer. */
export function int32(value: number | bigint): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/** An unsigned 32-bit integer. */
export function uint32(value: number | bigint): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

/** A 64-bit integer; a `number` is checked with the precision of a double. */
export function int64(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** An unsigned 64-bit integer; a `number` is checked with the precision of a double. */
export function uint64(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= 0 && value < 2 ** 64;
}

/** A 64-bit integer in decimal digits. */
export function int64String(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** An unsigned 64-bit integer in decimal digits. */
export function uint64String(text: string): boolean {
  return /^(?:0|[1-9]\d{0,19})$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text);
}

/** RFC 4122, without `urn:uuid:`. */
export function uuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** Base64 of RFC 4648, padded, on one line. */
export function byte(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

/** A regular expression of ECMA-262, with the `u` flag. */
export function regex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** RFC 6901. */
export function jsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text);
}

/** A relative JSON pointer. */
export function relativeJsonPointer(text: string): boolean {
  return /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/.test(text);
}
