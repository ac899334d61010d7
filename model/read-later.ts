/** The parts of a document that are read, or checked, when they are first used. */
export interface LaterReading {
  /** Each reads or checks one part. */
  readonly rest: (() => unknown)[];
  /** Called after a part was read. */
  readonly settle: () => void;
  /** Called once after all parts were read. */
  readonly finish: () => void;
  /** Whether named schemas can be read one by one. */
  readonly hasSeparateSchemas: boolean;
}

/** Gives an object a member that is read on first use. */
export function readLater<Owner extends object, Key extends string & keyof Owner>(
  { rest, settle }: LaterReading,
  owner: Owner,
  [key, read]: readonly [key: Key, read: () => Owner[Key]],
): void {
  let known: { readonly value: Owner[Key] } | undefined;
  const get = (): Owner[Key] => {
    if (known === undefined) {
      known = { value: read() };
      settle();
    }
    return known.value;
  };
  rest.push(get);
  Object.defineProperty(owner, key, { get, enumerable: true, configurable: true });
}
