import { suggestName } from '../diagnostics/closest-name.js';
import type { Cursor } from '../document/cursor.js';
import { checkObject } from './object-rules.js';
import { type CheckedVersion, type FixedField, OBJECT_SHAPES, type ObjectShape } from './object-shapes.js';

/**
 * Reports violations of the standard in an OpenAPI 3 document: unknown and missing members, members that exclude each
 * other, and broken rules of single objects. Values of a wrong type are reported where they are read, and schemas by
 * the reader of schemas.
 */
export function checkDocument(root: Cursor, version: CheckedVersion): void {
  new DocumentCheck(version).visit('OpenAPI', root);
}

/** Kinds that contain no objects of the standard. */
const VALUES: ReadonlySet<string> = new Set(['text', 'flag', 'any', '{any}', '{text}']);

/** Further unknown members of one object are not reported. */
const MOST_UNKNOWN = 10;

class DocumentCheck {
  readonly #version: CheckedVersion;
  /** Visited values: YAML aliases and long chains can lead to the same object again. */
  readonly #seen = new Set<unknown>();

  constructor(version: CheckedVersion) {
    this.#version = version;
  }

  visit(name: string, cursor: Cursor): void {
    const shape = OBJECT_SHAPES[name];
    if (shape === undefined || !isVisited(cursor) || this.#seen.has(cursor.value)) return;
    this.#seen.add(cursor.value);
    // The target of a reference is checked at its own place; a path item may have its own members beside it.
    if (typeof cursor.record['$ref'] === 'string' && name !== 'PathItem') return;
    this.#checkMembers(name, shape, cursor);
    checkObject(name, cursor, this.#version);
  }

  #checkMembers(name: string, shape: ObjectShape, cursor: Cursor): void {
    let unknown = 0;
    for (const key in cursor.record) {
      if (key.startsWith('x-')) continue;
      const kind = Object.hasOwn(shape.members, key) ? this.#kindOf(shape.members[key]) : shape.others;
      if (kind !== undefined) {
        if (!VALUES.has(kind)) this.#visitKind(kind, cursor.at(key));
      } else if ((unknown += 1) <= MOST_UNKNOWN)
        reportUnknown(name, key, {
          child: cursor.at(key),
          shape,
          version: this.#version,
          hasPaths: cursor.has('paths'),
        });
    }
    this.#checkRequired(name, shape.required, cursor);
    if (this.#version === '3.0') this.#checkRequired(name, shape.requiredBefore31, cursor);
    for (const [one, other] of shape.exclusive ?? [])
      if (hasOwn(cursor, one) && hasOwn(cursor, other))
        cursor.report('document-invalid', `${article(name)} Object must not have both "${one}" and "${other}".`);
  }

  #checkRequired(name: string, keys: readonly string[] | undefined, cursor: Cursor): void {
    for (const key of keys ?? [])
      if (!cursor.has(key)) cursor.report('document-invalid', `${article(name)} Object must have "${key}".`);
  }

  /** The kind of a member that this version has. */
  #kindOf(member: FixedField | undefined): string | undefined {
    if (member === undefined || typeof member === 'string') return member;
    const [kind, since] = member;
    return this.#version >= since ? kind : undefined;
  }

  #visitKind(kind: string, cursor: Cursor): void {
    if (!cursor.exists) return this.#reportNull(kind, cursor);
    if (kind.endsWith('[]')) {
      if (Array.isArray(cursor.value)) for (const item of cursor.items()) this.visit(kind.slice(0, -2), item);
      else cursor.report('document-invalid', 'A list is expected here.');
    } else if (kind.startsWith('{')) {
      if (isVisited(cursor)) for (const [, value] of cursor.members()) this.visit(kind.slice(1, -1), value);
    } else this.visit(kind, cursor);
  }

  /** An empty list or map is often written as nothing; an object of the standard has members, so its text was lost. */
  #reportNull(kind: string, cursor: Cursor): void {
    if (cursor.value === null && Object.hasOwn(OBJECT_SHAPES, kind))
      cursor.report('document-invalid', `${article(kind)} Object is expected here, not null.`);
  }
}

function isVisited(cursor: Cursor): boolean {
  return typeof cursor.value === 'object' && cursor.value !== null && !Array.isArray(cursor.value);
}

function hasOwn(cursor: Cursor, key: string): boolean {
  return Object.hasOwn(cursor.record, key);
}

interface UnknownMember {
  readonly hasPaths: boolean;
  readonly child: Cursor;
  readonly shape: ObjectShape;
  readonly version: CheckedVersion;
}

function reportUnknown(name: string, key: string, { child, shape, version, hasPaths }: UnknownMember): void {
  const others = Object.keys(shape.members).filter((member) => member !== key);
  const hint = suggestName(key, others, JSON.stringify);
  // Without its paths the API has no operations, and an earlier output would lose its client.
  const isPaths = name === 'OpenAPI' && !hasPaths && hint.includes('"paths"');
  child.report(
    isPaths ? 'document-without-paths' : 'document-invalid',
    `${article(name)} Object of OpenAPI ${version} has no member ${JSON.stringify(key)}.${hint}`,
  );
}

/** `PathItem` -> `A Path Item`. */
function article(name: string): string {
  const words = name === 'OpenAPI' || name === 'OAuthFlow' ? name : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `${/^[AEIO]/.test(words) ? 'An' : 'A'} ${words}`;
}
