import { getOrInsert } from '../maps.js';
import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { DocumentSet } from '../document/source-document.js';
import { Place } from '../document/place.js';
import { type RawRecord, isRecord } from '../document/records.js';
import { NameAllocator, toTypeName } from '../identifiers.js';
import { Reaching } from '../reaching.js';
import { surveySchema } from '../schema-survey.js';
import { type Schema, refTo } from '../schema-types.js';
import { type LaterReading, readLater } from '../read-later.js';
import { nameFromPointer } from './name-from-pointer.js';
import { normaliseSchema } from './normalise-schema.js';
import { describeAsWritten, RefResolver } from './ref-resolver.js';
import { type DynamicAnchors, type Located, NO_ANCHORS, enterAnchors, enterResource, scopeKey } from './resources.js';
import { type SchemaDialect, dialectByUri, dialectByVocabulary, documentDialect } from './schema-dialects.js';
import { type NamedMember, RequiredMembers } from './required-members.js';
import { SchemaFamilies } from './schema-families.js';
import { type ReadSchemas, SchemaPlace, type SchemaScope } from './schema-place.js';

/** A named schema, read or pending. */
interface Entry {
  readonly name: string;
  readonly originalName: string;
  readonly place: SchemaPlace;
  readonly raw: unknown;
}

const MAX_DEPTH = 400;

/** Normalises raw schemas, and names every schema that is referenced. */
export class SchemaReader implements ReadSchemas {
  readonly problems: DiagnosticCollector;
  readonly extensionNames: Set<string> = new Set();
  readonly resolver: RefResolver;
  readonly #names: NameAllocator = new NameAllocator();
  readonly #entries: Entry[] = [];
  readonly #schemas = new Map<string, NamedSchema>();
  /** How many entries were read. */
  #read = 0;
  readonly #byOriginalName = new Map<string, Entry>();
  /** By file, then by pointer. */
  readonly #byLocation = new Map<string, Map<string, Entry>>();
  readonly #plainScopes = new Map<string, SchemaScope>();
  /** The normalised `$ref`s of a file without resources, by raw `$ref`; cached because most occur many times. */
  readonly #plainRefs = new Map<string, Map<string, string>>();

  readonly families: SchemaFamilies;
  readonly #required: RequiredMembers = new RequiredMembers();

  constructor(documents: DocumentSet, problems: DiagnosticCollector) {
    this.problems = problems;
    this.resolver = new RefResolver(documents);
    this.families = new SchemaFamilies(documents, this.resolver);
  }

  noteRequired(raw: RawRecord, place: SchemaPlace): void {
    this.#required.note(raw, place);
  }

  /** Has names that describe members of a schema (such as encodings) compared with these members. */
  noteMembers(named: readonly NamedMember[], place: SchemaPlace): void {
    if (named.length > 0) this.#required.noteMembers(named, place);
  }

  noteReference(place: SchemaPlace, reference: string, hasSiblings: boolean): void {
    this.families.noteReference(place, reference, hasSiblings);
  }

  /** Converts a place to the place of a schema, with the dialect in scope; `dialect` is the default. */
  placeOf(place: Place, dialect: SchemaDialect, outer: DynamicAnchors = NO_ANCHORS): SchemaPlace {
    if (this.resolver.documentAt(place.file)?.hasResources !== true)
      return new SchemaPlace(this.#plainScope(place.file, dialect), place);
    const base = this.resolver.baseAt(place);
    const declared = base.schemaUri === undefined ? undefined : this.#dialectOf(base.schemaUri);
    const anchors = enterAnchors(outer, this.resolver.anchorsOf(base));
    return new SchemaPlace({ base, dialect: declared ?? dialect, anchors }, place);
  }

  /** Gives a component its name. Call it for all components before anything is read, in the order of the document. */
  declare(originalName: string, raw: unknown, place: SchemaPlace): string {
    const entry = this.#enter(originalName, raw, place);
    this.#byOriginalName.set(originalName, entry);
    return entry.name;
  }

  nameOf(originalName: string): string | undefined {
    return this.#byOriginalName.get(originalName)?.name;
  }

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

  readRef(reference: string, place: SchemaPlace, key: string): string | undefined {
    const isPlain = key === '$ref' && this.resolver.documentAt(place.file)?.hasResources === false;
    if (!isPlain) return this.#readRef(reference, place, key);
    const known = getOrInsert(this.#plainRefs, place.file, () => new Map<string, string>());
    const ref = known.get(reference) ?? this.#readRef(reference, place, key);
    if (ref !== undefined) known.set(reference, ref);
    return ref;
  }

  #readRef(reference: string, place: SchemaPlace, key: string): string | undefined {
    const target =
      key === '$ref'
        ? this.resolver.resolve(reference, place.base)
        : this.resolver.resolveDynamic(key, reference, place.base, place.anchors);
    const found = target ?? this.#resolveInDocument(reference, place, key);
    if (found !== undefined && this.resolver.isReadAsWritten(reference))
      this.problems.report('ref-as-written', place.child(key), describeAsWritten(reference));
    if (found !== undefined) return refTo(this.nameAt(found, place.dialect, place.anchors));
    const { code, message } = this.resolver.explain(reference, place.base);
    this.problems.report(code, place.child(key), message);
    return undefined;
  }

  /** If a pointer leads nowhere in a schema with an `$id`, its author may have meant the document. */
  #resolveInDocument(reference: string, place: SchemaPlace, key: string): Located | undefined {
    if (place.base.resourcePointer === '' || !reference.startsWith('#/')) return undefined;
    const target = this.resolver.resolve(reference, { file: place.file, resourcePointer: '' });
    if (target !== undefined)
      this.problems.report(
        'ref-outside-resource',
        place.child(key),
        `The reference ${JSON.stringify(reference)} has no target in the schema with the $id around it; it is resolved in the document.`,
      );
    return target;
  }

  /** The name of the schema at a place, assigned at its first reference. */
  nameAt({ file, pointer, value }: Located, dialect: SchemaDialect, anchors: DynamicAnchors = NO_ANCHORS): string {
    const own = documentDialect(this.resolver.documentAt(file)?.root) ?? dialect;
    const place = this.placeOf(new Place(file, pointer), own, anchors);
    const known = this.#entriesOf(file).get(this.#keyOf(place, value));
    return known?.name ?? this.#enter(nameFromPointer(file, pointer), value, place).name;
  }

  get hasPending(): boolean {
    return this.#read < this.#entries.length;
  }

  /** Reads all pending schemas, and returns all named schemas in order. */
  readPending(): Map<string, NamedSchema> {
    // Reading one schema may name others, which are appended to the list during the loop.
    for (; this.hasPending; this.#read += 1) {
      const { name, originalName, raw, place } = this.#entries[this.#read] as Entry;
      this.#schemas.set(name, { name, originalName, schema: this.read(raw, place), source: place.source });
    }
    return this.#schemas;
  }

  /** Returns all named schemas in order, each to be read on first use. */
  readPendingLater(later: LaterReading): Map<string, NamedSchema> {
    const variants = new Reaching(
      (name) => surveySchema(this.#schemaOf(name)).marked,
      (name) => surveySchema(this.#schemaOf(name)).refs,
    );
    for (; this.hasPending; this.#read += 1) {
      const { name, originalName, raw, place } = this.#entries[this.#read] as Entry;
      const named: NamedSchema = { name, originalName, schema: true, source: place.source };
      readLater(later, named, ['schema', () => this.read(raw, place)]);
      const nameInput = (): string | undefined => (variants.has(name) ? this.takeName(`${name}Input`) : undefined);
      readLater(later, named as { readonly inputName: string | undefined }, ['inputName', nameInput]);
      this.#schemas.set(name, named);
    }
    return this.#schemas;
  }

  #schemaOf(name: string): Schema {
    return this.#schemas.get(name)?.schema ?? true;
  }

  /** Reports the names of required members that no schema describes, once everything was read. */
  reportRequired(): void {
    this.#required.report(this.families, this.problems);
  }

  takeName(name: string): string {
    return this.#names.take(name);
  }

  #enter(originalName: string, raw: unknown, place: SchemaPlace): Entry {
    const entries = this.#entriesOf(place.file);
    const key = this.#keyOf(place, raw);
    const entry: Entry = { name: this.#names.take(toTypeName(originalName)), originalName, raw, place };
    entries.set(key, entry);
    this.#entries.push(entry);
    return entry;
  }

  /** The key of a schema in its file. A schema that depends on dynamic anchors has another key in another scope. */
  #keyOf({ file, pointer, anchors }: SchemaPlace, value: unknown): string {
    if (anchors.size === 0) return pointer;
    const scope = scopeKey(anchors, this.resolver.anchorsAskedBy({ file, pointer, value }));
    return scope === '' ? pointer : `${pointer} ${scope}`;
  }

  #entriesOf(file: string): Map<string, Entry> {
    return getOrInsert(this.#byLocation, file, () => new Map<string, Entry>());
  }

  /** The scope of a file without resources: one object for all its schemas. */
  #plainScope(file: string, dialect: SchemaDialect): SchemaScope {
    const key = `${dialect.name} ${file}`;
    return getOrInsert(this.#plainScopes, key, () => ({
      base: { file, resourcePointer: '' },
      dialect,
      anchors: NO_ANCHORS,
    }));
  }

  #enterSchema(raw: RawRecord, place: SchemaPlace): SchemaPlace {
    if (raw['$schema'] === undefined && raw['$id'] === undefined && raw['id'] === undefined) return place;
    const uri = raw['$schema'];
    const dialect = typeof uri === 'string' ? this.#dialectOf(uri) : undefined;
    if (dialect === undefined && typeof uri === 'string') {
      this.problems.report(
        'schema-dialect',
        place.child('$schema'),
        `The dialect ${JSON.stringify(uri)} is not known; the schema is read as ${place.dialect.name}.`,
      );
    }
    const isEntered = place.base.uri !== undefined && place.base.resourcePointer === place.pointer;
    const base = isEntered ? place.base : enterResource(place.base, raw, place.pointer);
    const anchors = base === place.base ? place.anchors : enterAnchors(place.anchors, this.resolver.anchorsOf(base));
    return new SchemaPlace({ base, dialect: dialect ?? place.dialect, anchors }, place, undefined, place.depth);
  }

  /** The dialect of a `$schema`: a known one, or the one of a meta-schema among the documents. */
  #dialectOf(uri: string): SchemaDialect | undefined {
    return dialectByUri(uri) ?? dialectByVocabulary(this.resolver.documentAt(uri.replace(/#$/, ''))?.root);
  }
}
