import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { $RefParser, type JSONSchema } from '@apidevtools/json-schema-ref-parser';

import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { SpecError } from '../diagnostics/spec-error.js';
import { type ReadOptions, type SourceDocument, isInsideFolder, parseSource } from './document-set.js';

/** What the parser hands to its plugins; `url` is a path for local files. */
interface ParserFile {
  readonly url: string;
  readonly data?: unknown;
}

/**
 * Reads every file that a document refers to, directly or through others. Local files must stand inside the folder of
 * the entry; remote ones are refused unless allowed. A refused or unreadable file is a diagnostic, and whatever refers
 * to it is unresolved.
 */
export async function readExternalDocuments(
  entry: SourceDocument,
  options: ReadOptions,
  problems: DiagnosticCollector,
): Promise<SourceDocument[]> {
  const folder = path.dirname(entry.path);
  const texts = new Map<string, SourceDocument>();
  const refuse = (url: string, why: string): never => {
    problems.report('ref-refused', { file: entry.path, pointer: '' }, `The reference to ${url} is refused: ${why}.`);
    throw new Error(why);
  };
  const remember = (url: string, text: string): unknown => {
    try {
      const document = parseSource({ path: url, text });
      texts.set(url, document);
      return document.root;
    } catch (error) {
      if (error instanceof SpecError)
        for (const { code, message } of error.diagnostics)
          problems.report(code as 'document-syntax', { file: url, pointer: '' }, message);
      throw error;
    }
  };
  const parser = new $RefParser();
  await parser
    .resolve(entry.path, structuredClone(entry.root) as JSONSchema, {
      continueOnError: true,
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        document: { order: 1, canParse: true, parse: ({ url, data }: ParserFile) => remember(url, String(data)) },
      },
      resolve: {
        file: {
          order: 1,
          canRead: ({ url }: ParserFile) => !isRemote(url),
          read: async ({ url }: ParserFile) =>
            (await isInsideFolder(url, folder))
              ? readFile(url, 'utf8')
              : refuse(url, 'it lies outside the folder of the spec'),
        },
        http: options.allowRemote ? { safeUrlResolver: true, timeout: 10_000 } : false,
        refused: {
          order: 900,
          canRead: ({ url }: ParserFile) => isRemote(url) && !options.allowRemote,
          read: ({ url }: ParserFile) => refuse(url, 'remote references need --allow-remote'),
        },
      },
    })
    .catch(() => undefined);
  return [...texts.values()];
}

function isRemote(url: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(url) && !url.startsWith('file:');
}
