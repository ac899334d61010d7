import { remember } from '../../model/maps.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { letters } from './realistic-format.js';
import { spacedWords } from './realistic-names.js';
import { realisticText } from './realistic-text.js';
import {
  type ObjectJob,
  NoValue,
  countCharacters,
  type ValueContext,
  type ValuePlace,
  countOnTrail,
  isLean,
} from './sample-context.js';
import { fitsScalar } from './fits-scalar.js';
import { declaredNames, schemasOfShape } from './shape-members.js';
import { makePatternText, matchesPattern } from './pattern.js';
import type { Shape } from './shape.js';

/** Makes an object that fits a shape. Its members come in the order of the document. */
export function makeObject(shape: Shape, place: ValuePlace, job: ObjectJob): Record<string, unknown> | NoValue {
  return new ObjectMaker(shape, place, job).make();
}

/** The share of optional members by depth: values far from the root have fewer. */
const TYPICAL_SHARE = [0.85, 0.7, 0.4, 0.2];
const MAX_EXTRA = 1000;

class ObjectMaker {
  #shape: Shape;
  readonly #place: ValuePlace;
  readonly #context: ValueContext;
  readonly #reshape: ObjectJob['reshape'];
  /** Schemas that apply because of a chosen member. */
  #further: readonly Schema[] = [];
  readonly #members = new Map<string, unknown>();
  readonly #failed = new Set<string>();

  constructor(shape: Shape, place: ValuePlace, { context, reshape }: ObjectJob) {
    this.#shape = shape;
    this.#place = place;
    this.#context = context;
    this.#reshape = reshape;
  }

  make(): Record<string, unknown> | NoValue {
    const wanted = this.#chooseNames();
    if (this.#shape.contradiction !== undefined) return new NoValue(this.#shape.contradiction);
    const { required, dependentRequired } = this.#shape;
    const needed = dependentRequired.length === 0 ? required : this.#closeOver(required);
    for (const name of orderNames(wanted, declaredNames(this.#shape))) {
      const problem = this.#add(name);
      if (problem !== undefined && needed.has(name)) return new NoValue(`${name}: ${problem.reason}`);
    }
    this.#dropUnmet(needed);
    this.#addExtras();
    if (this.#members.size < this.#shape.minProperties)
      return new NoValue(`fewer than ${this.#shape.minProperties} members could be made`);
    if (this.#members.size > this.#shape.maxProperties)
      return new NoValue(`more than ${this.#shape.maxProperties} members are required`);
    return toObject(this.#members);
  }

  /** Returns required members and the optional ones that the variant includes. */
  #chooseNames(): ReadonlySet<string> {
    let chosen = this.#bringAlong(this.#closeOver(this.#shape.required));
    const optional = this.#allowedNames().filter((name) => !chosen.has(name));
    for (const name of optional) if (this.#takesOptional(name)) chosen = this.#addOptional(chosen, name);
    // An empty object is valid but not useful.
    const least = isLean(this.#context, this.#place) ? 0 : 1;
    for (const name of optional) {
      if (chosen.size < this.#shape.minProperties || (chosen.size < least && !this.#leadsBackBy(name, 1)))
        chosen = this.#addOptional(chosen, name);
    }
    return chosen;
  }

  /** Adds schemas that apply because of the chosen members, and members that these require. */
  #bringAlong(names: Set<string>): Set<string> {
    let chosen = names;
    while (this.#shape.dependentSchemas.length > 0) {
      const triggered = this.#triggered(chosen);
      if (triggered.length === 0 || this.#shape.contradiction !== undefined) break;
      // A copy, because an earlier list may be restored. There are as many as the schema has dependent ones.
      // oxlint-disable-next-line specmill/linear-copies
      this.#further = this.#further.concat(triggered);
      this.#shape = this.#reshape(this.#further);
      chosen = this.#closeOver([...chosen, ...this.#shape.required]);
    }
    return chosen;
  }

  #triggered(names: ReadonlySet<string>): Schema[] {
    return this.#shape.dependentSchemas
      .filter(([name, schema]) => names.has(name) && !this.#further.includes(schema))
      .map(([, schema]) => schema);
  }

  /** Returns the members with one more and all that it requires; unchanged if they conflict. */
  #addOptional(chosen: Set<string>, name: string): Set<string> {
    const { dependentRequired, dependentSchemas, maxProperties } = this.#shape;
    // Nearly all objects have members that are independent of each other.
    if (dependentRequired.length === 0 && dependentSchemas.length === 0)
      return chosen.size < maxProperties ? chosen.add(name) : chosen;
    const before = { shape: this.#shape, further: this.#further };
    const group = this.#closeOver([name]);
    const isNew = (member: string): boolean => !chosen.has(member);
    const hasTriggers = this.#triggered(group).length > 0;
    const grown = this.#bringAlong(new Set([...chosen, ...group]));
    const added = [...grown].filter(isNew);
    const fits =
      grown.size <= this.#shape.maxProperties &&
      added.every((member) => this.#isAllowed(member)) &&
      (!hasTriggers || this.#agree(grown));
    if (fits) return grown;
    this.#shape = before.shape;
    this.#further = before.further;
    return chosen;
  }

  /** Whether each member can still have a value. */
  #agree(names: ReadonlySet<string>): boolean {
    if (this.#shape.contradiction !== undefined) return false;
    return [...names].every(
      (name) =>
        this.#context.shapeOf(schemasOfShape(this.#shape, name), this.#memberPlace(name)).contradiction === undefined,
    );
  }

  #memberPlace(name: string): ValuePlace {
    const { random, owner, depth, trail, now } = this.#place;
    return { random: random.fork(name), kin: random, name, owner, depth: depth + 1, trail, now };
  }

  #closeOver(names: Iterable<string>): Set<string> {
    const closed = new Set(names);
    if (this.#shape.dependentRequired.length === 0) return closed;
    for (const name of closed) {
      for (const [trigger, others] of this.#shape.dependentRequired)
        if (trigger === name) for (const other of others) closed.add(other);
    }
    return closed;
  }

  /** The declared members that a value may have. */
  #allowedNames(): readonly string[] {
    this.#shape.allowedNames ??= declaredNames(this.#shape).filter((name) => this.#isAllowed(name));
    return this.#shape.allowedNames;
  }

  #isAllowed(name: string): boolean {
    if (this.#shape.forbidden.has(name)) return false;
    const schemas = schemasOfShape(this.#shape, name);
    if (
      schemas.some(
        (schema) => this.#context.cache.isLeftOut(schema) || this.#context.cache.minDepths.of(schema) === Infinity,
      )
    )
      return false;
    return (
      this.#shape.propertyNames.length === 0 ||
      this.#context.cache.findProblem(this.#shape.propertyNames, name) === undefined
    );
  }

  #takesOptional(name: string): boolean {
    if (isLean(this.#context, this.#place)) return false;
    const isFull = this.#context.variant === 'full';
    if (this.#isEnd(name)) return isFull && this.#findNoEnd(name) !== undefined;
    if (this.#leadsBackBy(name, isFull ? 2 : 1)) return false;
    if (isFull) return true;
    const schemas = schemasOfShape(this.#shape, name);
    const isDeprecated = schemas.some((schema) => typeof schema === 'object' && schema.deprecated === true);
    const share = TYPICAL_SHARE[this.#place.depth] ?? 0.1;
    return this.#place.random.fork(`?${name}`).chance(isDeprecated ? share / 4 : share);
  }

  /** Whether a member of a response tells that the object was deleted or archived, or has failed. */
  #isEnd(name: string): boolean {
    return (
      this.#context.cache.direction === 'response' &&
      declaredNames(this.#shape).length > MOST_OF_CONFIRMATION &&
      tellsEnd(name)
    );
  }

  /** The value of a member that tells of an end that has not happened; `undefined` if it can have neither. */
  #findNoEnd(name: string): unknown {
    const shape = this.#context.shapeOf(schemasOfShape(this.#shape, name), this.#memberPlace(name));
    return [null, false].find((value) => fitsScalar(shape, value));
  }

  #leadsBackBy(name: string, times: number): boolean {
    return schemasOfShape(this.#shape, name).some((schema) => this.#leadsBack(schema, times));
  }

  /**
   * Whether a member, or an item of it, certainly has a schema that already occurs this often on the path to the place.
   */
  #leadsBack(schema: Schema, times: number): boolean {
    if (typeof schema === 'boolean') return false;
    const { items, additionalProperties, allOf = [] } = schema;
    const branches = (schema.anyOf ?? schema.oneOf ?? []).filter(
      (branch) => typeof branch !== 'object' || branch.type !== 'null',
    );
    return (
      (branches.length > 0 && branches.every((branch) => this.#isOnTrail(branch, times))) ||
      this.#isOnTrail(schema, times) ||
      this.#isOnTrail(items, times) ||
      this.#isOnTrail(additionalProperties, times) ||
      allOf.some((part) => this.#isOnTrail(part, times))
    );
  }

  #isOnTrail(schema: Schema | undefined, times: number): boolean {
    return (
      typeof schema === 'object' &&
      schema.$ref !== undefined &&
      countOnTrail(this.#place.trail, refName(schema.$ref)) >= times
    );
  }

  #add(name: string): NoValue | undefined {
    if (this.#shape.forbidden.has(name)) return new NoValue('it is required and may not be there');
    const schemas = schemasOfShape(this.#shape, name);
    const place = this.#memberPlace(name);
    const end = this.#isEnd(name) ? this.#findNoEnd(name) : undefined;
    const value = end === undefined ? (this.#makeTag(name, schemas, place) ?? this.#context.make(schemas, place)) : end;
    if (value instanceof NoValue) {
      this.#failed.add(name);
      return value;
    }
    this.#members.set(name, value);
    // Each member also has a colon, a comma and two spaces.
    countCharacters(this.#context, name.length + 4);
    return undefined;
  }

  /** Makes the value that identifies the branch. */
  #makeTag(name: string, schemas: readonly Schema[], place: ValuePlace): unknown {
    const tags = this.#shape.tags.get(name);
    if (tags === undefined) return undefined;
    const shape = this.#context.shapeOf(schemas, place);
    const fitting = tags.flatMap(readTag).filter((tag) => fitsScalar(shape, tag));
    return fitting.length === 0 ? undefined : place.random.pick(fitting);
  }

  /** Drops members that are not allowed without a member that could not be made. */
  #dropUnmet(needed: ReadonlySet<string>): void {
    for (let hasDropped = this.#failed.size > 0; hasDropped;) {
      hasDropped = false;
      for (const [trigger, others] of this.#shape.dependentRequired) {
        if (!this.#members.has(trigger) || needed.has(trigger) || others.every((name) => this.#members.has(name)))
          continue;
        hasDropped = this.#members.delete(trigger);
      }
    }
  }

  /** Adds members that the schema does not name: some for a map, and as many as are missing. */
  #addExtras(): void {
    const { minProperties, maxProperties } = this.#shape;
    const wanted = Math.min(maxProperties, Math.max(minProperties, this.#members.size === 0 ? this.#mapSize() : 0));
    const missing = Math.min(wanted - this.#members.size, MAX_EXTRA);
    for (let attempt = 0; attempt < missing * 4 && this.#members.size < wanted; attempt += 1) {
      const name = this.#makeName(this.#place.random.fork('name').fork(attempt), attempt);
      if (name !== undefined && !this.#members.has(name) && !this.#failed.has(name) && this.#isAllowed(name))
        this.#add(name);
    }
  }

  #mapSize(): number {
    const isMap = this.#shape.objectParts.some(
      ({ additionalProperties, patternProperties }) =>
        (additionalProperties ?? false) !== false || patternProperties !== undefined,
    );
    if (!isMap || declaredNames(this.#shape).length > 0 || isLean(this.#context, this.#place)) return 0;
    const rest = this.#shape.objectParts.flatMap(({ additionalProperties, patternProperties }) => [
      additionalProperties ?? true,
      ...Object.values(patternProperties ?? {}),
    ]);
    if (rest.some((schema) => this.#leadsBack(schema, 1))) return 0;
    return this.#place.depth < 2 ? 2 : 1;
  }

  #makeName(random: ValuePlace['random'], attempt: number): string | undefined {
    const place: ValuePlace = { ...this.#place, random, name: 'key', depth: this.#place.depth + 1 };
    if (this.#shape.propertyNames.length > 0) {
      const { characters } = this.#context;
      const made = this.#context.make([...this.#shape.propertyNames, NAME], place);
      this.#context.characters = characters;
      return typeof made === 'string' ? made : undefined;
    }
    const patterns = this.#shape.objectParts.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}));
    const pattern = patterns[attempt % Math.max(1, patterns.length)];
    if (pattern !== undefined) {
      const accepts = (text: string): boolean => matchesPattern(pattern, text);
      return makePatternText(pattern, { min: 1, max: 40 }, { random, accepts });
    }
    return attempt < 20
      ? realisticText(random, { ...place, name: 'tag' }).replaceAll(/[^A-Za-z0-9]/g, '')
      : letters(random, 8);
  }
}

/** The response to a deletion, such as `{ id, object, deleted }`, has no more members. */
const MOST_OF_CONFIRMATION = 3;
const END =
  /^(?:(?:is|was|has|has been|date|soft|marked|email) )?(?:deleted|deletion|removed|archived|trashed|discarded|suspended|bounced|blocked|banned|revoked|cancell?ed|cancell?ation|failed|failure)(?: (?:at|on|by|date|time|timestamp|reason|message|code|details?))?$/;

const tellsEnd = remember((name) => END.test(spacedWords(name)));

const NAME: Schema = { type: 'string' };

/** Creates an object of own members, even `__proto__`. */
function toObject(members: ReadonlyMap<string, unknown>): Record<string, unknown> {
  if (members.has('__proto__')) return Object.fromEntries(members);
  const object: Record<string, unknown> = {};
  for (const [name, value] of members) object[name] = value;
  return object;
}

/** Declared members in the order of the document, then the others. */
function orderNames(names: ReadonlySet<string>, declared: readonly string[]): Set<string> {
  return new Set([...declared.filter((name) => names.has(name)), ...names]);
}

/** The values that a tag of a mapping can mean, because mappings have only text. */
function readTag(tag: string): readonly unknown[] {
  if (tag === 'true' || tag === 'false') return [tag, tag === 'true'];
  const number = Number(tag);
  return String(number) === tag ? [tag, number] : [tag];
}
