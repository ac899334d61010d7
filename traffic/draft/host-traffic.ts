import type { RecordedExchange } from '../../http/recording/read-exchanges.js';
import { splitTarget } from '../../http/routing/router.js';
import { isGrant, isGrantCode, redactUrl } from '../../http/secrets/redact-url.js';
import { type BodyOrigin, createRedact } from '../../http/secrets/redaction.js';
import { findSecretNames } from '../../http/secrets/secret-names.js';
import { isRecord } from '../../model/document/records.js';
import { remember } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { STANDARD_METHODS } from '../../model/http-method.js';
import { type ReadBody, readBody } from '../read-body.js';
import { findEchoes } from './find-echoes.js';
import { PathTree } from './path-tree.js';
import type { DraftContext } from './request-shape.js';

/** The calls to one API: a host, and others that turn out to be the same API. */
export interface HostTraffic {
  /** Scheme, host and port, those with most calls first. */
  readonly origins: readonly string[];
  readonly calls: number;
  readonly tree: PathTree;
  /** The security schemes that calls use, by id. */
  readonly schemes: ReadonlyMap<string, object>;
}

class Host {
  calls = 0;
  readonly tree: PathTree = new PathTree();
  readonly schemes: Map<string, object> = new Map();
}

/** The most hosts of a recording that are kept. */
const MOST_HOSTS = 50;

/** The most shapes of all bodies: each takes about 1 kB. */
const MOST_SHAPES = 60_000;

/** Responses of pages and their parts, which are no calls of an API. */
const PAGE_PART =
  /^(?:text\/(?:html|css|javascript|x-component)|image\/|font\/|audio\/|video\/|application\/(?:x-)?javascript|application\/(?:wasm|font))/;

/** Collects recorded calls by host: their paths, and the shapes of their messages. */
export class TrafficByHost {
  readonly #hosts: Map<string, Host> = new Map();
  readonly #context: DraftContext;
  readonly #originOf = remember((head) => (URL.canParse(head) ? new URL(head).origin : ''), 1_000);
  /** The calls that are no calls of an API: without a response, to parts of pages, or asked by browsers. */
  leftOut = 0;

  constructor() {
    const names = findSecretNames(NO_API);
    const members = {
      request: names.membersOf(undefined, 'request'),
      response: names.membersOf(undefined, 'response'),
    };
    const isSecret = remember(
      (name) => members.request.has(name) || members.response.has(name) || names.hasField(name),
    );
    // A recording has the same few names in each call.
    const remembered = { ...names, hasHeader: remember(names.hasHeader), hasField: remember(names.hasField) };
    const redact = createRedact(NO_API);
    const holdsSecret = (text: string): boolean =>
      /[={:<]/.test(text) && TEXT_ORIGINS.some((origin) => redact.text(text, origin) !== text);
    this.#context = { isSecret, holdsSecret, names: remembered, shapesLeft: MOST_SHAPES };
  }

  add(exchange: RecordedExchange): void {
    const { method, target, status, request, response } = exchange;
    const body = readBody(response);
    const isPart = method === 'GET' && PAGE_PART.test(body?.mediaType?.essence ?? '');
    const host =
      isPart || !isCall(exchange)
        ? undefined
        : this.#hostOf(this.#originOf(/^[^/?#\\]{1,20}:\/\/[^/?#\\]*/.exec(target)?.[0] ?? ''));
    if (host === undefined) {
      this.leftOut += 1;
      return;
    }
    const { names } = this.#context;
    const { path, query } = splitTarget(redactUrl(target, names));
    const isFound = status >= 200 && status < 300 && body?.value !== undefined;
    const operation = host.tree.operationOf(path, method, isFound ? () => findEchoes(body.value) : undefined);
    if (operation === undefined) {
      this.leftOut += 1;
      return;
    }
    host.calls += 1;
    const sent = withoutGrant(readBody(request));
    const drafted = { query, headers: request.headers, body: sent, hasBody: sent !== undefined };
    for (const { id, scheme } of operation.add(
      drafted,
      { status, body: withoutGrant(body, /^(?:grant_type|code_verifier)$/) },
      this.#context,
    ))
      host.schemes.set(id, scheme);
  }

  #hostOf(origin: string): Host | undefined {
    const known = this.#hosts.get(origin);
    if (known !== undefined || this.#hosts.size >= MOST_HOSTS) return known;
    const host = new Host();
    this.#hosts.set(origin, host);
    return host;
  }

  /** The hosts with their calls, those with most calls first. */
  get hosts(): readonly { readonly origin: string; readonly calls: number }[] {
    return [...this.#hosts]
      .map(([origin, { calls }]) => ({ origin, calls }))
      .sort((one, other) => other.calls - one.calls);
  }

  /** The calls to some hosts, as those of one API. */
  join(origins: readonly string[]): HostTraffic {
    const tree = new PathTree();
    const schemes = new Map<string, object>();
    let calls = 0;
    for (const origin of origins) {
      const host = this.#hosts.get(origin);
      if (host === undefined) continue;
      calls += host.calls;
      tree.root.merge(host.tree.root);
      for (const [id, scheme] of host.schemes) schemes.set(id, scheme);
    }
    return { origins: origins.filter((one) => one !== ''), calls, tree, schemes };
  }
}

/** The methods of OpenAPI 3.1. */
const METHODS: ReadonlySet<string> = new Set(STANDARD_METHODS);

/** A text may be of any of these formats. */
const TEXT_ORIGINS: readonly BodyOrigin[] = ['text/plain', 'application/yaml', 'text/csv'].map((type) => ({
  operationId: undefined,
  side: 'request',
  headers: { 'content-type': type },
}));

/** The code of OAuth is a credential beside other fields of a grant, and a usual name elsewhere. */
function withoutGrant(body: ReadBody | undefined, beside?: RegExp): ReadBody | undefined {
  const { value } = body ?? {};
  if (body === undefined || !isRecord(value) || !Object.hasOwn(value, 'code')) return body;
  const isForm = /form/.test(body.mediaType?.essence ?? '') && isGrantCode(String(value['code']), {});
  return isForm || Object.keys(value).some((name) => beside?.test(name) ?? isGrant(name))
    ? { ...body, value: { ...value, code: 'REDACTED' } }
    : body;
}

function isCall({ method, status, request }: RecordedExchange): boolean {
  const isPreflight = method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  return status >= 200 && status <= 599 && !isPreflight && METHODS.has(method.toLowerCase());
}

/** Before there is a spec, only the usual names of credentials are known. */
const NO_API: Api = {
  dialect: 'openapi-3.1',
  title: '',
  version: '',
  schemas: new Map(),
  operations: [],
  webhooks: [],
  securitySchemes: new Map(),
  servers: [],
  tags: [],
  extensions: {},
  extensionNames: [],
  files: [],
  diagnostics: [],
};
