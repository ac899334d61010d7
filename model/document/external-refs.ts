import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { $RefParser, type JSONSchema } from '@apidevtools/json-schema-ref-parser';

import { hasScheme, isWithin, isUrl } from './address.js';
import { hashContent } from '../content-hash.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { DiagnosticCode } from '../diagnostics/codes.js';
import { systemReason } from '../diagnostics/input-error.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { remoteAddresses } from '../normalise/resources.js';
import { fetchDocument } from './fetch-document.js';
import { readMetaschema } from './metaschemas.js';
import {
  type DocumentSet,
  type ReadOptions,
  type SourceDocument,
  type SpecLimits,
  decodeDocumentText,
  parseSource,
  resolveFile,
} from './source-document.js';

/** The input of a parser plugin; `url` is a path for local files. */
interface ParserFile {
  readonly url: string;
  readonly data?: unknown;
}

/**
 * Reads every file that a document references, directly or indirectly. Local files must be inside the root folder;
 * hosts other than that of the entry are refused unless allowed. An unread file matters only if a reference needs it,
 * so the reason is kept until then.
 */
export async function readExternalDocuments(
  entry: SourceDocument,
  options: ReadOptions,
  problems: DiagnosticCollector,
): Promise<DocumentSet> {
  const reading = new Reading(entry, options, problems);
  await new $RefParser().resolve(entry.path, referencesOf(entry), reading.parserOptions()).catch(() => undefined);
  return { entry, documents: reading.documents, refusals: reading.refusals };
}

/**
 * A stand-in for a document that contains only its references, because the parser walks recursively, and an `$id` would
 * make it resolve relative files against the wrong address.
 */
function referencesOf(document: SourceDocument): JSONSchema {
  const remote = document.hasResources ? remoteAddresses(document) : [];
  return { allOf: [...new Set([...document.outside, ...remote])].map((address) => ({ $ref: address })) };
}

/** What all documents of a spec may have together: each may refer to others without end. */
class ReadingBudget {
  readonly #limits: { readonly documents: number; readonly bytes: number; readonly time: number };
  readonly #start = performance.now();
  #documents = 0;
  #bytes = 0;

  constructor({ documents = 1_000, bytes = 256 * 1_024 * 1_024, time = 300_000 }: SpecLimits = {}) {
    this.#limits = { documents, bytes, time };
  }

  /** Counts a document before it is read. Returns why it is too much, if so. */
  begin(): string | undefined {
    const { documents } = this.#limits;
    if (this.#documents >= documents) return `the spec has more than ${documents} documents (specLimits.documents)`;
    this.#documents += 1;
    return this.spend(0);
  }

  /** Counts the bytes of a document. Returns why they are too much, if so. */
  spend(count: number): string | undefined {
    const { bytes, time } = this.#limits;
    this.#bytes += count;
    if (this.#bytes > bytes) return `the documents of the spec have more than ${bytes} bytes (specLimits.bytes)`;
    if (this.timeLeft < 0) return `the documents of the spec were not read in ${time / 1_000} s (specLimits.time)`;
    return undefined;
  }

  /** In milliseconds. */
  get timeLeft(): number {
    return this.#limits.time - (performance.now() - this.#start);
  }
}

/** How many documents are read at the same time, because each may be large. */
const PARALLEL = 8;

class Reading {
  readonly documents: Map<string, SourceDocument>;
  readonly refusals = new Map<string, string>();
  readonly #entry: SourceDocument;
  readonly #options: ReadOptions;
  readonly #problems: DiagnosticCollector;
  readonly #budget: ReadingBudget;
  /** The last document of each row of documents that are read one after the other. */
  readonly #rows: Promise<unknown>[] = Array.from({ length: PARALLEL }, () => Promise.resolve());
  #next = 0;

  constructor(entry: SourceDocument, options: ReadOptions, problems: DiagnosticCollector) {
    this.documents = new Map([[entry.path, entry]]);
    this.#entry = entry;
    this.#options = options;
    this.#problems = problems;
    this.#budget = new ReadingBudget(options.specLimits);
    this.#budget.begin();
    this.#budget.spend(Buffer.byteLength(entry.text));
  }

  parserOptions(): NonNullable<Parameters<$RefParser['resolve']>[2]> {
    return {
      continueOnError: true,
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        document: { order: 1, canParse: true, parse: ({ url, data }: ParserFile) => this.#remember(url, data) },
      },
      resolve: {
        file: {
          order: 1,
          canRead: ({ url }: ParserFile) => !isRemote(url),
          read: async ({ url }: ParserFile) => this.#readLimited(url, () => this.#readLocal(toFilePath(url))),
        },
        // The parser's own reader reports no reasons, and refuses local servers even if they are allowed.
        http: false,
        remote: {
          order: 2,
          canRead: ({ url }: ParserFile) => isRemote(url),
          read: async ({ url }: ParserFile) => this.#readLimited(url, () => this.#readRemote(url)),
        },
      },
    };
  }

  #remember(url: string, data: unknown): JSONSchema {
    const file = isRemote(url) ? url : toFilePath(url);
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data));
    try {
      const document = parseSource({
        path: file,
        text: decodeDocumentText(file, bytes, 'The file'),
        hash: hashContent(bytes),
      });
      this.documents.set(file, document);
      return referencesOf(document);
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      for (const { code, pointer, message, line, column } of error.diagnostics)
        this.#problems.report(code as DiagnosticCode, { file, pointer }, message, {
          ...(line === undefined ? {} : { line }),
          ...(column === undefined ? {} : { column }),
        });
      return {};
    }
  }

  async #readLimited(url: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const file = isRemote(url) ? url : toFilePath(url);
    return this.#inTurn(async () => {
      const before = this.#budget.begin();
      if (before !== undefined) return this.#refuse(file, before);
      const bytes = await read();
      const after = this.#budget.spend(bytes.length);
      return after === undefined ? bytes : this.#refuse(file, after);
    });
  }

  /** The parser asks for all references of a document at once. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const row = this.#next++ % PARALLEL;
    const result = (this.#rows[row] ?? Promise.resolve()).then(work);
    this.#rows[row] = result.catch(() => undefined);
    return result;
  }

  async #readLocal(file: string): Promise<Buffer> {
    if (isUrl(this.#entry.path)) return this.#refuse(file, 'a spec from a URL cannot refer to files of this machine');
    const root = path.resolve(this.#options.root ?? path.dirname(this.#entry.path));
    if (!(await isInsideFolder(file, root)))
      return this.#refuse(
        file,
        this.#options.root === undefined
          ? 'it lies outside the folder of the spec; --root DIR allows a folder above it'
          : `it lies outside the folder ${root} of --root`,
      );
    try {
      return await readFile(file);
    } catch (error) {
      return this.#refuse(file, systemReason(error));
    }
  }

  /**
   * The host that the user named needs no permission, and meta-schemas need no request. Redirects to another host are
   * refused.
   */
  async #readRemote(url: string): Promise<Buffer> {
    const own = readMetaschema(url);
    if (own !== undefined) return own;
    const { path: entry } = this.#entry;
    const isSameOrigin = isUrl(entry) && new URL(entry).origin === new URL(url).origin;
    if (!isSameOrigin && this.#options.allowRemote !== true)
      return this.#refuse(url, 'references to another host need --allow-remote');
    const result = await fetchDocument(url, {
      followsHosts: false,
      headers: isSameOrigin ? this.#options.headers : undefined,
      timeLimit: Math.max(0, this.#budget.timeLeft) + 1,
    });
    if (result.kind === 'document') return result.bytes;
    const reason = result.kind === 'failed' ? result.reason : 'its server sent no document';
    return this.#refuse(url, this.#budget.spend(0) ?? reason);
  }

  #refuse(file: string, why: string): never {
    this.refusals.set(file, why);
    throw new Error(why);
  }
}

/** Converts the parser's percent-encoded address of a local file to a path. */
function toFilePath(url: string): string {
  try {
    return resolveFile('/', url);
  } catch {
    return url;
  }
}

function isRemote(url: string): boolean {
  return hasScheme(url) && !url.startsWith('file:');
}

/**
 * Whether a file is inside a folder after following links. Compares the path itself first: even looking up a network
 * share (`\\\\host\\share`) would send it the user's credentials.
 */
async function isInsideFolder(file: string, folder: string): Promise<boolean> {
  const realFolder = await realpath(folder).catch(() => folder);
  if (![folder, realFolder].some((one) => isWithin(path.resolve(file), one))) return false;
  return isWithin(await realpath(file).catch(() => path.resolve(file)), realFolder);
}
