import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { DocumentSet } from '../document/source-document.js';
import { Place } from '../document/place.js';
import { type RawRecord, isRecord } from '../document/records.js';
import { NameAllocator, toTypeName } from '../identifiers.js';
import { type Schema, refTo } from '../schema-types.js';
import { nameFromPointer } from './name-from-pointer.js';
import { normaliseSchema } from './normalise-schema.js';
import { RefResolver } from './ref-resolver.js';
import { type Located, enterResource } from './resources.js';
import { type SchemaDialect, declaredDialect, documentDialect } from './schema-dialects.js';
import { SchemaPlace, type SchemaScope } from './schema-place.js';

/** A named schema that is waiting to be read, or has been. */
interface Entry {
  readonly name: string;
  readonly originalName: string;
  readonly place: SchemaPlace;
  readonly raw: unknown;
}

const MAX_DEPTH = 400;

/** Reads raw schemas into normalised ones, and gives every schema that is referred to a name. */
export class SchemaReader {
  readonly problems: DiagnosticCollector;
  readonly resolver: RefResolver;
  readonly #names: NameAllocator = new NameAllocator();
  readonly #entries: Entry[] = [];
  readonly #byOriginalName = new Map<string, Entry>();
  /** By file, then by pointer. */
  readonly #byLocation = new Map<string, Map<string, Entry>>();
  readonly #plainScopes = new Map<string, SchemaScope>();

  constructor(documents: DocumentSet, problems: DiagnosticCollector) {
    this.problems = problems;
    this.resolver = new RefResolver(documents);
  }

  /** A place as one of a schema, with the dialect that holds around it: `dialect` where nothing else is said. */
  placeOf(place: Place, dialect: SchemaDialect): SchemaPlace {
    if (this.resolver.documentAt(place.file)?.hasResources !== true)
      return new SchemaPlace(this.#plainScope(place.file, dialect), place);
    const base = this.resolver.baseAt(place);
    const declared = base.schemaUri === undefined ? undefined : declaredDialect({ $schema: base.schemaUri });
    return new SchemaPlace({ base, dialect: declared ?? dialect }, place);
  }

  /** Gives a component its name. Call it for all components before anything is read, in the order of the document. */
  declare(originalName: string, raw: unknown, place: SchemaPlace): string {
    const entry = this.#enter(originalName, raw, place);
    this.#byOriginalName.set(originalName, entry);
    return entry.name;
  }

  /** The TypeScript name of a declared component. */
  nameOf(originalName: string): string | undefined {
    return this.#byOriginalName.get(originalName)?.name;
  }

  /** Reads a schema in its place. What cannot be read becomes `true`, with a diagnostic. */
  read(raw: unknown, place: SchemaPlace): Schema {
    if (typeof raw === 'boolean') return raw;
    if (!isRecord(raw)) {
      this.problems.report('schema-shape', place, 'A schema must be an object or a boolean.');
      return true;
    }
    if (place.depth > MAX_DEPTH) {
      this.problems.report('document-too-deep', place, `A schema is nested deeper than ${MAX_DEPTH} levels.`);
      return true;
    }
    return normaliseSchema(raw, this.#enterSchema(raw, place), this);
  }

  /** The normalised `$ref` for a raw one, or `undefined` (with a diagnostic) where it leads nowhere. */
  readRef(reference: string, place: SchemaPlace, key: string): string | undefined {
    const target = this.resolver.resolve(reference, place.base);
    if (target !== undefined) return refTo(this.nameAt(target, place.dialect));
    const { code, message } = this.resolver.explain(reference, place.base);
    this.problems.report(code, place.child(key), message);
    return undefined;
  }

  /** The name of the schema at a place; it gets one when it is first referred to. */
  nameAt({ file, pointer, value }: Located, dialect: SchemaDialect): string {
    const known = this.#entriesOf(file).get(pointer);
    if (known !== undefined) return known.name;
    const own = documentDialect(this.resolver.documentAt(file)?.root) ?? dialect;
    const place = this.placeOf(new Place(file, pointer), own);
    return this.#enter(nameFromPointer(file, pointer), value, place).name;
  }

  /** Reads everything that is still waiting, and gives all named schemas in order. */
  finish(): Map<string, NamedSchema> {
    const schemas = new Map<string, NamedSchema>();
    // Reading one schema may give names to others: they join the end of the list.
    for (const { name, originalName, raw, place } of this.#entries)
      schemas.set(name, { name, originalName, schema: this.read(raw, place), source: place.source });
    return schemas;
  }

  /** Takes a further name that no schema has. */
  takeName(name: string): string {
    return this.#names.take(name);
  }

  #enter(originalName: string, raw: unknown, place: SchemaPlace): Entry {
    const entry: Entry = { name: this.#names.take(toTypeName(originalName)), originalName, raw, place };
    this.#entriesOf(place.file).set(place.pointer, entry);
    this.#entries.push(entry);
    return entry;
  }

  #entriesOf(file: string): Map<string, Entry> {
    const known = this.#byLocation.get(file) ?? new Map<string, Entry>();
    this.#byLocation.set(file, known);
    return known;
  }

  /** The scope of a file without resources: one object for all its schemas. */
  #plainScope(file: string, dialect: SchemaDialect): SchemaScope {
    const key = `${dialect.name} ${file}`;
    const known = this.#plainScopes.get(key) ?? { base: { file, resourcePointer: '' }, dialect };
    this.#plainScopes.set(key, known);
    return known;
  }

  #enterSchema(raw: RawRecord, place: SchemaPlace): SchemaPlace {
    if (raw['$schema'] === undefined && raw['$id'] === undefined && raw['id'] === undefined) return place;
    const dialect = declaredDialect(raw);
    if (dialect === undefined && typeof raw['$schema'] === 'string') {
      this.problems.report(
        'schema-dialect',
        place.child('$schema'),
        `The dialect ${JSON.stringify(raw['$schema'])} is not known; the schema is read as ${place.dialect.name}.`,
      );
    }
    const base = enterResource(place.base, raw, place.pointer);
    return new SchemaPlace({ base, dialect: dialect ?? place.dialect }, place, undefined, place.depth);
  }
}
