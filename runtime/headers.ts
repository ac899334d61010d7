/**
 * Sets a header. The value never appears in an error: it may be a secret.
 *
 * @throws TypeError where the value holds a line break or another character that no header can carry.
 */
export function setHeader(headers: Headers, name: string, value: string): void {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new TypeError(`The header ${name} has a line break or another character that no header can carry.`);
  headers.set(name, value);
}
