/**
 * Formats of addresses. The expressions of URIs are those of ajv-formats (MIT, Evgeny Poberezkin), which follow the
 * grammars of the RFCs word by word.
 */

/** What nearly all URIs look like: the whole grammar takes ten times as long. */
const USUAL_URI =
  /^[a-z][a-z0-9+.-]*:\/\/[\w.~-]+(?::\d+)?(?:\/[\w.~!$&'()*+,;=:@/-]*)?(?:\?[\w.~!$&'()*+,;=:@/?-]*)?$/i;
/** Behind the scheme of a URI, up to its query. A host in brackets is the only thing that is not made of these. */
const URI_PATH = /^(?:[a-z0-9\-._~!$&'()*+,;=:@/]|%[0-9a-f]{2})+$/i;
const URI_QUERY = /^(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;
/** References also take double quotes, as the expression of ajv-formats does. */
const REFERENCE_PATH = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/]|%[0-9a-f]{2})*$/i;
const REFERENCE_QUERY = /^(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*$/i;
/** Credentials, an address of IPv6 or later, and a port; what follows is a path. */
const BRACKETED_HOST =
  /^\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\](?::\d*)?(?=\/|$)/i;
const URI_TEMPLATE =
  /^(?:(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i;
/** Scheme, credentials, host and port, and the rest. */
const URL_PARTS = /^(?:https?|ftp):\/\/(?:[^\s/?#]*@)?([^\s/?#@:]+)(?::\d{2,5})?(?:[/?#]\S*)?$/i;
/** Hosts that are not public: this machine and private networks. */
const PRIVATE_IPV4 = /^(?:0|10|127|22[4-9]|2[3-5]\d|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;
const HOSTNAME =
  /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
/** RFC 3986, with a scheme. */
export function uri(text: string): boolean {
  if (USUAL_URI.test(text)) return true;
  const start = /^[a-z][a-z0-9+\-.]*:/i.exec(text)?.[0].length ?? 0;
  return start > 0 && isHierarchical(text.slice(start), URI_PATH, URI_QUERY);
}

/** RFC 3986, also relative. */
export function uriReference(text: string): boolean {
  if (USUAL_URI.test(text)) return true;
  const start = /^[a-z][a-z0-9+\-.]*:/i.exec(text)?.[0].length ?? 0;
  return isHierarchical(text.slice(start), REFERENCE_PATH, REFERENCE_QUERY);
}

/** Authority and path, query, fragment. Each part is matched once, so the time is linear. */
function isHierarchical(text: string, path: RegExp, query: RegExp): boolean {
  const hash = text.indexOf('#');
  const whole = hash === -1 ? text : text.slice(0, hash);
  const mark = whole.indexOf('?');
  const hier = mark === -1 ? whole : whole.slice(0, mark);
  if (hash !== -1 && !query.test(text.slice(hash + 1))) return false;
  if (mark !== -1 && !query.test(whole.slice(mark + 1))) return false;
  if (path.test(hier)) return true;
  const host = BRACKETED_HOST.exec(hier)?.[0];
  return host !== undefined && (host.length === hier.length || path.test(hier.slice(host.length)));
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
  const halves = text.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const hasIpv4 = last.includes('.') && text.endsWith(last) && ipv4(last);
  const words = hasIpv4 ? groups.slice(0, -1) : groups;
  const count = words.length + (hasIpv4 ? 2 : 0);
  const isCounted = halves.length === 2 ? count < 8 : halves.length === 1 && count === 8;
  return isCounted && words.every((word) => /^[0-9a-f]{1,4}$/i.test(word));
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** `full-date` of RFC 3339. */
export function date(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0));
}

/** `full-time` of RFC 3339: with an offset, and with leap seconds where one can be. */
export function time(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [
    match[1],
    match[2],
    match[3],
    match[5] ?? 0,
    match[6] ?? 0,
  ].map(Number) as [number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (match[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

/** `date-time` of RFC 3339. */
export function dateTime(text: string): boolean {
  const [day = '', clock = '', ...rest] = text.split(/t/i);
  return rest.length === 0 && date(day) && time(clock);
}

/** A `date-time` without an offset, as the format registry of OpenAPI has it. */
export function dateTimeLocal(text: string): boolean {
  const [day = '', clock = '', ...rest] = text.split(/t/i);
  return rest.length === 0 && date(day) && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/.test(clock);
}

/** A duration of ISO 8601, as RFC 3339 has it. */
export function duration(text: string): boolean {
  if (text === 'P' || text.endsWith('T')) return false;
  return /^P(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/.test(text);
}

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

/** A whole number of 32 bits. */
export function int32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/** A whole number of 32 bits without a sign. */
export function uint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

/** A whole number of 64 bits, as far as a double can say it. */
export function int64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** A whole number of 64 bits without a sign, as far as a double can say it. */
export function uint64(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 64;
}

/** A whole number of 64 bits, in decimal digits. */
export function int64String(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** A whole number of 64 bits without a sign, in decimal digits. */
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

/** A JSON pointer that starts from where it stands. */
export function relativeJsonPointer(text: string): boolean {
  return /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/.test(text);
}
