import { NameAllocator } from '../../model/identifiers.js';

/** The names of the runtime that operations, codecs and helpers use, by module. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  client: ['send'],
  codecs: [
    ...['all', 'bigInteger', 'choice', 'dateOnly', 'dateTime', 'each', 'integerText', 'jsonText', 'lazy'],
    ...['list', 'members', 'temporalDate', 'temporalInstant'],
    ...['decodeResult', 'encodeMembers', 'parseTyped', 'stringifyTyped'],
  ],
  credentials: ['writeCredentials'],
  'event-stream': ['StreamOptions', 'streamMessages'],
  helpers: [
    ...['ChangeOptions', 'PollOptions', 'WebhookOptions'],
    ...['isPast', 'pollChanges', 'readChangeWrite', 'readExpiry', 'readWebhook'],
  ],
  items: ['readItems', 'writeItems', 'writePartList'],
  'json-integers': ['parseExactJson', 'stringifyExactJson'],
  'live-session': ['LiveOptions', 'LiveSession', 'openLiveSession'],
  middleware: ['withDownloads'],
  paging: ['Listing', 'PageOptions', 'pageByLink', 'pageByOffset', 'pageByToken'],
  'rate-limit': ['RetryOptions', 'waitForLimits'],
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
  'typed-calls': ['sendTyped', 'writeTypedJson'],
  'typed-items': ['readTypedItems'],
  'typed-webhooks': ['readTypedWebhook'],
  upload: ['UploadData', 'UploadOptions', 'upload'],
  xml: ['readXml', 'readXmlByStatus', 'writeXml', 'xmlPart'],
};

const MODULE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) => names.map((name) => [name, module] as const)),
);

/** The module of the runtime that exports a name. */
export function runtimeModuleOf(name: string): string {
  const module = MODULE_OF.get(name);
  if (module === undefined) throw new Error(`The runtime has no ${name}.`);
  return module;
}

/** Whether a name of the runtime is a type; functions begin with a lower-case letter. */
export function isTypeName(name: string): boolean {
  return /^[A-Z]/.test(name);
}

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

  /** `taken`: the names of the file's own functions. */
  constructor(taken: Iterable<string>) {
    this.#locals = new NameAllocator({ taken });
  }

  /** Imports a name from the runtime and returns its local name. */
  use(name: string): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known.local;
    const module = runtimeModuleOf(name);
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
