import type { Api } from '../../model/api.js';
import { toLiteral } from '../../model/identifiers.js';
import { type Discriminator, type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { withReferrers } from '../../model/schema-survey.js';
import { originOf } from '../../schema/variant-names.js';
import { type DiscriminatorTag, findBranchTag, findInheritedTags } from '../types/discriminator-tags.js';

/** The functions that a test calls. */
export interface TestCalls {
  /** The name of the function that checks a schema. */
  readonly check: (schema: Schema) => string;
  /** The name of the function that tests the tags of a named schema. */
  readonly tags: (name: string) => string;
}

/**
 * Prints what a type guard tests besides the check: the tags of types that no schema states, because they come from the
 * names of schemas or from a mapping. A discriminator never changes what is valid, but a guard must not claim a wrong
 * type for a value or any of its members and items.
 */
export class NameTags {
  readonly #api: Api;
  /** The named schemas with such a tag, or with a part that has one. */
  readonly #tagged: ReadonlySet<string>;

  constructor(api: Api) {
    this.#api = api;
    this.#tagged = this.#findTagged();
  }

  /**
   * Prints an expression that is true if a `value` of a view has the tags of its type; `undefined` if its check is
   * enough.
   */
  print(view: string, schema: Schema, calls: TestCalls): string | undefined {
    const name = originOf(view, this.#api);
    if (!this.#tagged.has(name)) return undefined;
    const tests = [...this.#ownTags(name).map(printHasTag), ...this.#tests(schema, calls)];
    return tests.length === 0 ? undefined : tests.join(' && ');
  }

  /** The tests of a valid `value`, which must all be true. */
  #tests(schema: Schema, calls: TestCalls): readonly string[] {
    if (typeof schema === 'boolean' || !this.#reaches(schema)) return [];
    return [
      ...this.#referredTests(schema, calls),
      ...(schema.allOf ?? []).flatMap((part) => this.#tests(part, calls)),
      ...this.#memberTests(schema, calls),
      ...this.#itemTests(schema, calls),
      ...[schema.anyOf, schema.oneOf].flatMap((branches = []) => this.#unionTests(schema, branches, calls)),
    ];
  }

  #referredTests({ $ref }: SchemaObject, calls: TestCalls): readonly string[] {
    const name = $ref === undefined ? '' : refName($ref);
    return this.#tagged.has(originOf(name, this.#api)) ? [`${calls.tags(name)}(value)`] : [];
  }

  #memberTests(schema: SchemaObject, calls: TestCalls): readonly string[] {
    const { properties = {}, patternProperties, additionalProperties = true } = schema;
    const named = Object.entries(properties).flatMap(([name, member]) => {
      const test = this.#printFunction(member, calls);
      return test === undefined ? [] : [`rt.memberIs(value, ${toLiteral(name)}, ${test})`];
    });
    const other = patternProperties === undefined ? this.#printFunction(additionalProperties, calls) : undefined;
    const names = toLiteral(Object.keys(properties));
    return other === undefined ? named : [...named, `rt.othersAre(value, ${names}, ${other})`];
  }

  #itemTests({ items = true, prefixItems = [] }: SchemaObject, calls: TestCalls): readonly string[] {
    const first = prefixItems.flatMap((item, index) => {
      const test = this.#printFunction(item, calls);
      return test === undefined ? [] : [`rt.memberIs(value, "${index}", ${test})`];
    });
    const rest = this.#printFunction(items, calls);
    return rest === undefined ? first : [...first, `rt.itemsAre(value, ${prefixItems.length}, ${rest})`];
  }

  /** Tests whether a value belongs to one of the branches and has its tags. */
  #unionTests(owner: SchemaObject, branches: readonly Schema[], calls: TestCalls): readonly string[] {
    if (!branches.some((branch) => this.#hasTags(owner, branch))) return [];
    const choices = branches.map((branch) => {
      if (isNull(branch)) return 'value === null';
      const tests = [...this.#branchTags(owner, branch).map(printHasTag), ...this.#tests(branch, calls)];
      return [`!${calls.check(branch)}(value)`, ...tests].join(' && ');
    });
    return [`(${choices.map((choice) => (choice.includes(' && ') ? `(${choice})` : choice)).join(' || ')})`];
  }

  /** Prints a function that tests a member or item; `undefined` if there is nothing to test. */
  #printFunction(schema: Schema, calls: TestCalls): string | undefined {
    const tests = this.#tests(schema, calls);
    if (tests.length === 0) return undefined;
    const call = tests.length === 1 ? /^(\w+)\(value\)$/.exec(tests[0] ?? '') : null;
    return call?.[1] ?? `(value) => ${tests.join(' && ')}`;
  }

  #ownTags(name: string): readonly DiscriminatorTag[] {
    const schema = this.#api.schemas.get(name)?.schema;
    return typeof schema === 'object' ? findInheritedTags(name, schema, this.#api) : [];
  }

  /** The tag that a discriminator gives one of its branches; both may come from a view. */
  #branchTags({ discriminator }: SchemaObject, branch: Schema): readonly DiscriminatorTag[] {
    if (discriminator === undefined || typeof branch === 'boolean' || branch.$ref === undefined) return [];
    const api = this.#api;
    const entries = Object.entries(discriminator.mapping).map(([tag, target]) => [tag, originOf(target, api)]);
    const { defaultMapping } = discriminator;
    const ofOrigins: Discriminator = {
      ...discriminator,
      mapping: Object.fromEntries(entries),
      ...(defaultMapping === undefined ? {} : { defaultMapping: originOf(defaultMapping, api) }),
    };
    const $ref = `#/$defs/${originOf(refName(branch.$ref), api)}`;
    const tag = findBranchTag(ofOrigins, { ...branch, $ref }, this.#api);
    return tag === undefined ? [] : [tag];
  }

  #hasTags(owner: SchemaObject, branch: Schema): boolean {
    return this.#branchTags(owner, branch).length > 0 || this.#reaches(branch);
  }

  /** Whether values of a schema can have parts with tags. */
  #reaches(schema: Schema): boolean {
    const { refs, hasTags } = this.#survey(schema);
    return hasTags || refs.some((name) => this.#tagged.has(name));
  }

  /** The named schemas that a schema references, and whether it gives tags to branches itself. */
  #survey(schema: Schema): { readonly refs: readonly string[]; readonly hasTags: boolean } {
    const refs: string[] = [];
    let hasTags = false;
    const open = [schema];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next === 'boolean') continue;
      const one: SchemaObject = next;
      const branches = [...(one.anyOf ?? []), ...(one.oneOf ?? [])];
      if (one.$ref !== undefined) refs.push(originOf(refName(one.$ref), this.#api));
      hasTags ||= branches.some((branch) => this.#branchTags(one, branch).length > 0);
      open.push(...branches, ...partsOf(one));
    }
    return { refs, hasTags };
  }

  #findTagged(): ReadonlySet<string> {
    const found = [...this.#api.schemas.values()].map(({ name, schema }) => ({ name, ...this.#survey(schema) }));
    const tagged = found.filter(({ name, hasTags }) => hasTags || this.#ownTags(name).length > 0);
    return withReferrers(
      tagged.map(({ name }) => name),
      found.map(({ name, refs }) => [name, refs]),
    );
  }
}

/** The schemas that parts of a valid value match, except those of unions. */
function partsOf(schema: SchemaObject): readonly Schema[] {
  const { allOf = [], properties = {}, additionalProperties = true, items = true, prefixItems = [] } = schema;
  return [...allOf, ...Object.values(properties), additionalProperties, items, ...prefixItems];
}

function isNull(branch: Schema): boolean {
  return typeof branch === 'object' && branch.type === 'null' && Object.keys(branch).length === 1;
}

function printHasTag({ propertyName, literals }: DiscriminatorTag): string {
  return `rt.hasTag(value, ${toLiteral(propertyName)}, ${toLiteral(literals)})`;
}
