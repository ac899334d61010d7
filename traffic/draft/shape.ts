import { isRecord } from '../../model/document/records.js';
import { TextFacts } from './text-facts.js';

/** What the shapes of a draft share. */
export interface ShapeContext {
  /** Whether a member carries a credential. */
  readonly isSecret: (name: string) => boolean;
  /** Whether a text has a credential in it. */
  readonly holdsSecret: (text: string) => boolean;
  /** How many more shapes may be made, so that hostile bodies take limited memory. */
  shapesLeft: number;
}

/** Objects with more different members are maps. */
const MOST_MEMBERS = 200;

/** Deeper values are not described. */
const DEEPEST = 24;

/** A member of objects. */
export interface MemberShape {
  readonly shape: Shape;
  /** In how many of the objects it is. */
  count: number;
  /** Whether it carries a credential. */
  readonly isSecret: boolean;
}

/** What is known of the values at one place: counts and shapes, never the values themselves, save those of short enums. */
export class Shape {
  count = 0;
  nulls = 0;
  booleans = 0;
  integers = 0;
  /** Numbers with a fraction. */
  decimals = 0;
  arrays = 0;
  objects = 0;
  readonly texts: TextFacts = new TextFacts();
  items: Shape | undefined;
  members: Map<string, MemberShape> = new Map();
  /** The members of objects that are maps, with ids or many names as keys. */
  others: Shape | undefined;
  /** Whether something is deeper than what is described. */
  isOpen = false;

  add(value: unknown, context: ShapeContext, depth = 0, isSecret = false): void {
    this.count += 1;
    if (value === null) this.nulls += 1;
    else if (typeof value === 'boolean') this.booleans += 1;
    else if (typeof value === 'number') this.#addNumber(value);
    else if (typeof value === 'string')
      this.texts.add(value, () => isSecret || value === 'REDACTED' || context.holdsSecret(value));
    else if (depth >= DEEPEST || context.shapesLeft <= 0) this.isOpen = true;
    else if (Array.isArray(value)) this.#addList(value, context, { depth: depth + 1, isSecret });
    else if (isRecord(value)) this.#addObject(value, context, { depth: depth + 1, isSecret });
  }

  #addNumber(value: number): void {
    if (Number.isInteger(value)) this.integers += 1;
    else this.decimals += 1;
  }

  #addList(list: readonly unknown[], context: ShapeContext, { depth, isSecret }: InnerPlace): void {
    this.arrays += 1;
    this.items ??= new Shape();
    for (const item of list) this.items.add(item, context, depth, isSecret);
  }

  #addObject(value: Readonly<Record<string, unknown>>, context: ShapeContext, { depth, isSecret }: InnerPlace): void {
    this.objects += 1;
    const names = Object.keys(value);
    if (this.others !== undefined || names.length > MOST_MEMBERS || haveIds(names))
      return this.#addMap(value, context, { depth, isSecret });
    for (const name of names) {
      let member = this.members.get(name);
      if (member === undefined) {
        member = { shape: new Shape(), count: 0, isSecret: context.isSecret(name) };
        this.members.set(name, member);
        context.shapesLeft -= 1;
      }
      member.count += 1;
      member.shape.add(value[name], context, depth, isSecret || member.isSecret);
    }
    if (this.members.size > MOST_MEMBERS) this.#becomeMap();
  }

  #addMap(value: Readonly<Record<string, unknown>>, context: ShapeContext, { depth, isSecret }: InnerPlace): void {
    this.#becomeMap();
    for (const [name, member] of Object.entries(value)) {
      this.others?.add(member, context, depth, isSecret || context.isSecret(name));
    }
  }

  #becomeMap(): void {
    this.others ??= new Shape();
    for (const { shape } of this.members.values()) this.others.merge(shape);
    this.members = new Map();
  }

  merge(other: Shape): void {
    this.count += other.count;
    this.nulls += other.nulls;
    this.booleans += other.booleans;
    this.integers += other.integers;
    this.decimals += other.decimals;
    this.arrays += other.arrays;
    this.objects += other.objects;
    this.texts.merge(other.texts);
    this.isOpen ||= other.isOpen;
    if (other.items !== undefined) (this.items ??= new Shape()).merge(other.items);
    if (other.others !== undefined) {
      this.#becomeMap();
      this.others?.merge(other.others);
    }
    for (const [name, { shape, count, isSecret }] of other.members) {
      if (this.others !== undefined) this.others.merge(shape);
      else {
        const member = this.members.get(name) ?? { shape: new Shape(), count: 0, isSecret };
        this.members.set(name, member);
        member.count += count;
        member.shape.merge(shape);
      }
    }
    if (this.members.size > MOST_MEMBERS) this.#becomeMap();
  }

  /** Whether a member is in all objects. */
  isRequired({ count }: MemberShape): boolean {
    return count === this.objects;
  }

  /** Whether a schema of the other shape also allows all values of this one. */
  isCoveredBy(other: Shape): boolean {
    if (other.isOpen) return true;
    if (this.isOpen || !this.#hasTypesOf(other)) return false;
    if (this.texts.count > 0 && !this.texts.isCoveredBy(other.texts)) return false;
    if (this.items !== undefined && other.items !== undefined && !this.items.isCoveredBy(other.items)) return false;
    if (other.others !== undefined)
      return this.#values().every((value) => other.others !== undefined && value.isCoveredBy(other.others));
    if (this.others !== undefined) return false;
    for (const [name, member] of other.members) {
      const own = this.members.get(name);
      if (own === undefined ? this.objects > 0 && other.isRequired(member) : !this.#memberIsCovered(own, other, member))
        return false;
    }
    return true;
  }

  #memberIsCovered(own: MemberShape, other: Shape, member: MemberShape): boolean {
    return (this.isRequired(own) || !other.isRequired(member)) && own.shape.isCoveredBy(member.shape);
  }

  #values(): Shape[] {
    return [
      ...(this.others === undefined ? [] : [this.others]),
      ...[...this.members.values()].map(({ shape }) => shape),
    ];
  }

  #hasTypesOf(other: Shape): boolean {
    return (
      (this.nulls === 0 || other.nulls > 0) &&
      (this.booleans === 0 || other.booleans > 0) &&
      (this.integers === 0 || other.integers + other.decimals > 0) &&
      (this.decimals === 0 || other.decimals > 0) &&
      (this.arrays === 0 || other.arrays > 0) &&
      (this.objects === 0 || other.objects > 0) &&
      (this.texts.count === 0 || other.texts.count > 0)
    );
  }
}

/** Where the values of a list or an object are. */
interface InnerPlace {
  readonly depth: number;
  /** Whether they are in a credential. */
  readonly isSecret: boolean;
}

/** Whether the names of an object are ids, so that it is a map: at least two, all numbers, UUIDs or long random texts. */
function haveIds(names: readonly string[]): boolean {
  return names.length >= 2 && names.every((name) => /^(?:\d+|[0-9a-fA-F-]{16,}|\d{4}-\d\d(?:-\d\d)?)$/.test(name));
}
