import { groupBy } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import { NameAllocator, toFileName } from '../model/identifiers.js';
import { allOperations } from './type-names.js';

/** Above these numbers the files of an output are split, by tag or by first letter. */
export const MAX_OPERATIONS = 100;
export const MAX_SCHEMAS = 200;

/**
 * The first line of bodies of a split output: fixtures, examples and validators of hundreds of schemas. Compilers and
 * editors take their exported types as they are written. The tests of specmill check these files without the line
 * (docs/adr/0076-bodies-that-are-not-checked.md).
 */
export const UNCHECKED = '// @ts-nocheck: specmill checks it.\n';

/** Whether files of an output are split. */
export function isLarge(api: Api): boolean {
  return allOperations(api).length > MAX_OPERATIONS || api.schemas.size > MAX_SCHEMAS;
}

/**
 * Loads the validators when they are first needed. Compilers resolve only a bare literal, so those of a large API do
 * not read its validators for a program that uses only the client; bundlers and runtimes see the literal alone.
 */
export function importValidators(api: Api): string {
  return `import('./validators.js'${isLarge(api) ? ' as string' : ''})`;
}

/** The operations of one file. */
export interface OperationsPart {
  /** File name without folder and extension; `undefined` for the only part of an API that is not split. */
  readonly name: string | undefined;
  readonly operations: readonly Operation[];
}

/** Splits the operations of a large API by their first tag. */
export function splitOperations(api: Api, operations: readonly Operation[]): OperationsPart[] {
  if (api.operations.length <= MAX_OPERATIONS) return [{ name: undefined, operations }];
  const names = new NameAllocator({ fold: true });
  return [...groupByTag(operations)].map(([tag, tagged]) => ({
    name: names.take(toFileName(tag)),
    operations: tagged,
  }));
}

/** Groups operations by their first tag, else by the first segment of their path that is not a version. */
export function groupByTag(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  return groupBy(operations, (operation) => operation.tags[0] ?? resourceOf(operation));
}

function resourceOf({ path }: Operation): string {
  return path.split('/').find((segment) => /^[a-z]/i.test(segment) && !/^v\d/i.test(segment)) ?? 'other';
}

/**
 * The name of the file for a schema of a large API, `undefined` if the API is not split. Depends only on the name of
 * the schema, so that a new schema does not move others.
 */
export function schemaPart(api: Api, name: string): string | undefined {
  if (api.schemas.size <= MAX_SCHEMAS) return undefined;
  const letter = name.charAt(0).toLowerCase();
  return /[a-z]/.test(letter) ? letter : 'other';
}
