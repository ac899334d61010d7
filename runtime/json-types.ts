/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a string, or holds bytes in one of the ways of the platform. */
export function isBytes(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    ArrayBuffer.isView(value) ||
    /^\[object (ArrayBuffer|Blob|File|ReadableStream)\]$/.test(Object.prototype.toString.call(value))
  );
}

/** A member name as a segment of a JSON pointer (RFC 6901). */
export function toPointerSegment(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}
