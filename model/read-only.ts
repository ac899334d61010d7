/** A value that specmill only reads. Functions stay as they are. */
export type ReadOnly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadOnly<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: ReadOnly<T[Member]> }
      : T;
