import { NameAllocator, toTypeName } from '../../model/identifiers.js';
import { Shape } from './shape.js';

/** Objects with fewer members are not shared. */
const LEAST_MEMBERS = 2;

/** How many of the members of two objects must be the same, from 0 to 1. */
const ALIKE = 0.7;

/** The most shared schemas. */
const MOST_SHARED = 500;

type Names = Pick<ReadonlyMap<string, unknown>, 'has' | 'size'> & { readonly keys: () => Iterable<string> };

/** A place of objects: which schema it may share, and how that is called. */
export interface ShapePlace {
  /** Only shapes of the same group are shared: those of requests, of results and of errors. */
  readonly group: 'request' | 'result' | 'error';
  /** The name after its path: `Customer`. */
  readonly name: string;
  readonly operation: string;
}

interface Candidate {
  readonly group: ShapePlace['group'];
  readonly name: string;
  readonly members: ReadonlySet<string>;
  readonly shape: Shape;
  readonly operations: Set<string>;
}

export interface SharedShape {
  readonly name: string;
  readonly shape: Shape;
  readonly operations: number;
}

/** Finds objects that have the same shape at several operations. They become one schema, which describes all of them. */
export class SharedShapes {
  readonly #candidates: Candidate[] = [];

  /** Adds an object, and the objects in it. */
  add(shape: Shape, place: ShapePlace, depth = 0): void {
    if (depth > 6) return;
    if (shape.members.size >= LEAST_MEMBERS && shape.arrays === 0 && shape.texts.count === 0)
      this.#addObject(shape, place);
    for (const [name, member] of shape.members)
      this.add(member.shape, { ...place, name: innerName(name, member.shape, place) }, depth + 1);
    if (shape.items !== undefined) this.add(shape.items, place, depth + 1);
    if (shape.others !== undefined) this.add(shape.others, place, depth + 1);
  }

  #addObject(shape: Shape, { group, name, operation }: ShapePlace): void {
    const members = new Set(shape.members.keys());
    const known = this.#candidates.find((one) => one.group === group && areAlike(one.members, members));
    if (known !== undefined) {
      known.shape.merge(shape);
      known.operations.add(operation);
    } else if (this.#candidates.length < MOST_SHARED) {
      const own = new Shape();
      own.merge(shape);
      this.#candidates.push({ group, name, members, shape: own, operations: new Set([operation]) });
    }
  }

  /** The shapes that several operations have, with their names. */
  get shared(): readonly SharedShape[] {
    const names = new NameAllocator({ fold: true });
    return this.#candidates.flatMap(({ group, name, shape, operations }) => {
      if (operations.size < 2) return [];
      const own = group === 'error' ? 'Error' : group === 'request' ? `${toTypeName(name)}Input` : toTypeName(name);
      return [{ name: names.take(own), shape, operations: operations.size }];
    });
  }
}

/** The name of what is in a member: `data` of a list of customers has customers. */
function innerName(member: string, { items }: Shape, { name }: ShapePlace): string {
  return /^(?:data|items|results|values|records|entries|list)$/i.test(member) && items !== undefined ? name : member;
}

/** Whether two objects have nearly the same members. */
export function areAlike(one: Names, other: Names): boolean {
  const shared = [...one.keys()].filter((name) => other.has(name)).length;
  return shared >= LEAST_MEMBERS && shared / (one.size + other.size - shared) >= ALIKE;
}
