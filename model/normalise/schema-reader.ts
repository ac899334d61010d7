import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { DocumentSet } from '../document/document-set.js';
import { appendPointer, splitPointer } from '../document/pointer.js';
import { type RawRecord, isRecord } from '../document/records.js';
import { NameAllocator, toTypeName } from '../identifiers.js';
import { type Schema, refTo } from '../schema-types.js';
import { normaliseSchema } from './normalise-schema.js';
import { RefResolver, type RefBase, type Located, enterResource } from './ref-resolver.js';
import { ALL_KEYWORDS, type SchemaDialect, declaredDialect } from './schema-dialects.js';

/** Where a raw schema stands, and how it is to be read. */
export interface SchemaPlace extends RefBase {
  readonly pointer: string;
  readonly dialect: SchemaDialect;
  readonly depth: number;
}

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
  readonly #byLocation = new Map<string, Entry>();
  readonly #byOriginalName = new Map<string, Entry>();
  readonly #schemas = new Map<string, NamedSchema>();
  readonly #waiting: Entry[] = [];

  constructor(documents: DocumentSet, problems: DiagnosticCollector) {
    this.problems = problems;
    this.resolver = new RefResolver(documents);
  }

  /** The place of a schema, with the dialect that holds around it. */
  placeAt(file: string, pointer: string, dialect: SchemaDialect): SchemaPlace {
    return { ...this.resolver.baseAt(file, pointer), pointer, dialect, depth: 0 };
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

  /** The place of a child of a schema. */
  childPlace(place: SchemaPlace, ...keys: readonly (string | number)[]): SchemaPlace {
    return { ...place, pointer: keys.reduce<string>(appendPointer, place.pointer), depth: place.depth + 1 };
  }

  /** The normalised `$ref` for a raw one, or `undefined` (with a diagnostic) where it leads nowhere. */
  readRef(reference: string, place: SchemaPlace): string | undefined {
    const target = this.resolver.resolve(reference, place);
    if (target === undefined) {
      this.problems.report(
        'ref-unresolved',
        { file: place.file, pointer: appendPointer(place.pointer, '$ref') },
        `The reference ${JSON.stringify(reference)} leads nowhere.`,
      );
      return undefined;
    }
    return refTo(this.nameAt(target, place.dialect));
  }

  /** The name of the schema at a place; it gets one when it is first referred to. */
  nameAt(target: Located, dialect: SchemaDialect): string {
    const known = this.#byLocation.get(locationKey(target.file, target.pointer));
    if (known !== undefined) return known.name;
    return this.#enter(nameFromPointer(target), target.value, this.placeAt(target.file, target.pointer, dialect)).name;
  }

  /** Reads everything that is still waiting, and gives all named schemas in order. */
  finish(): Map<string, NamedSchema> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { name, originalName, raw, place } = next;
      const source = { file: place.file, pointer: place.pointer };
      this.#schemas.set(name, { name, originalName, schema: this.read(raw, place), source });
    }
    return this.#schemas;
  }

  /** Takes a further name that no schema has. */
  takeName(name: string): string {
    return this.#names.take(name);
  }

  #enter(originalName: string, raw: unknown, place: SchemaPlace): Entry {
    const entry: Entry = { name: this.#names.take(toTypeName(originalName)), originalName, raw, place };
    this.#byLocation.set(locationKey(place.file, place.pointer), entry);
    this.#waiting.push(entry);
    return entry;
  }

  #enterSchema(raw: RawRecord, place: SchemaPlace): SchemaPlace {
    if (raw['$schema'] === undefined && raw['$id'] === undefined && raw['id'] === undefined) return place;
    const dialect = declaredDialect(raw);
    if (dialect === undefined && typeof raw['$schema'] === 'string' && place.depth === 0) {
      this.problems.report(
        'schema-dialect',
        place,
        `The dialect ${JSON.stringify(raw['$schema'])} is not known; the schema is read as ${place.dialect.name}.`,
      );
    }
    return { ...place, ...enterResource(place, raw, place.pointer), dialect: dialect ?? place.dialect };
  }
}

/** Reports keywords that the dialect does not know but another does: the author surely meant something by them. */
export function reportForeignKeyword(key: string, place: SchemaPlace, problems: DiagnosticCollector): void {
  if (!ALL_KEYWORDS.has(key)) return;
  problems.report(
    'keyword-ignored',
    { file: place.file, pointer: appendPointer(place.pointer, key) },
    `The keyword ${JSON.stringify(key)} has no meaning in ${place.dialect.name} and is ignored.`,
  );
}

function locationKey(file: string, pointer: string): string {
  return `${file}#${pointer}`;
}

const STRUCTURE: ReadonlySet<string> = new Set([
  'components',
  'schemas',
  'definitions',
  '$defs',
  'properties',
  'paths',
  'responses',
  'content',
  'schema',
  'parameters',
  'requestBodies',
]);

/** `#/components/schemas/Case/properties/Name` -> `Case Name`; a whole file -> its name. */
function nameFromPointer({ file, pointer }: Located): string {
  const segments = splitPointer(pointer).filter((segment) => !STRUCTURE.has(segment));
  if (segments.length > 0) return segments.slice(-4).join(' ');
  const base = file.split(/[\\/]/).at(-1) ?? 'schema';
  return base.replace(/\.(schema\.)?(json|ya?ml)$/i, '');
}
