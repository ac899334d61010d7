/** Joins member names to a path for conditions and indexes. Escapes dots in names. */
export function toMemberPath(...names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[.\\]/g, String.raw`\$&`)).join('.');
}

/** Splits a path into member names. */
function splitMemberPath(path: string): string[] {
  const names = [''];
  for (let index = 0; index < path.length; index += 1) {
    const char = path.charAt(index);
    if (char === '.') names.push('');
    else {
      if (char === '\\') index += 1;
      names.push((names.pop() ?? '') + path.charAt(index));
    }
  }
  return names;
}

/** Returns the values at a path: several if the path goes through lists, none if it does not exist. */
export type MemberReader = (value: unknown) => readonly unknown[];

/** Creates a reader for a path. For a list at the end, it returns the list and its items. */
export function createMemberReader(path: string): MemberReader {
  const names = splitMemberPath(path);
  return (value) => {
    const found: unknown[] = [];
    collect(value, names, { depth: 0, found });
    return found;
  };
}

interface Walk {
  readonly depth: number;
  readonly found: unknown[];
}

function collect(value: unknown, names: readonly string[], { depth, found }: Walk): void {
  const name = names[depth];
  if (name === undefined) found.push(value);
  if (Array.isArray(value)) for (const item of value) collect(item, names, { depth, found });
  else if (name !== undefined && typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
    collect((value as Readonly<Record<string, unknown>>)[name], names, { depth: depth + 1, found });
  }
}
