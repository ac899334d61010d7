import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { $RefParser, type JSONSchema } from '@apidevtools/json-schema-ref-parser';

import { hashContent } from '../content-hash.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { DiagnosticCode } from '../diagnostics/codes.js';
import { systemReason } from '../diagnostics/input-error.js';
import { SpecError } from '../diagnostics/spec-error.js';
import {
  type DocumentSet,
  type ReadOptions,
  type SourceDocument,
  parseSource,
  resolveFile,
} from './source-document.js';

/** How long a remote file may take to arrive. Milliseconds. */
const REMOTE_TIMEOUT = 10_000;

/** What the parser hands to its plugins; `url` is a path for local files. */
interface ParserFile {
  readonly url: string;
  readonly data?: unknown;
}

/**
 * Reads every file that a document refers to, directly or through others. Local files must stand inside the folder of
 * the entry; remote ones are refused unless allowed. A file that is not read is no problem by itself, since nothing may
 * need it: whoever follows the reference tells why it leads nowhere.
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
 * A stand-in for a document that holds its references and nothing else: the parser walks by recursion, and an `$id`
 * would lead it away from the files that stand beside each other.
 */
function referencesOf(document: SourceDocument): JSONSchema {
  return { allOf: [...document.outside].map((address) => ({ $ref: address })) };
}

class Reading {
  readonly documents: Map<string, SourceDocument>;
  readonly refusals = new Map<string, string>();
  readonly #folder: string;
  readonly #allowRemote: boolean;
  readonly #problems: DiagnosticCollector;

  constructor(entry: SourceDocument, options: ReadOptions, problems: DiagnosticCollector) {
    this.documents = new Map([[entry.path, entry]]);
    this.#folder = path.dirname(entry.path);
    this.#allowRemote = options.allowRemote;
    this.#problems = problems;
  }

  parserOptions(): NonNullable<Parameters<$RefParser['resolve']>[2]> {
    return {
      continueOnError: true,
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        document: { order: 1, canParse: true, parse: ({ url, data }: ParserFile) => this.#remember(url, String(data)) },
      },
      resolve: {
        file: {
          order: 1,
          canRead: ({ url }: ParserFile) => !isRemote(url),
          read: async ({ url }: ParserFile) => this.#readLocal(toFilePath(url)),
        },
        // The parser's own reader knows no reasons, and refuses servers on this machine even to who allows them.
        http: false,
        remote: {
          order: 2,
          canRead: ({ url }: ParserFile) => isRemote(url),
          read: async ({ url }: ParserFile) => this.#readRemote(url),
        },
      },
    };
  }

  #remember(url: string, text: string): JSONSchema {
    const file = isRemote(url) ? url : toFilePath(url);
    try {
      const document = parseSource({ path: file, text, hash: hashContent(text) });
      this.documents.set(file, document);
      return referencesOf(document);
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      for (const { code, message, line, column } of error.diagnostics)
        this.#problems.report(code as DiagnosticCode, { file, pointer: '' }, message, {
          ...(line === undefined ? {} : { line }),
          ...(column === undefined ? {} : { column }),
        });
      return {};
    }
  }

  async #readLocal(file: string): Promise<Buffer> {
    if (!(await isInsideFolder(file, this.#folder)))
      return this.#refuse(file, 'it lies outside the folder of the spec');
    try {
      return await readFile(file);
    } catch (error) {
      return this.#refuse(file, systemReason(error));
    }
  }

  async #readRemote(url: string): Promise<Buffer> {
    if (!this.#allowRemote) return this.#refuse(url, 'remote references need --allow-remote');
    const read = await fetchBytes(url);
    return typeof read === 'string' ? this.#refuse(url, read) : read;
  }

  #refuse(file: string, why: string): never {
    this.refusals.set(file, why);
    throw new Error(why);
  }
}

/** The bytes behind an address, or why there are none. */
async function fetchBytes(url: string): Promise<Buffer | string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(REMOTE_TIMEOUT) });
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : `its server answers ${answer.status}`;
  } catch (error) {
    // The platform says only that it failed; the cause says why.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `it cannot be read, ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** The parser's address of a local file, which is percent-encoded, as a path. */
function toFilePath(url: string): string {
  try {
    return resolveFile('/', url);
  } catch {
    return url;
  }
}

function isRemote(url: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(url) && !url.startsWith('file:');
}

/** Whether a file, links followed, stands inside a folder. */
async function isInsideFolder(file: string, folder: string): Promise<boolean> {
  const [realFile, realFolder] = await Promise.all([
    realpath(file).catch(() => file),
    realpath(folder).catch(() => folder),
  ]);
  return realFile.startsWith(realFolder.endsWith(path.sep) ? realFolder : realFolder + path.sep);
}
