import type { Api } from '../../model/api.js';
import { toLiteral } from '../../model/identifiers.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { type Tag, findBranchTag, findInheritedTags } from '../types/discriminator-tags.js';
import type { TypeScope } from '../types/type-scope.js';

/** Prints a call of the check of a named schema. */
export type PrintCall = (name: string) => string;

/**
 * The tags that a type guard checks besides its schema: those that the type has and no schema states, since they come from the names
 * of schemas or from a mapping. A discriminator never changes what is valid, but a guard must not say what is not so.
 * `undefined` where the check says it all.
 */
export function printTagTest(
  name: string,
  scope: Pick<TypeScope, 'api' | 'direction'>,
  printCall: PrintCall,
): string | undefined {
  const own = findTags(name, { ...scope, indent: '' });
  const branches = printBranchTests(name, { ...scope, indent: '' }, printCall);
  const tests = [...own.map(printHasTag), ...(branches === undefined ? [] : [`(${branches})`])];
  return tests.length === 0 ? undefined : tests.join(' && ');
}

/** The tests of the branches of a union of which some have such tags: a value is of one of them, with its tag. */
function printBranchTests(name: string, scope: TypeScope, printCall: PrintCall): string | undefined {
  const schema = schemaOf(name, scope.api);
  const branches = schema?.oneOf ?? schema?.anyOf ?? [];
  const tests: string[] = [];
  let isTagged = false;
  for (const branch of branches) {
    if (isNull(branch)) {
      tests.push('value === null');
      continue;
    }
    if (typeof branch === 'boolean' || branch.$ref === undefined) return undefined;
    const target = refName(branch.$ref);
    const tag =
      schema?.discriminator === undefined ? undefined : findBranchTag(schema.discriminator, branch, scope.api);
    const tags = [...findTags(target, scope), ...(tag === undefined ? [] : [tag])];
    if (tags.length > 0) isTagged = true;
    tests.push([`!${printCall(target)}`, ...tags.map(printHasTag)].join(' && '));
  }
  return isTagged ? tests.map((test) => (test.includes(' && ') ? `(${test})` : test)).join(' || ') : undefined;
}

function isNull(branch: Schema): boolean {
  return typeof branch === 'object' && branch.type === 'null' && Object.keys(branch).length === 1;
}

function findTags(name: string, scope: TypeScope): readonly Tag[] {
  const schema = schemaOf(name, scope.api);
  return schema === undefined ? [] : findInheritedTags(name, schema, scope.api);
}

function schemaOf(name: string, api: Api): SchemaObject | undefined {
  const schema = api.schemas.get(name)?.schema;
  return typeof schema === 'object' ? schema : undefined;
}

function printHasTag({ propertyName, literals }: Tag): string {
  return `rt.hasTag(value, ${toLiteral(propertyName)}, ${toLiteral(literals)})`;
}
