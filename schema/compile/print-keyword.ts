import type { Api } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { CodeNode, Guard, PathCode } from './code.js';
import type { ModuleScope } from './module-scope.js';

/** A value in the code: the variable that holds it, and where it is. */
export interface Spot {
  readonly data: string;
  readonly path: PathCode;
  /** The variable that holds what has been evaluated of the value, where some keyword asks. */
  readonly evaluated?: string;
  /** Whether it is the value that the function was called with. */
  readonly isRoot: boolean;
}

/** The parts that the code of a keyword is made of. */
export interface Printer {
  readonly api: Api;
  readonly scope: ModuleScope;
  /** The name of a new variable. */
  variable(word: string): string;
  /** The code that checks a value against a schema. */
  schema(schema: Schema, spot: Spot): CodeNode[];
  /** The code that checks a value against a named schema. */
  reference(ref: string, spot: Spot): CodeNode[];
  /** The name of a function that checks a schema by itself: that of a named schema, or a new one. */
  functionFor(schema: Schema, spot: Spot): string;
  /** The name of the function whose call is all that a schema asks of a member or item; `undefined` if it takes more. */
  calledFor(schema: Schema, spot: Spot): string | undefined;
  /** An expression that is true where a value is not valid for a schema. */
  failsCode(schema: Schema, spot: Spot): string;
}

/** Prints the code of one keyword; empty if the schema does not have it. */
export type PrintKeyword = (schema: SchemaObject, spot: Spot, printer: Printer) => readonly CodeNode[];

/** A call of a function of the runtime that adds an error of one keyword. */
export function failCode({ path }: Spot, name: string, ...details: readonly (string | number)[]): string {
  return `rt.${name}(${['out', path.code, ...details].join(', ')})`;
}

/** A variable for a member or item of a value, which is another value. */
export function childSpot(data: string, path: PathCode): Spot {
  return { data, path, isRoot: false };
}

/** A call of a function of the runtime that checks all items or members of a value, and its type. */
export function eachGuard(name: 'failsItems' | 'failsMembers', check: string, { data, path }: Spot): Guard {
  return { condition: `rt.${name}(${check}, ${data}, ${path.argument}, out)`, seesType: true };
}
