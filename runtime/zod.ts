import { type Check, findErrors } from './validation.js';

export type { Check } from './validation.js';

/** A value that Zod checks, and where a check adds issues. */
interface Payload {
  readonly value: unknown;
  readonly issues: { push(issue: Issue): unknown };
}

/** A type alias, because Zod asks for an index signature. */
type Issue = {
  code: 'custom';
  message: string;
  path: (string | number)[];
  input: unknown;
  params: { keyword: string };
  continue: true;
};

/** A check for Zod that finds what a compiled check finds. */
export function exact(check: Check): (payload: Payload) => void {
  return ({ value, issues }) => {
    for (const { pointer, message, keyword } of findErrors(check, value))
      issues.push({
        code: 'custom',
        message,
        path: pathOf(pointer, value),
        input: value,
        params: { keyword },
        continue: true,
      });
  };
}

/** The steps of a JSON pointer; array indexes become numbers. */
function pathOf(pointer: string, root: unknown): (string | number)[] {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = segment.replace(/~1/g, '/').replace(/~0/g, '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[step];
      return step;
    });
}

/** The functions of a codec: a text that cannot be converted becomes an issue. */
export function conversion<In, Out>(
  codec: (value: unknown, way: 'decode' | 'encode') => unknown,
): {
  decode: (value: In, payload: Payload) => Out;
  encode: (value: Out, payload: Payload) => In;
} {
  const convert = (way: 'decode' | 'encode', { value, issues }: Payload): unknown => {
    try {
      return codec(value, way);
    } catch (error) {
      const message = error instanceof Error ? error.message : 'not convertible';
      issues.push({ code: 'custom', message, path: [], input: value, params: { keyword: 'format' }, continue: true });
      return value;
    }
  };
  return {
    decode: (value, { issues }) => convert('decode', { value, issues }) as Out,
    encode: (value, { issues }) => convert('encode', { value, issues }) as In,
  };
}

/** The type of an optional member, without `undefined` as a value. */
export type Optional<Schema, Inner> = Schema & {
  readonly _zod: { readonly optin: 'optional'; readonly optout: 'optional' };
  unwrap(): Inner;
};

/** `true` if two types are the same, else an error: `true satisfies Same<A, B>`. */
// Two generic functions are assignable only if their conditions are identical.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
