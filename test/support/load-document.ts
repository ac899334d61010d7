import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';

/** Reads a document that a test wrote as an object. */
export async function loadDocument(document: object): Promise<Api> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-document-'));
  try {
    const file = path.join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    return await loadApi(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An OpenAPI 3.1 document with these paths, and more where a test needs it. */
export function documentWith(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...more };
}
