/** A value that specmill only reads. Functions stay as they are. */
export type ReadOnly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadOnly<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: ReadOnly<T[Member]> }
      : T;

/** Generated options as users give them, with the types of members that JSON cannot hold. */
export type Given<
  Options,
  Members extends { [Member in keyof Members]: Member extends keyof Options ? unknown : never },
> = ReadOnly<Omit<Options, keyof Members>> & Members;
