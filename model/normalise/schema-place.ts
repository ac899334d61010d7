import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { Place } from '../document/place.js';
import type { RawRecord } from '../document/records.js';
import type { Schema } from '../schema-types.js';
import type { DynamicAnchors, Located, RefBase } from './resources.js';
import type { SchemaDialect } from './schema-dialects.js';

/**
 * Settings that the schemas of one resource share: how their references resolve, and in which dialect they are read.
 */
export interface SchemaScope {
  readonly base: RefBase;
  readonly dialect: SchemaDialect;
  /** The dynamic scope. */
  readonly anchors: DynamicAnchors;
}

export class SchemaPlace extends Place {
  readonly scope: SchemaScope;
  readonly depth: number;

  constructor(scope: SchemaScope, above: Place | string, step?: string | number, depth = 0) {
    super(scope.base.file, above, step);
    this.scope = scope;
    this.depth = depth;
  }

  get base(): RefBase {
    return this.scope.base;
  }

  get dialect(): SchemaDialect {
    return this.scope.dialect;
  }

  get anchors(): DynamicAnchors {
    return this.scope.anchors;
  }

  /** The place of a schema in a keyword; `inner` selects one of several. */
  child(key: string, inner?: string | number): SchemaPlace {
    const place = new SchemaPlace(this.scope, this, key, this.depth + 1);
    return inner === undefined ? place : new SchemaPlace(this.scope, place, inner, this.depth + 1);
  }
}

/** Reads the schemas inside a schema, and follows its references. */
export interface ReadSchemas {
  readonly problems: DiagnosticCollector;
  /** Collects the names of the extensions that are read. */
  readonly extensionNames: Set<string>;
  readonly resolver: {
    resolve(reference: string, base: RefBase): Located | undefined;
    baseAt(located: Located): RefBase;
  };
  /** Reads a schema at its place. An unreadable one becomes `true`, with a diagnostic. */
  read(raw: unknown, place: SchemaPlace): Schema;
  /** The normalised `$ref` for a raw one, or `undefined` (with a diagnostic) if it leads nowhere. */
  readRef(reference: string, place: SchemaPlace, key: string): string | undefined;
  /** Has the names that a schema requires compared with its members, once all schemas are known. */
  noteRequired(raw: RawRecord, place: SchemaPlace): void;
  /** Notes a reference for the search of {@link noteRequired}. */
  noteReference(place: SchemaPlace, reference: string, hasSiblings: boolean): void;
  /** The TypeScript name of a declared component. */
  nameOf(originalName: string): string | undefined;
  /** The name of the schema at a place, assigned at its first reference. */
  nameAt(located: Located, dialect: SchemaDialect): string;
}
