import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';

import { getOrInsert } from '../../model/maps.js';
import { basePaths } from '../../model/base-url.js';
import { HttpError } from '../../http/http-error.js';
import {
  type HeaderMap,
  lowerCaseNames,
  type MockRequest,
  type MockResponse,
  readHeader,
  type Violation,
} from '../../http/messages.js';
import { routerOf, splitTarget } from '../../http/routing/router.js';
import type { Api, Operation } from '../../model/api.js';
import { compileRequestReader } from '../../http/request/read-request.js';
import type { RequestToCheck } from '../../generated/control/types.js';
import {
  type ControlHandlers,
  type ControlHost,
  type PageOperationId,
  findSandbox,
  json,
} from '../control/control-host.js';
import type { HandlerResponse } from '../handler-api.js';
import { toShownTime } from '../http-dates.js';
import type { Job } from '../sandbox/clock-types.js';
import { JOBS } from '../sandbox/reserved-collections.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { describeApi, describeOperation } from './describe-api.js';
import { describeForms } from './describe-forms.js';
import { describeResources } from './describe-resources.js';
import { packageRoot } from '../../model/package-info.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Redirects a browser that opens `/` to the page, unless the API has an operation there. */
export function redirectToPage({ method, headers, base }: MockRequest, api: Api): MockResponse | undefined {
  if (method !== 'GET' || !String(headers['accept']).includes('text/html')) return undefined;
  if (routerOf(api)('GET', '/').kind !== 'unknown-path') return undefined;
  return { status: 302, headers: { location: `${base?.prefix ?? ''}/__specmill/` } };
}

/** The handlers of the page and its data, as described in specs/control/openapi.yaml. */
export function createPageHandlers(host: ControlHost): ControlHandlers<PageOperationId> {
  const api = (): Api => host.served().api;
  return {
    getPage: async (call) => {
      // Without the slash, the relative addresses of the page would lead elsewhere.
      if (!splitTarget(call.request.target).path.endsWith('/'))
        throw new HttpError(404, 'The page has a slash at its end.');
      return servePageFile('index.html', call.request);
    },
    getPageFile: (call) => servePageFile(call.input.path.file, call.request),
    describeApi: (call) => call.respond(200, json(describeApi(host.name, api()))),
    describeResources: (call) => call.respond(200, json(describeResources(host.name, host.served()))),
    describeForms: (call) => call.respond(200, json({ forms: describeForms(host.served()) })),
    describeOperation: (call) => call.respond(200, json(readOperation(api(), call.input.query?.id))),
    listJobs: async (call) => call.respond(200, json(await readJobs(findSandbox(host, call)))),
    checkRequest: (call) => call.respond(200, json({ violations: checkRequest(api(), call.input.body) })),
  };
}

function readOperation(api: Api, id: string | undefined): unknown {
  const operation = api.operations.find((one) => one.id === id);
  if (operation === undefined) throw new HttpError(404, `The API has no operation ${stringifyExactJson(id)}.`);
  return describeOperation(api, operation, basePaths(operation.servers)[0] ?? '');
}

async function readJobs({ store }: Sandbox): Promise<unknown> {
  const { items } = await store.query(JOBS, { order: [{ path: 'dueAt' }], take: 100 });
  return items.map(({ value }) => {
    const { name, dueAt } = value as Job;
    return { name, dueAt: new Date(toShownTime(dueAt)).toISOString() };
  });
}

function checkRequest(api: Api, { method, target, headers = {}, body = '' }: RequestToCheck): readonly Violation[] {
  const { path, query } = splitTarget(target);
  const match = routerOf(api)(method, path);
  if (match.kind !== 'operation') return [];
  const bytes = new TextEncoder().encode(body);
  return readerOf(api, match.operation).read({ path: match.values, query, headers: lowerCaseNames(headers), bytes })
    .violations;
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

/**
 * Responds with a file of the page.
 *
 * @throws HttpError 404 if the page was not built.
 */
async function servePageFile(name: string, request: MockRequest): Promise<HandlerResponse> {
  const asset = await loadAsset(name);
  const isCompressed = /\bbr\b/.test(readHeader(request, 'accept-encoding') ?? '');
  return {
    status: 200,
    refusal: false,
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
