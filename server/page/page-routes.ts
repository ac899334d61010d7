import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';

import { getOrInsert } from '../../model/maps.js';
import { basePaths } from '../../http/base-url.js';
import { HttpError } from '../../http/http-error.js';
import {
  type HeaderMap,
  lowerCaseNames,
  type MockRequest,
  type MockResponse,
  readHeader,
  type Violation,
} from '../../http/messages.js';
import { createRouter } from '../../http/routing/router.js';
import { splitTarget } from '../../http/routing/request-target.js';
import { controlJson } from '../../http/wire/control-api.js';
import type { Api, Operation } from '../../model/api.js';
import { isRecord, mapRecord } from '../../model/document/records.js';
import { compileRequestReader } from '../../http/request/read-request.js';
import type { Job } from '../sandbox/clock-types.js';
import { JOBS } from '../sandbox/reserved-collections.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { describeApi, describeOperation } from './describe-api.js';
import { packageRoot } from '../../model/package-info.js';

export interface PageCall {
  readonly request: MockRequest;
  /** Below `/__specmill`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly name: string;
  readonly api: Api;
  readonly sandbox: () => Sandbox;
  readonly readJson: () => Promise<unknown>;
}

/** Redirects a browser that opens the mock's URL to the page, unless the API has an operation there. */
export function redirectToPage({ method, target, headers }: MockRequest, api: Api): MockResponse | undefined {
  if (target !== '/' || method !== 'GET' || !String(headers['accept']).includes('text/html')) return undefined;
  if (routerOf(api)('GET', '/').kind !== 'unknown-path') return undefined;
  return { status: 302, headers: { location: '/__specmill/' } };
}

/** Responds to a request for the page or its data; `undefined` for every other path. */
export async function routePage(call: PageCall): Promise<MockResponse | undefined> {
  const { path, request } = call;
  if (path === '/') return servePageFile('index.html', readHeader(request, 'accept-encoding'));
  if (!path.startsWith('/page/')) return undefined;
  const file = path.slice('/page/'.length);
  if (isPageFile(file)) return servePageFile(file, readHeader(request, 'accept-encoding'));
  if (!Object.hasOwn(DATA, file)) return undefined;
  const [method, read] = DATA[file] ?? NOTHING;
  if (request.method !== method)
    throw new HttpError(405, `This path takes ${method} only.`, { headers: { allow: method } });
  return controlJson(200, await read(call));
}

type ReadData = (call: PageCall) => unknown;

const NOTHING: readonly [string, ReadData] = ['GET', () => undefined];

/** The data files of the page, each with its HTTP method and reader. */
const DATA: Readonly<Record<string, readonly [method: string, read: ReadData]>> = {
  'api.json': ['GET', ({ name, api }) => describeApi(name, api)],
  'operation.json': ['GET', readOperation],
  'jobs.json': ['GET', readJobs],
  check: ['POST', checkRequest],
};

function readOperation({ api, query }: PageCall): unknown {
  const id = query.get('id');
  const operation = api.operations.find((one) => one.id === id);
  if (operation === undefined) throw new HttpError(404, `The API has no operation ${JSON.stringify(id)}.`);
  return describeOperation(api, operation, basePaths(operation.servers)[0] ?? '');
}

async function readJobs({ sandbox }: PageCall): Promise<unknown> {
  const { items } = await sandbox().store.query(JOBS, { order: [{ path: 'dueAt' }], take: 100 });
  return items.map(({ value }) => {
    const { name, dueAt } = value as Job;
    return { name, dueAt: new Date(dueAt).toISOString() };
  });
}

async function checkRequest({ api, readJson }: PageCall): Promise<{ readonly violations: readonly Violation[] }> {
  const input = await readJson();
  if (!isRecord(input) || typeof input['method'] !== 'string' || typeof input['target'] !== 'string')
    throw new HttpError(422, 'A request to check needs "method" and "target".');
  const { path, query } = splitTarget(input['target']);
  const match = routerOf(api)(input['method'], path);
  if (match.kind !== 'operation') return { violations: [] };
  const body = typeof input['body'] === 'string' ? input['body'] : '';
  const { violations } = readerOf(api, match.operation).read({
    path: match.values,
    query,
    headers: lowerCaseNames(mapRecord(isRecord(input['headers']) ? input['headers'] : {}, String)),
    bytes: new TextEncoder().encode(body),
  });
  return { violations };
}

const routers = new WeakMap<Api, ReturnType<typeof createRouter>>();

function routerOf(api: Api): ReturnType<typeof createRouter> {
  return getOrInsert(routers, api, () => createRouter(api));
}

const readers = new WeakMap<Operation, ReturnType<typeof compileRequestReader>>();

function readerOf(api: Api, operation: Operation): ReturnType<typeof compileRequestReader> {
  return getOrInsert(readers, operation, () => compileRequestReader(operation, { api, report: undefined }));
}

/** The folder into which the build writes the page. */
const FOLDER = path.join(packageRoot, 'dist/page');

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
};

/**
 * The page contacts no other host, runs only its own script, and cannot be framed. Texts of specs and requests never
 * become HTML; these headers are a second line of defence.
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

function isPageFile(name: string): boolean {
  return Object.hasOwn(TYPES, name);
}

/**
 * Responds with a file of the page.
 *
 * @throws HttpError 404 if the page was not built.
 */
async function servePageFile(name: string, acceptEncoding = ''): Promise<MockResponse> {
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
