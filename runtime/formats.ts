export { hostname, ipv4, ipv6, uri, uriReference, uriTemplate, url } from './formats-address.js';
export { date, dateTime, dateTimeLocal, duration, time } from './formats-date.js';
export { email } from './formats-email.js';
export { int32, int64, int64String, uint32, uint64, uint64String } from './formats-number.js';
export { byte, jsonPointer, regex, relativeJsonPointer, uuid } from './formats-text.js';
