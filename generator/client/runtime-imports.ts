import { NameAllocator } from '../../model/identifiers.js';
import { CODEC_NAMES } from './print-codecs.js';

/** Names of the runtime by module. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  client: ['send'],
  codecs: CODEC_NAMES,
  items: ['readItems', 'writeItems', 'writePartList'],
  'json-integers': ['parseExactJson', 'stringifyExactJson'],
  middleware: ['withDownloads'],
  'typed-calls': ['sendTyped', 'writeTypedJson'],
  'typed-items': ['readTypedItems'],
  xml: ['readXml', 'readXmlByStatus', 'writeXml', 'xmlPart'],
  serialize: [
    ...['addCookies', 'addIdempotencyKey', 'encodeReserved', 'encodeReservedInCookie', 'encodeReservedInPath'],
    ...['writeAuthorization', 'writeBasic', 'writeBearer', 'writeKeyCookie', 'writeKeyHeader', 'writeKeyQuery'],
    ...['writeSubAccount'],
    ...['writeBinary', 'writeFormBody', 'writeJson', 'writeMultipart', 'writeText'],
    ...['writeCookie', 'writeCookieJoined', 'writeDeepObject', 'writeForm', 'writeFormJoined', 'writeJsonPair'],
    ...['writeJsonQuery', 'writeJsonText', 'writeLabel', 'writeLabelExploded', 'writeMatrix', 'writeMatrixExploded'],
    ...['writePairs', 'writePipeDelimited', 'writeSimple', 'writeSimpleExploded', 'writeSpaceDelimited'],
    ...['writeTabDelimited', 'writeTextQuery'],
  ],
};

/** A name that a file imports from a module of the runtime. */
export interface RuntimeImport {
  readonly module: string;
  readonly name: string;
  /** Differs from `name` if the file has its own function of that name. */
  readonly local: string;
}

/** Collects the imports of one file from the runtime, under names that do not clash with its own functions. */
export class RuntimeImports {
  readonly #byName = new Map<string, RuntimeImport>();
  readonly #locals: NameAllocator;
  readonly #modules: ReadonlyMap<string, string>;

  /**
   * @param taken - The names of the file's own functions.
   * @param modules - Names of the runtime by module; by default, those that operations use.
   */
  constructor(taken: Iterable<string>, modules: Readonly<Record<string, readonly string[]>> = MODULES) {
    this.#locals = new NameAllocator({ taken });
    const names = Object.entries(modules);
    this.#modules = new Map(names.flatMap(([module, own]) => own.map((name) => [name, module] as const)));
  }

  /** Imports a name from the runtime and returns its local name. */
  use(name: string): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known.local;
    const module = this.#modules.get(name);
    if (module === undefined) throw new Error(`The runtime has no ${name}.`);
    const local = this.#locals.take(name);
    this.#byName.set(name, { module, name, local });
    return local;
  }

  /** Sorted by module and name. */
  get all(): RuntimeImport[] {
    const key = ({ module, name }: RuntimeImport): string => `${module} ${name}`;
    return [...this.#byName.values()].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}

/** A name in an import or export, such as `send as send2`. */
export function printImported(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}
