import type { ValueTypes } from '../../config/config-types.js';
import type { Api } from '../../model/api.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { isMarked } from '../../schema/facts/parts.js';

/** The direction of the data: `output` is sent by the server, `input` is sent to it. */
export type TypeDirection = 'output' | 'input';

/** State that the printers of one API share. */
export interface TypeScope {
  readonly api: Api;
  readonly direction: TypeDirection;
  /** The current indentation. */
  readonly indent: string;
  /** Collects the names of schemas that the printed types refer to. */
  readonly used?: Set<string>;
  /** The types of dates, 64-bit integers and ids. Default: those of JSON. */
  readonly types?: ValueTypes | undefined;
  /** How a form is printed whose members are files. */
  readonly form?: FormScope | undefined;
}

/** A form with files: its members are printed in another way than those of JSON. */
export interface FormScope {
  readonly printMember: PrintType;
  /** Whether a schema has files: it is printed in place, because its own name has the type of JSON. */
  readonly hasFiles: (schema: Schema) => boolean;
}

export type PrintType = (schema: Schema, scope: TypeScope) => string;

export function indented(scope: TypeScope): TypeScope {
  return { ...scope, indent: `${scope.indent}  ` };
}

/** The type name of a normalised `$ref`. */
export function typeNameOf(ref: string, { api, direction, used }: TypeScope): string {
  const name = refName(ref);
  const inputName = direction === 'input' ? api.schemas.get(name)?.inputName : undefined;
  used?.add(inputName ?? name);
  return inputName ?? name;
}

/** Whether a member exists in the direction of the scope. */
export function travels(schema: Schema, { api, direction }: TypeScope): boolean {
  return !isMarked(schema, direction === 'input' ? 'readOnly' : 'writeOnly', api);
}
