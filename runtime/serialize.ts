/** Percent-encodes a text: fully, in part or not at all. */
export type Encode = (text: string) => string;

/** Writes one parameter as zero or more `name=value` pieces. */
export type PairWriter = (name: string, value: unknown, encoder?: Encode) => string[];

/** Writes one parameter as text, in a path or a header. */
export type TextWriter = (name: string, value: unknown, encoder?: Encode) => string;

/** Writers by member name, for members that are not written in the default way. */
export type Writers<Writer> = Readonly<Record<string, Writer>>;

/** Encodes everything but the unreserved characters of RFC 3986. */
export function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

type Single = string | number | bigint | boolean;

/** A value as text; objects and lists as JSON. */
export function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : `${value as Single}`;
}

/** The members of an object, without those that are `undefined` or `null`. */
export function members(value: unknown): [string, unknown][] {
  return Object.entries(value ?? {}).filter(([, member]) => member != null);
}

/** The items of a list, without those that are `undefined` or `null`. */
export function items(value: readonly unknown[]): unknown[] {
  return value.filter((item) => item != null);
}

/** The encoded parts of a value: its items, its names and values in turn, or the value itself. */
export function parts(value: unknown, encoder: Encode): string[] {
  const flat = Array.isArray(value) ? items(value) : typeof value === 'object' ? members(value).flat() : [value];
  return flat.map((part) => encoder(toText(part)));
}

/** The writer of a member, if there is one. */
export function ownWriter<Writer>(writers: Writers<Writer> | undefined, name: string): Writer | undefined {
  return writers && Object.hasOwn(writers, name) ? writers[name] : undefined;
}

/** Query and cookie style `form` with `explode`: `color=blue&color=black`, `R=100&G=200`. */
export const writeForm: PairWriter = (name, value, encoder = encode) => {
  const pairs: [string, unknown][] = Array.isArray(value)
    ? items(value).map((item) => [name, item])
    : typeof value === 'object'
      ? members(value)
      : [[name, value]];
  return pairs.map(([key, member]) => `${encode(key)}=${encoder(toText(member))}`);
};

/** Path and header style `simple`: `blue,black`, `R,100,G,200`. */
export const writeSimple: TextWriter = (_name, value, encoder = encode) =>
  typeof value === 'object' ? parts(value, encoder).join(',') : encoder(toText(value));

/** Writes all members, each with its own writer or as an exploded form. */
export function writePairs(values: unknown, writers?: Writers<PairWriter>): string[] {
  return members(values).flatMap(([name, value]) => (ownWriter(writers, name) ?? writeForm)(name, value));
}

function writeDelimited(delimiter: string): PairWriter {
  return (name, value, encoder = encode) => {
    const texts = parts(value, encoder);
    return texts.length === 0 ? [] : [`${encode(name)}=${texts.join(delimiter)}`];
  };
}

/** Style `form` without `explode`: `color=blue,black`, `color=R,100,G,200`. */
export const writeFormJoined: PairWriter = /* @__PURE__ */ writeDelimited(',');

/** Style `spaceDelimited` without `explode`: `color=blue%20black`. */
export const writeSpaceDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%20');

/** Style `pipeDelimited` without `explode`: `color=blue%7Cblack`. */
export const writePipeDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%7C');

/** OpenAPI 2.0 `collectionFormat: tsv`: `color=blue%09black`. */
export const writeTabDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%09');

/**
 * Style `deepObject`: `color[R]=100&color[G]=200`. OpenAPI does not define nested objects and lists; they are
 * written as most servers read them: `filter[size][min]=1`, `expand[0]=owner`.
 */
export const writeDeepObject: PairWriter = (name, value, encoder = encode) => {
  if (typeof value !== 'object') return [`${encode(name)}=${encoder(toText(value))}`];
  const pairs = Array.isArray(value) ? items(value).map((item, index) => [index, item] as const) : members(value);
  return pairs.flatMap(([key, member]) => writeDeepObject(`${name}[${key}]`, member, encoder));
};

/** A query or cookie parameter that is sent as a JSON document. */
export const writeJsonPair: PairWriter = (name, value, encoder = encode) => [
  `${encode(name)}=${encoder(JSON.stringify(value))}`,
];

/** A whole query that is a JSON document. */
export const writeJsonQuery: PairWriter = (_name, value) => [encode(JSON.stringify(value))];

/** A whole query that is a text. */
export const writeTextQuery: PairWriter = (_name, value) => [encode(toText(value))];

/** A cookie of style `cookie`: `name=value`, not encoded. An object becomes one cookie per member. */
export const writeCookie: PairWriter = (name, value) => {
  const pairs: [string, unknown][] = Array.isArray(value)
    ? items(value).map((item) => [name, item])
    : typeof value === 'object'
      ? members(value)
      : [[name, value]];
  return pairs.map(([key, member]) => cookiePair(key, toText(member)));
};

/** Style `cookie` without `explode`: `color=blue,black`. */
export const writeCookieJoined: PairWriter = (name, value) => [cookiePair(name, parts(value, String).join(','))];

/** Nothing is percent-encoded, so a name or a value that would end the cookie cannot be sent. */
function cookiePair(name: string, text: string): string {
  if (/[;=\s\p{Cc}]/u.test(name))
    throw new TypeError('The name of a cookie contains a semicolon, a space, a control character or "=".');
  if (/[;\p{Cc}]/u.test(text)) throw new TypeError(`The cookie ${name} contains a semicolon or a control character.`);
  return `${name}=${text}`;
}

/** A path or header parameter that is sent as a JSON document. */
export const writeJsonText: TextWriter = (_name, value, encoder = encode) => encoder(JSON.stringify(value));

function pairs(value: unknown, encoder: Encode): string[] {
  return members(value).map(([name, member]) => `${encoder(name)}=${encoder(toText(member))}`);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Style `simple` with `explode`: `R=100,G=200`. */
export const writeSimpleExploded: TextWriter = (_name, value, encoder = encode) =>
  (isRecord(value) ? pairs(value, encoder) : parts(value, encoder)).join(',');

/** Style `label`: `.blue,black`, `.R,100,G,200`. */
export const writeLabel: TextWriter = (_name, value, encoder = encode) => `.${parts(value, encoder).join(',')}`;

/** Style `label` with `explode`: `.blue.black`, `.R=100.G=200`. */
export const writeLabelExploded: TextWriter = (_name, value, encoder = encode) =>
  `.${(isRecord(value) ? pairs(value, encoder) : parts(value, encoder)).join('.')}`;

/** Style `matrix`: `;color=blue,black`, `;color=R,100,G,200`. */
export const writeMatrix: TextWriter = (name, value, encoder = encode) =>
  matrixPair(encode(name), parts(value, encoder).join(','));

/** Style `matrix` with `explode`: `;color=blue;color=black`, `;R=100;G=200`. */
export const writeMatrixExploded: TextWriter = (name, value, encoder = encode) => {
  const named: [string, unknown][] = Array.isArray(value)
    ? items(value).map((item) => [name, item])
    : isRecord(value)
      ? members(value)
      : [[name, value]];
  return named.map(([key, member]) => matrixPair(encode(key), encoder(toText(member)))).join('');
};

/** An empty value has no `=` (RFC 6570, section 3.2.7). */
function matrixPair(name: string, text: string): string {
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

/**
 * Encodes the value of a query parameter with `allowReserved`: keeps reserved characters and percent-encoded triples,
 * except those that a query cannot contain (`[`, `]`, `#`) or that would end or change the value (`&`, `+`).
 */
export function encodeReserved(text: string): string {
  return encodeURI(text)
    .replace(/[#&+[\]]/g, encodeURIComponent)
    .replace(/%25([0-9a-f]{2})/gi, '%$1');
}

/** Like {@link encodeReserved}, in a cookie, which `;` would end. */
export function encodeReservedInCookie(text: string): string {
  return encodeReserved(text).replace(/[;,]/g, encodeURIComponent);
}

/** Like {@link encodeReserved}, in a path, which `?` would end. */
export function encodeReservedInPath(text: string): string {
  return encodeReserved(text).replace(/\?/g, '%3F');
}

/** Headers that are being written, by names in lower case. `fetch` copies a plain object faster than `Headers` or a map. */
export type HeaderTarget = Record<string, string>;

/**
 * Sets a header. Errors do not contain the value, because it may be a secret.
 *
 * @throws TypeError if the value contains a line break or another character that is not allowed in a header.
 */
export function setHeader(headers: HeaderTarget, name: string, value: string): void {
  // `__proto__` is not a member of an object.
  if (name === '__proto__' || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new TypeError(`The header ${name} cannot be sent.`);
  headers[name.toLowerCase()] = value;
}

/** Adds a random idempotency key to the headers of a call, unless the caller sets one. */
export function addIdempotencyKey<Values extends { readonly headers?: object | undefined; readonly body?: unknown }>(
  request: Values | undefined,
  name: string,
): Values {
  const isGiven = members(request?.headers).some(([given]) => given.toLowerCase() === name.toLowerCase());
  if (isGiven) return request as Values;
  return { ...request, headers: { ...request?.headers, [name]: crypto.randomUUID() } } as unknown as Values;
}

/** Adds cookies to a request. Browsers ignore this and send the cookies of the page. */
export function addCookies(headers: HeaderTarget, values: unknown, writers?: Writers<PairWriter>): void {
  const cookies = [...(headers['cookie']?.split('; ') ?? []), ...writePairs(values, writers)];
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
}

/** The encoded body, and its content type unless the platform sets it. */
export type BodyWriter = (body: unknown, mediaType: string) => readonly [BodyInit, string?];

/** A JSON body. */
export const writeJson: BodyWriter = (body, mediaType) => [JSON.stringify(body), mediaType];

/** A body of type `application/x-www-form-urlencoded`. */
export function writeFormBody(body: unknown, mediaType: string, writers?: Writers<PairWriter>): ReturnType<BodyWriter> {
  return [writePairs(body, writers).join('&'), mediaType];
}

/** Writes a part of a multipart body, and returns its content type. */
type PartWriter = (value: unknown) => ReturnType<BodyWriter>;

/**
 * A multipart body (RFC 7578). Files, blobs and bytes become file parts, objects JSON parts, everything else text
 * parts; each item of a list becomes a part. `FormData` is sent unchanged, but not used to build the body, because it
 * cannot set the content type of a part that is not a file.
 *
 * @param types - Content types of parts by name, if the API description has them; a writer for a part that is itself a
 *   form.
 */
export function writeMultipart(
  body: unknown,
  mediaType: string,
  types: Readonly<Record<string, string | PartWriter>> = {},
): ReturnType<BodyWriter> {
  if (body instanceof FormData) return [body];
  const boundary = `----part${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  const content: BlobPart[] = members(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((item) => [
      `--${boundary}\r\n`,
      ...writePart(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
      '\r\n',
    ]),
  );
  return [new Blob([...content, `--${boundary}--\r\n`]), `${mediaType}; boundary=${boundary}`];
}

function writePart(name: string, value: unknown, described: string | PartWriter | undefined): BlobPart[] {
  const disposition = `Content-Disposition: form-data; name="${escapeQuotes(name)}"`;
  if (typeof described === 'function' && typeof value === 'object' && !(value instanceof Blob)) {
    const [content, type = ''] = described(value);
    return [`${disposition}\r\nContent-Type: ${type}\r\n\r\n`, content as BlobPart];
  }
  const documented = typeof described === 'function' ? undefined : described;
  if (value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const fileName = value instanceof File ? value.name : 'blob';
    const type = (value instanceof Blob && value.type) || documented || 'application/octet-stream';
    return [`${disposition}; filename="${escapeQuotes(fileName)}"\r\nContent-Type: ${type}\r\n\r\n`, value as BlobPart];
  }
  const type = documented ?? (typeof value === 'object' ? 'application/json' : undefined);
  const json = typeof value === 'object' || (type !== undefined && /[/+]json\b/.test(type));
  return [
    `${disposition}${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n${json ? JSON.stringify(value) : toText(value)}`,
  ];
}

/** Escapes as the HTML standard does for names and file names. */
function escapeQuotes(text: string): string {
  return text.replace(/["\r\n]/g, encodeURIComponent);
}

/** A body of text. */
export const writeText: BodyWriter = (body, mediaType) => {
  if (typeof body === 'object') throw new TypeError(`A body of type ${mediaType} must be a string.`);
  return [toText(body), mediaType];
};

/** Streams the values of an iterable, requesting each only when it can be sent. */
function toStream(values: AsyncIterable<unknown>): ReadableStream {
  const iterator = values[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function isIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !('getReader' in body);
}

/**
 * A body of bytes: Blob, ArrayBuffer, typed array, stream, iterable of bytes or texts, or text. For a range such as
 * `image/*`, the type of the Blob is sent.
 */
export const writeBinary: BodyWriter = (body, mediaType) => {
  const range = mediaType.includes('*');
  const own = body instanceof Blob && body.type !== '' ? body.type : 'application/octet-stream';
  return [isIterable(body) ? toStream(body) : (body as BodyInit), range ? own : mediaType];
};

/** The parts of a request that credentials are added to. */
export interface RequestTarget {
  readonly headers: HeaderTarget;
  /** `name=value`, encoded. */
  readonly query: string[];
  redirect?: RequestRedirect;
}

export type CredentialWriter<Credential> = (credential: Credential, target: RequestTarget) => void;

/** Why a credential is requested: before each call, or because the server refused the last one with status 401. */
export interface CredentialRequest {
  readonly reason: 'call' | 'unauthorized';
}

/** A function that returns a credential. */
export type CredentialSource<Value> = (request: CredentialRequest) => Value | Promise<Value>;

/**
 * A credential, or a function that returns it. The function is called before every call, so it can renew a credential that
 * expired; a client calls it once more if the server responds with 401.
 */
export type Credential<Value> = Value | CredentialSource<Value>;

/** A key or a token. */
export type Secret = string;

/** A user name and a password for HTTP Basic authentication (RFC 7617). */
export interface BasicCredentials {
  /** Without a colon. */
  readonly username: string;
  readonly password: string;
}

/** An API key and its secret. With `account`, the key of a master account acts on that sub account. */
export interface SubAccountCredentials {
  /** Without a colon. */
  readonly key: string;
  readonly secret: string;
  /** Id or external id of the sub account. */
  readonly account?: string | undefined;
}

/** Sends `Authorization: Basic ...`, in UTF-8. */
export const writeBasic: CredentialWriter<BasicCredentials> = ({ username, password }, target) => {
  if (username.includes(':')) throw new TypeError('A user name for Basic authentication cannot contain a colon.');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  setHeader(target.headers, 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
};

/** Sends `Authorization: Basic ...` with the user name `KEY`, or `KEY\\ACCOUNT` with two backslashes. */
export const writeSubAccount: CredentialWriter<SubAccountCredentials> = ({ key, secret, account }, target) =>
  writeBasic({ username: account === undefined ? key : `${key}\\\\${account}`, password: secret }, target);

/** Sends `Authorization: <scheme> <token>`. */
export function writeAuthorization(scheme: string): CredentialWriter<Secret> {
  return (secret, target) => setHeader(target.headers, 'authorization', `${scheme} ${secret}`);
}

/** Sends `Authorization: Bearer <token>` (RFC 6750). */
export const writeBearer: CredentialWriter<Secret> = /* @__PURE__ */ writeAuthorization('Bearer');

/**
 * Sends an API key in its own header. Such a request does not follow redirects: `fetch` would send the header to the new
 * server, because it removes only `Authorization` and cookies.
 */
export function writeKeyHeader(name: string): CredentialWriter<Secret> {
  return (secret, target) => {
    setHeader(target.headers, name, secret);
    if (name.toLowerCase() !== 'authorization') target.redirect = 'manual';
  };
}

/** Sends an API key in the query. */
export function writeKeyQuery(name: string): CredentialWriter<Secret> {
  return (secret, target) => {
    target.query.push(`${encode(name)}=${encode(secret)}`);
  };
}

/** Sends an API key as a cookie. */
export function writeKeyCookie(name: string): CredentialWriter<Secret> {
  return (secret, target) => addCookies(target.headers, { [name]: secret });
}
