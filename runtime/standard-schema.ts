/** The interface of Standard Schema, version 1 (https://standardschema.dev): what form libraries and frameworks call. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'specmill';
    readonly validate: (value: unknown) => { readonly value: T } | { readonly issues: readonly StandardIssue[] };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

/** A violation: `path` leads to the place of it, from the value. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}
