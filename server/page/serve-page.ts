import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';

import { HttpError } from '../../http/http-error.js';
import type { HeaderMap, MockResponse } from '../../http/messages.js';
import { packageRoot } from '../../model/package-info.js';

/** Where the build puts the page. */
const FOLDER = path.join(packageRoot, 'dist/page');

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
};

/**
 * The page asks no other host, runs no script but its own file, and is shown in no frame. Texts of a spec or a request
 * never become HTML, and this holds if one did.
 */
const SECURITY: HeaderMap = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

interface Asset {
  readonly bytes: Uint8Array;
  readonly compressed: Uint8Array;
}

const assets = new Map<string, Promise<Asset>>();

/** Whether a file belongs to the page. */
export function isPageFile(name: string): boolean {
  return Object.hasOwn(TYPES, name);
}

/**
 * A file of the page as a response.
 *
 * @throws HttpError 404 if the page was not built.
 */
export async function servePageFile(name: string, acceptEncoding: string): Promise<MockResponse> {
  const asset = await loadAsset(name);
  const isCompressed = /\bbr\b/.test(acceptEncoding);
  return {
    status: 200,
    headers: {
      'content-type': TYPES[name],
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      ...(isCompressed ? { 'content-encoding': 'br' } : {}),
      ...SECURITY,
    },
    body: { kind: 'bytes', bytes: isCompressed ? asset.compressed : asset.bytes },
  };
}

function loadAsset(name: string): Promise<Asset> {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const loading = readAsset(name);
  assets.set(name, loading);
  loading.catch(() => assets.delete(name));
  return loading;
}

async function readAsset(name: string): Promise<Asset> {
  const bytes = await readFile(path.join(FOLDER, name)).catch(() => {
    throw new HttpError(404, 'The page was not built; "npm run build" builds it.');
  });
  const compressed = await promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
  return { bytes, compressed };
}
