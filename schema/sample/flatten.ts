import { type Discriminator, type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import type { Choices } from './choices.js';
import { Shape } from './shape.js';

/** The context of a value that folding needs. */
export interface FlattenScope {
  readonly resolve: (name: string) => Schema | undefined;
  /** The name of a schema in the document, for the name of a view. */
  readonly documentName: (name: string) => string;
  readonly choices: Choices;
  /** Orders the branches of a choice. Default: any order. */
  readonly rank: ((schema: Schema) => number) | undefined;
  /** Whether the `if` of a schema holds, as far as known from a value. */
  readonly decisions: ReadonlyMap<SchemaObject, boolean>;
}

/** Folds schemas that must all apply into one shape. Follows references and takes one branch of each choice. */
export function flatten(schemas: readonly Schema[], scope: FlattenScope): Shape {
  const flattener = new Flattener(scope);
  for (const schema of schemas) flattener.visit(schema, []);
  return flattener.shape;
}

const MAX_REFS = 100;

class Flattener {
  readonly shape = new Shape();
  readonly #scope: FlattenScope;

  constructor(scope: FlattenScope) {
    this.#scope = scope;
  }

  /** `names`: the named schemas that led here, the first one first. */
  visit(schema: Schema, names: readonly string[]): void {
    if (typeof schema === 'boolean') {
      if (!schema) this.shape.contradiction = 'nothing is allowed here';
      return;
    }
    this.shape.fold(schema);
    if (schema.$ref !== undefined) this.#visitRef(refName(schema.$ref), names);
    for (const part of schema.allOf ?? []) this.visit(part, names);
    this.#visitBranches(schema, schema.anyOf, names);
    this.#visitBranches(schema, schema.oneOf, names);
    if (schema.oneOf !== undefined && schema.oneOf.length > 1) this.shape.needsCheck = true;
    if (schema.discriminator !== undefined && schema.oneOf === undefined && schema.anyOf === undefined)
      this.#tagInherited(schema.discriminator, names);
    if (schema.if !== undefined) this.#visitCondition(schema, schema.if, names);
    if (schema.not !== undefined) this.#visitNot(schema.not);
  }

  #visitRef(name: string, names: readonly string[]): void {
    // A circular chain of references at the same value adds nothing.
    if (names.includes(name)) return;
    if (names.length > MAX_REFS) {
      this.shape.contradiction = 'too many references lead from one to the next';
      return;
    }
    this.visit(this.#scope.resolve(name) ?? true, [...names, name]);
  }

  #visitBranches(schema: SchemaObject, branches: readonly Schema[] | undefined, names: readonly string[]): void {
    if (branches === undefined || branches.length === 0) return;
    const branch = this.#choose(branches);
    if (branch === undefined) return;
    if (branches === schema.oneOf && branches.length > 1)
      this.shape.exclusions.push({ chosen: branch, others: branches.filter((other) => other !== branch) });
    this.visit(branch, names);
    if (schema.discriminator !== undefined && typeof branch === 'object' && branch.$ref !== undefined) {
      this.#tag(schema.discriminator, refName(branch.$ref));
    }
  }

  #choose(branches: readonly Schema[]): Schema | undefined {
    if (branches.length === 1) return branches[0];
    this.shape.hasChoice = true;
    return this.#scope.choices.take(branches, this.#scope.rank);
  }

  #tag({ propertyName, mapping }: Discriminator, name: string): void {
    const { documentName } = this.#scope;
    const tags = Object.keys(mapping).filter((tag) => documentName(mapping[tag] ?? '') === documentName(name));
    if (tags.length === 0) return;
    this.shape.tags.set(propertyName, tags);
    // OpenAPI assumes that the property is present, and so do types that distinguish branches by it.
    this.shape.required.add(propertyName);
  }

  /** Sets the tag of a discriminator in a base schema: that of the schema that includes the base, or any. */
  #tagInherited(discriminator: Discriminator, names: readonly string[]): void {
    const { propertyName, mapping } = discriminator;
    const { documentName } = this.#scope;
    const mapped = new Set(Object.values(mapping).map(documentName));
    const derived = names.find((name) => mapped.has(documentName(name)));
    if (derived !== undefined) this.#tag(discriminator, derived);
    else if (Object.keys(mapping).length > 0) this.shape.tags.set(propertyName, Object.keys(mapping));
  }

  /** Folds in the branch of a condition once a value shows whether the condition holds. */
  #visitCondition(schema: SchemaObject, condition: Schema, names: readonly string[]): void {
    this.shape.needsCheck = true;
    this.shape.conditions.push(schema);
    const holds = this.#scope.decisions.get(schema);
    if (holds === undefined) return;
    const clauses = holds ? [condition, schema.then ?? true] : [schema.else ?? true];
    for (const clause of clauses) this.visit(clause, names);
  }

  #visitNot(not: Schema): void {
    if (typeof not === 'boolean') return this.visit(!not, []);
    this.shape.needsCheck = true;
    if (not.required === undefined || not.required.length === 0) {
      this.shape.hasChoice = true;
      return;
    }
    const name = not.required.length === 1 ? not.required[0] : this.#scope.choices.take(not.required);
    if (not.required.length > 1) this.shape.hasChoice = true;
    // If the member would have to be present with another value, a later attempt may keep it.
    if (name !== undefined && Object.keys(not).every((key) => key === 'required' || key === 'type'))
      this.shape.forbidden.add(name);
  }
}
