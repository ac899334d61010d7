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
  return /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/.test(text);
}
