import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'range-end-exclusive': 'bytes=0-3 sends three bytes',
  'range-suffix': 'bytes=-3 sends the first three bytes',
  'range-open-end': 'bytes=2- sends all bytes as 206',
  'range-total': 'Content-Range has a wrong total',
  'range-200': 'A range is sent with 200',
  'range-behind-end': 'A range behind the end is 206 without bytes',
  'range-416-header': '416 has no Content-Range',
  'content-never-304': 'If-None-Match does nothing on the content',
  'content-always-304': 'The content is 304 also after a change',
  'content-lost-update': 'If-Match does nothing when content is stored',
  'content-create-only': 'If-None-Match: * overwrites content',
  'content-etag-frozen': 'The ETag of the content stays',
  'content-garbled': 'Content is stored as text',
  'content-empty-refused': 'Empty content is refused',
  'content-stays': 'The content of a deleted file can still be read',
  'content-of-unknown': 'The content of an unknown file is empty',
  'content-truncated': 'Only the first 16 bytes of content are stored',
  'head-length': 'HEAD has another Content-Length than GET',
  'head-404': 'HEAD of content is 404',
  'digest-base64url': 'Repr-Digest is that of the name',
  'size-of-text': 'size counts characters of the content',
  'size-stays': 'size stays 0',
  'sha-old': 'sha256 is that of the content before',
  'file-never-304': 'If-None-Match does nothing on files',
  'file-lost-update': 'If-Match does nothing when a file is changed',
  'file-delete-unconditional': 'If-Match does nothing when a file is deleted',
  'file-etag-random': 'The ETag of a file is another one each time',
  'policy-lost-update': 'If-Match does nothing for the policy',
  'policy-always-304': 'The policy is 304 also after a change',
  'policy-first-allowed': 'Only the first allowed kind is stored',
  'location-relative': 'Location leads to /file instead of /files',
  'duplicate-500': 'A second file of the same name fails with 500',
  'duplicate-accepted': 'A second file of the same name is accepted',
  'name-taken-forever': 'The name of a deleted file stays taken',
  'name-emoji': 'The length of a name counts UTF-16 units',
  'name-percent': 'A percent sign in a name fails with 500',
  'prefix-regexp': 'prefix is a regular expression',
  'prefix-anywhere': 'prefix finds the text anywhere',
  'prefix-ignored': 'prefix does nothing',
  'total-of-page': 'X-Total-Count counts the page',
  'offset-ignored': 'offset does nothing',
  'limit-unbounded': 'limit=101 is accepted',
  'note-null-kept': 'note: null keeps the note',
  'tags-merged': 'PATCH adds tags to the old ones',
  'tags-pattern': 'Tags of any form are accepted',
  'versions-oldest-first': 'The oldest version comes first',
  'versions-of-all': 'The versions are those of all files',
  'share-stays': 'A deleted link still works',
  'share-first': 'Each link leads to the first file',
  'share-default': 'A link without maxDownloads has 100',
  'shares-of-all': 'The links are those of all files',
  'share-of-other': 'A link can be deleted below another file',
  'label-unbounded': 'Labels of any length are accepted',
  'problem-json': 'Problems are application/json',
  'created-at-number': 'createdAt is a number in the list',
} as const;

type Bug = keyof typeof BUGS;

interface StoredFile {
  readonly id: string;
  name: string;
  note: string | null;
  tags: string[];
  bytes: Buffer;
  before: Buffer;
  readonly createdAt: string;
  revision: number;
  contentRevision: number;
  versions: { readonly number: number; readonly size: number; readonly storedAt: string }[];
  isDeleted: boolean;
}

interface Share {
  readonly token: string;
  readonly file: StoredFile;
  readonly label: string;
  readonly maxDownloads: number;
  isDeleted: boolean;
}

interface Call {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly ids: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Buffer;
}

class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, title: string, headers: Readonly<Record<string, string>> = {}) {
    super(title);
    this.status = status;
    this.headers = headers;
  }
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function matches(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

class Depot {
  readonly #files = new Map<string, StoredFile>();
  readonly #shares = new Map<string, Share>();
  readonly #bug: string | undefined;
  #policy = { maxVersions: 10, allowed: ['text', 'image'] };
  #policyRevision = 1;

  constructor(bug: string | undefined) {
    this.#bug = bug;
  }

  #has(bug: Bug): boolean {
    return this.#bug === bug;
  }

  readonly #routes: readonly (readonly [RegExp, Readonly<Record<string, (call: Call) => Reply>>])[] = [
    [/^\/files$/, { GET: (call) => this.#list(call), POST: (call) => this.#create(call) }],
    [
      /^\/files\/([^/]+)$/,
      { GET: (call) => this.#get(call), PATCH: (call) => this.#update(call), DELETE: (call) => this.#delete(call) },
    ],
    [/^\/files\/([^/]+)\/content$/, { GET: (call) => this.#download(call), PUT: (call) => this.#upload(call) }],
    [/^\/files\/([^/]+)\/versions$/, { GET: (call) => this.#versions(call) }],
    [/^\/files\/([^/]+)\/shares$/, { GET: (call) => this.#listShares(call), POST: (call) => this.#share(call) }],
    [/^\/files\/([^/]+)\/shares\/([^/]+)$/, { DELETE: (call) => this.#unshare(call) }],
    [/^\/shared\/([^/]+)$/, { GET: (call) => this.#shared(call) }],
    [/^\/policy$/, { GET: (call) => this.#getPolicy(call), PUT: (call) => this.#setPolicy(call) }],
  ];

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    let reply: Reply;
    try {
      reply = this.#route(request, bytes);
    } catch (error) {
      const { status, headers } = error instanceof Problem ? error : { status: 500, headers: {} };
      const type = this.#has('problem-json') ? 'application/json' : 'application/problem+json';
      const title = error instanceof Problem ? error.message : 'Failed';
      const body = Buffer.from(JSON.stringify({ title, status }));
      reply =
        status === 416 ? { status, headers } : { status, headers: { ...headers, 'content-type': type }, bytes: body };
    }
    const json = reply.json === undefined ? undefined : Buffer.from(JSON.stringify(reply.json));
    const sent = reply.bytes ?? json;
    const hasBody = ![204, 304].includes(reply.status);
    const isLong = request.method === 'HEAD' && this.#has('head-length') && request.url?.endsWith('/content') === true;
    response.writeHead(reply.status, {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(hasBody ? { 'content-length': String((sent?.length ?? 0) + (isLong ? 2 : 0)) } : {}),
      ...reply.headers,
    });
    response.end(request.method === 'HEAD' || !hasBody ? undefined : sent);
  }

  #route(request: IncomingMessage, bytes: Buffer): Reply {
    const url = new URL(request.url ?? '/', 'http://depot.example');
    const found = this.#routes.find(([pattern]) => pattern.test(url.pathname));
    if (found === undefined) throw new Problem(404, 'There is no such path.');
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const handler = found[1][method];
    if (handler === undefined)
      throw new Problem(405, 'The method is not allowed.', { allow: [...Object.keys(found[1]), 'HEAD'].join(', ') });
    if (request.method === 'HEAD' && url.pathname.endsWith('/content') && this.#has('head-404'))
      throw new Problem(404, 'There is no such path.');
    const ids = found[0].exec(url.pathname)?.slice(1) ?? [];
    return handler({ method, query: url.searchParams, headers: request.headers, bytes, ids });
  }

  #find({ ids: [id = ''] }: Call): StoredFile {
    if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) throw new Problem(404, 'There is no such file.');
    const file = this.#files.get(id.toLowerCase());
    if (file === undefined || file.isDeleted) throw new Problem(404, 'There is no such file.');
    return file;
  }

  #integer({ query }: Call, name: string, [min, max, initial]: readonly [number, number, number]): number {
    const text = query.get(name);
    if (text === null) return initial;
    if (!/^-?\d+$/.test(text) || Number(text) < min || Number(text) > max)
      throw new Problem(400, `${name} must be a number from ${min} to ${max}.`);
    return Number(text);
  }

  #json(call: Call, type: string): Record<string, unknown> {
    const sent = (call.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    if (sent !== type) throw new Problem(415, `Send ${type}.`);
    let value: unknown;
    try {
      value = JSON.parse(call.bytes.toString());
    } catch {
      throw new Problem(400, 'The body is not JSON.');
    }
    if (!isObject(value)) throw new Problem(400, 'The body must be an object.');
    return value;
  }

  #text(value: unknown, name: string, max: number): string {
    if (typeof value !== 'string') throw new Problem(400, `${name} must be a text.`);
    const length = name === 'name' && this.#has('name-emoji') ? value.length : [...value].length;
    const isFree = name === 'label' && this.#has('label-unbounded');
    if (length < 1 || (length > max && !isFree)) throw new Problem(400, `${name} must have 1 to ${max} characters.`);
    return value;
  }

  #members(input: Record<string, unknown>): Partial<Pick<StoredFile, 'name' | 'note' | 'tags'>> {
    const members: Partial<Pick<StoredFile, 'name' | 'note' | 'tags'>> = {};
    if (input['name'] !== undefined) {
      members.name = this.#text(input['name'], 'name', 60);
      if (/[/\u0000]/.test(members.name)) throw new Problem(400, 'name must have no slash and no NUL.');
      if (this.#has('name-percent')) decodeURIComponent(members.name);
    }
    if (input['note'] !== undefined) {
      const { note } = input;
      if (note !== null && (typeof note !== 'string' || [...note].length > 100))
        throw new Problem(400, 'note must be a text of at most 100 characters, or null.');
      members.note = note;
    }
    if (input['tags'] !== undefined) {
      const { tags } = input;
      const isTag = (tag: unknown): tag is string =>
        typeof tag === 'string' && (this.#has('tags-pattern') || /^[a-z]{1,12}$/.test(tag));
      if (!Array.isArray(tags) || tags.length > 3 || !tags.every(isTag))
        throw new Problem(400, 'tags must be at most three words.');
      members.tags = tags;
    }
    return members;
  }

  #checkName(name: string, self?: StoredFile): void {
    const taken = [...this.#files.values()].some(
      (file) => file !== self && file.name === name && (!file.isDeleted || this.#has('name-taken-forever')),
    );
    if (!taken || this.#has('duplicate-accepted')) return;
    if (this.#has('duplicate-500')) throw new Error('duplicate key');
    throw new Problem(409, 'There is a file of this name.');
  }

  #show(file: StoredFile): Record<string, unknown> {
    const { id, name, note, tags, bytes, before, createdAt } = file;
    return {
      id,
      name,
      note,
      tags,
      size: this.#has('size-stays') ? 0 : this.#has('size-of-text') ? bytes.toString().length : bytes.length,
      sha256: sha256(this.#has('sha-old') ? before : bytes).toString('hex'),
      createdAt,
    };
  }

  #tag(file: StoredFile): string {
    return `"f${this.#has('file-etag-random') ? randomUUID() : file.revision}"`;
  }

  #contentTag({ contentRevision }: StoredFile): string {
    return `"c${this.#has('content-etag-frozen') ? 0 : contentRevision}"`;
  }

  #checkCondition({ headers }: Call, tag: string, bug: Bug): void {
    const expected = headers['if-match'];
    if (expected !== undefined && !matches(expected, tag) && !this.#has(bug))
      throw new Problem(412, 'It has changed in the meantime.');
  }

  #list(call: Call): Reply {
    const prefix = call.query.get('prefix') ?? '';
    if ([...prefix].length > 40) throw new Problem(400, 'prefix must have at most 40 characters.');
    const offset = this.#integer(call, 'offset', [0, Number.MAX_SAFE_INTEGER, 0]);
    const limit = this.#integer(call, 'limit', [1, this.#has('limit-unbounded') ? 1e6 : 100, 25]);
    const pattern = this.#has('prefix-regexp') ? new RegExp(`^${prefix}`) : undefined;
    const all = [...this.#files.values()].filter(
      ({ isDeleted, name }) =>
        !isDeleted &&
        (this.#has('prefix-ignored') ||
          (this.#has('prefix-anywhere') ? name.includes(prefix) : (pattern?.test(name) ?? name.startsWith(prefix)))),
    );
    const start = this.#has('offset-ignored') ? 0 : offset;
    const page = all.slice(start, start + limit).map((file) => this.#show(file));
    return {
      status: 200,
      headers: { 'x-total-count': String(this.#has('total-of-page') ? page.length : all.length) },
      json: this.#has('created-at-number')
        ? page.map((file) => ({ ...file, createdAt: Date.parse(String(file['createdAt'])) }))
        : page,
    };
  }

  #create(call: Call): Reply {
    const { name, note = null, tags = [] } = this.#members(this.#json(call, 'application/json'));
    if (name === undefined) throw new Problem(400, 'name is missing.');
    this.#checkName(name);
    const file: StoredFile = {
      id: randomUUID(),
      name,
      note,
      tags,
      bytes: Buffer.alloc(0),
      before: Buffer.alloc(0),
      createdAt: new Date().toISOString(),
      revision: 1,
      contentRevision: 1,
      versions: [],
      isDeleted: false,
    };
    this.#files.set(file.id, file);
    const location = `/${this.#has('location-relative') ? 'file' : 'files'}/${file.id}`;
    return { status: 201, headers: { location, etag: this.#tag(file) }, json: this.#show(file) };
  }

  #get(call: Call): Reply {
    const file = this.#find(call);
    const etag = this.#tag(file);
    const known = call.headers['if-none-match'];
    if (known !== undefined && matches(known, etag) && !this.#has('file-never-304'))
      return { status: 304, headers: { etag } };
    return { status: 200, headers: { etag }, json: this.#show(file) };
  }

  #update(call: Call): Reply {
    const file = this.#find(call);
    const input = this.#json(call, 'application/merge-patch+json');
    if (Object.keys(input).length === 0) throw new Problem(400, 'Change something.');
    const members = this.#members(input);
    this.#checkCondition(call, this.#tag(file), 'file-lost-update');
    if (members.name !== undefined) this.#checkName(members.name, file);
    if (members.note === null && this.#has('note-null-kept')) delete members.note;
    if (members.tags !== undefined && this.#has('tags-merged'))
      members.tags = [...new Set([...file.tags, ...members.tags])];
    Object.assign(file, members);
    file.revision += 1;
    return { status: 200, headers: { etag: this.#tag(file) }, json: this.#show(file) };
  }

  #delete(call: Call): Reply {
    const file = this.#find(call);
    this.#checkCondition(call, this.#tag(file), 'file-delete-unconditional');
    file.isDeleted = true;
    for (const share of this.#shares.values()) if (share.file === file) share.isDeleted = true;
    return { status: 204 };
  }

  #download(call: Call): Reply {
    const known = this.#files.get(call.ids[0] ?? '');
    if (known === undefined && this.#has('content-of-unknown'))
      return {
        status: 200,
        headers: { etag: '"c0"', 'accept-ranges': 'bytes', 'repr-digest': 'sha-256=::' },
        bytes: Buffer.alloc(0),
      };
    const file = known?.isDeleted === true && this.#has('content-stays') ? known : this.#find(call);
    const { bytes } = file;
    const etag = this.#contentTag(file);
    const condition = call.headers['if-none-match'];
    const isFresh = condition !== undefined && (matches(condition, etag) || this.#has('content-always-304'));
    if (isFresh && !this.#has('content-never-304')) return { status: 304, headers: { etag } };
    const headers = {
      etag,
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${sha256(this.#has('digest-base64url') ? file.name : bytes).toString('base64')}:`,
      'content-type': 'application/octet-stream',
    };
    const range = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range ?? '');
    if (range === null || (range[1] === '' && range[2] === '')) return { status: 200, headers, bytes };
    return this.#sendRange(bytes, [range[1] ?? '', range[2] ?? ''], headers);
  }

  #sendRange(bytes: Buffer, [from, to]: readonly [string, string], headers: Readonly<Record<string, string>>): Reply {
    const { length } = bytes;
    const isSuffix = from === '';
    let start = isSuffix ? Math.max(0, length - Number(to)) : Number(from);
    let end = isSuffix || to === '' ? length : Math.min(length, Number(to) + 1);
    if (isSuffix && this.#has('range-suffix')) [start, end] = [0, Math.min(length, Number(to))];
    if (!isSuffix && to === '' && this.#has('range-open-end')) start = 0;
    if (to !== '' && !isSuffix && this.#has('range-end-exclusive')) end -= 1;
    if (start >= length || (end <= start && !this.#has('range-end-exclusive'))) {
      if (this.#has('range-behind-end'))
        return {
          status: 206,
          headers: { ...headers, 'content-range': `bytes ${start}-${start}/${length}` },
          bytes: Buffer.alloc(0),
        };
      throw new Problem(
        416,
        'Behind the end.',
        this.#has('range-416-header') ? {} : { 'content-range': `bytes */${length}` },
      );
    }
    const total = this.#has('range-total') ? end - start : length;
    const part = bytes.subarray(start, end);
    if (this.#has('range-200')) return { status: 200, headers, bytes: part };
    return { status: 206, headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${total}` }, bytes: part };
  }

  #upload(call: Call): Reply {
    const file = this.#find(call);
    const type = (call.headers['content-type'] ?? '').split(';')[0]?.trim();
    if (type !== 'application/octet-stream') throw new Problem(415, 'Send application/octet-stream.');
    const { bytes } = call;
    if (bytes.length === 0 && this.#has('content-empty-refused')) throw new Problem(400, 'There is no content.');
    this.#checkCondition(call, this.#contentTag(file), 'content-lost-update');
    const none = call.headers['if-none-match'];
    if (none !== undefined && matches(none, this.#contentTag(file)) && !this.#has('content-create-only'))
      throw new Problem(412, 'There is content already.');
    file.before = file.bytes;
    file.bytes = this.#has('content-garbled')
      ? Buffer.from(bytes.toString('utf8'))
      : this.#has('content-truncated')
        ? bytes.subarray(0, 16)
        : bytes;
    file.contentRevision += 1;
    file.revision += 1;
    file.versions.push({ number: file.versions.length + 1, size: bytes.length, storedAt: new Date().toISOString() });
    return { status: 204, headers: { etag: this.#contentTag(file) } };
  }

  #versions(call: Call): Reply {
    const file = this.#find(call);
    const all = this.#has('versions-of-all')
      ? [...this.#files.values()].flatMap(({ versions }) => versions)
      : file.versions;
    return { status: 200, json: this.#has('versions-oldest-first') ? all : all.toReversed() };
  }

  #showShare({ token, label, maxDownloads }: Share): Record<string, unknown> {
    return { token, url: `/shared/${token}`, label, maxDownloads };
  }

  #listShares(call: Call): Reply {
    const file = this.#find(call);
    const all = [...this.#shares.values()].filter(
      (share) => !share.isDeleted && (share.file === file || this.#has('shares-of-all')),
    );
    return { status: 200, json: all.map((share) => this.#showShare(share)) };
  }

  #share(call: Call): Reply {
    const file = this.#find(call);
    const input = this.#json(call, 'application/json');
    const label = this.#text(input['label'], 'label', 30);
    const { maxDownloads = this.#has('share-default') ? 100 : 10 } = input;
    if (typeof maxDownloads !== 'number' || !Number.isInteger(maxDownloads) || maxDownloads < 1 || maxDownloads > 1000)
      throw new Problem(400, 'maxDownloads must be a number from 1 to 1000.');
    const share: Share = { token: randomBytes(12).toString('hex'), file, label, maxDownloads, isDeleted: false };
    this.#shares.set(share.token, share);
    return { status: 201, json: this.#showShare(share) };
  }

  #unshare(call: Call): Reply {
    const file = this.#find(call);
    const share = this.#shares.get(call.ids[1] ?? '');
    if (share === undefined || share.isDeleted || (share.file !== file && !this.#has('share-of-other')))
      throw new Problem(404, 'There is no such link.');
    share.isDeleted = !this.#has('share-stays');
    return { status: 204 };
  }

  #shared(call: Call): Reply {
    const share = this.#shares.get(call.ids[0] ?? '');
    if (share === undefined || share.isDeleted) throw new Problem(404, 'There is no such link.');
    const first = this.#files.values().next().value;
    return { status: 200, json: this.#show(this.#has('share-first') && first !== undefined ? first : share.file) };
  }

  #policyTag(): string {
    return `"p${this.#policyRevision}"`;
  }

  #getPolicy(call: Call): Reply {
    const known = call.headers['if-none-match'];
    const etag = this.#policyTag();
    if (known !== undefined && (matches(known, etag) || this.#has('policy-always-304')))
      return { status: 304, headers: { etag } };
    return { status: 200, headers: { etag }, json: this.#policy };
  }

  #setPolicy(call: Call): Reply {
    const { maxVersions, allowed } = this.#json(call, 'application/json');
    const kinds = ['text', 'image', 'video', 'archive', 'other'];
    if (typeof maxVersions !== 'number' || !Number.isInteger(maxVersions) || maxVersions < 1 || maxVersions > 50)
      throw new Problem(400, 'maxVersions must be a number from 1 to 50.');
    const isKind = (kind: unknown): kind is string => kinds.some((one) => one === kind);
    if (!Array.isArray(allowed) || allowed.length > 5 || !allowed.every(isKind))
      throw new Problem(400, 'allowed must be at most five kinds.');
    this.#checkCondition(call, this.#policyTag(), 'policy-lost-update');
    this.#policy = { maxVersions, allowed: this.#has('policy-first-allowed') ? allowed.slice(0, 1) : allowed };
    this.#policyRevision += 1;
    return { status: 200, headers: { etag: this.#policyTag() }, json: this.#policy };
  }
}

/** Files on node:http: contents with ranges, digests and preconditions, links that are shared, a policy with an ETag. */
export const depot: ForeignApi = {
  name: 'depot',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  start: (bug) => {
    const server = new Depot(bug);
    return listen(createServer((request, response) => void server.handle(request, response)));
  },
};
