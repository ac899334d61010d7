import type { Api } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { ALWAYS, type CodeNode, type Guard, PathCode } from './code.js';
import type { ModuleScope } from './module-scope.js';

/** A value in the code: its variable and its place. */
export interface Spot {
  readonly data: string;
  readonly path: PathCode;
  /** The variable with the evaluated parts of the value, if a keyword needs them. */
  readonly evaluated?: string;
  /** Whether it is the argument of the function. */
  readonly isRoot: boolean;
}

/** Prints the parts of which the code of a keyword consists. */
export interface Printer {
  readonly api: Api;
  readonly scope: ModuleScope;
  /** Returns the name of a new variable. */
  variable(word: string): string;
  /** The code that checks a value against a schema. */
  schema(schema: Schema, spot: Spot): CodeNode[];
  /** The code that checks a value against a named schema. */
  reference(ref: string, spot: Spot): CodeNode[];
  /** Returns the name of a function that checks a schema: an existing one for a named schema, or a new one. */
  functionFor(schema: Schema, spot: Spot): string;
  /** Returns the name of the function whose call checks all of a schema; `undefined` if a call is not enough. */
  calledFor(schema: Schema, spot: Spot): string | undefined;
  /** Returns an expression that is true if a value is invalid for a schema. */
  failsCode(schema: Schema, spot: Spot): string;
}

/** Prints the code of one keyword; empty if the schema does not have it. */
export type PrintKeyword = (schema: SchemaObject, spot: Spot, printer: Printer) => readonly CodeNode[];

/** Keywords that are printed one after the other. */
export interface KeywordGroup {
  /** The keywords, if a schema without any of them has no code of the group. */
  readonly names?: ReadonlySet<string>;
  readonly printers: readonly PrintKeyword[];
}

/** A group of printers by keyword, in the order of their checks. */
export function keywordGroup(printers: Readonly<Record<string, PrintKeyword>>): KeywordGroup {
  return { names: new Set(Object.keys(printers)), printers: Object.values(printers) };
}

/** Prints the keywords of a group that a schema has. */
export function printGroup(
  { names, printers }: KeywordGroup,
  schema: SchemaObject,
  spot: Spot,
  printer: Printer,
): readonly CodeNode[] {
  if (names !== undefined && !Object.keys(schema).some((keyword) => names.has(keyword))) return [];
  return printers.flatMap((print) => print(schema, spot, printer));
}

/**
 * Prints a call of the runtime function that adds an error of one keyword. Code that adds no errors only stops.
 */
export function failCode({ path }: Spot, name: string, ...details: readonly (string | number)[]): string {
  if (path === PathCode.none) return ALWAYS;
  return `rt.${name}(${['out', path.code, ...details].join(', ')})`;
}

/** Returns the spot of a member or item, whose evaluated parts are its own. */
export function childSpot(data: string, path: PathCode): Spot {
  return { data, path, isRoot: false };
}

/** Prints a call of the runtime function that checks all items or members of a value, and its type. */
export function eachGuard(name: 'failsItems' | 'failsMembers', check: string, { data, path }: Spot): Guard {
  return { condition: `rt.${name}(${check}, ${data}${path.rest})`, seesType: true };
}
