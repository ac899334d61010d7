import type { ReadOnly } from '../model/read-only.js';

/** Generated options as users give them, with the types of members that JSON cannot hold. */
export type Given<
  Options,
  Members extends { [Member in keyof Members]: Member extends keyof Options ? unknown : never },
> = ReadOnly<Omit<Options, keyof Members>> & Members;
