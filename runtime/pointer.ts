/** The value that a JSON pointer (RFC 6901) names; `undefined` where there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (here, key) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, key)
        ? (here as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** A copy of a value with another member where the pointer leads; objects on the way that are missing are made. */
export function writePointer(value: unknown, pointer: string, member: unknown): unknown {
  return write(value, segments(pointer), member);
}

function write(value: unknown, [key, ...rest]: readonly string[], member: unknown): unknown {
  if (key === undefined) return member;
  const next = write(readPointer(value, `/${escape(key)}`), rest, member);
  // A computed key is a member of its own, whatever its name.
  return { ...(value as object | undefined), [key]: next };
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function escape(segment: string): string {
  return segment.replace(/~/g, '~0').replace(/\//g, '~1');
}
