export interface FetchOptions {
  /** Sent only to the origin of the address, not to redirects to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether a redirect may lead to another host. */
  readonly followsHosts: boolean;
  /** The entity tag of the known version; if it is still current, the result is `unchanged`. */
  readonly etag?: string | undefined;
  /** Milliseconds, if less than the limit of each document. */
  readonly timeLimit?: number | undefined;
}

/** The fetched document, or a clause that says why there is none. */
export type FetchResult =
  | { readonly kind: 'document'; readonly url: string; readonly bytes: Buffer; readonly etag: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly reason: string };

/** For the whole document including redirects, in milliseconds. */
const TIME_LIMIT = 30_000;

/** In bytes after decompression. The largest public OpenAPI documents have 40 MB. */
const SIZE_LIMIT = 64 * 1_024 * 1_024;

const REDIRECT_LIMIT = 5;

/**
 * Fetches a document: at most 5 redirects, 30 s and 64 MiB; gzip, deflate and brotli are decoded by the platform. The
 * caller decides which addresses are allowed.
 */
export async function fetchDocument(address: string, options: FetchOptions): Promise<FetchResult> {
  const timeLimit = Math.ceil(Math.min(TIME_LIMIT, options.timeLimit ?? TIME_LIMIT));
  const signal = AbortSignal.timeout(timeLimit);
  let url = address;
  try {
    for (let hops = 0; hops <= REDIRECT_LIMIT; hops += 1) {
      const response = await request(url, address, options, signal);
      if (response.status === 304) return { kind: 'unchanged' };
      const target = redirectTarget(response, url);
      if (target === undefined) return await readResponse(response, url);
      await response.body?.cancel();
      if (!options.followsHosts && target.host !== new URL(address).host)
        return failed(`its server redirects to another host, ${target.host}`);
      url = target.href;
    }
    return failed(`its server redirects more than ${REDIRECT_LIMIT} times`);
  } catch (error) {
    return failed(signal.aborted ? `its server took longer than ${timeLimit / 1_000} s` : explainFailure(error));
  }
}

async function request(
  url: string,
  first: string,
  { headers = {}, etag }: FetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const { origin, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`${protocol} addresses are not fetched`);
  const isFirstOrigin = origin === new URL(first).origin;
  return fetch(url, {
    redirect: 'manual',
    signal,
    headers: {
      accept:
        'application/vnd.oai.openapi+json, application/vnd.oai.openapi, application/json, application/yaml, */*;q=0.5',
      ...(isFirstOrigin ? headers : {}),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    },
  });
}

function redirectTarget({ status, headers }: Response, url: string): URL | undefined {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== null ? new URL(location, url) : undefined;
}

async function readResponse(response: Response, url: string): Promise<FetchResult> {
  if (!response.ok) {
    await response.body?.cancel();
    return failed(
      `its server responded ${response.status} ${response.statusText}`.trimEnd() + hintFor(response.status),
    );
  }
  const bytes = await readLimited(response);
  if (bytes === undefined) return failed(`it is larger than ${SIZE_LIMIT / 1_024 / 1_024} MiB`);
  if (isHtml(bytes)) return failed('its server responded with an HTML page; give the address of the document itself');
  const document = new URL(url);
  document.hash = '';
  return { kind: 'document', url: document.href, bytes, etag: response.headers.get('etag') ?? undefined };
}

function hintFor(status: number): string {
  return status === 401 || status === 403 ? "; send a credential with --header 'Name: value'" : '';
}

/** The whole body, or `undefined` if it exceeds the limit. */
async function readLimited({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body === null) return Buffer.alloc(0);
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > SIZE_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Looks at the text rather than the media type, because many servers send YAML as `text/html`. */
function isHtml(bytes: Buffer): boolean {
  // This also removes a byte order mark.
  const text = bytes.toString('utf8', 0, 1_000).trimStart();
  const start = text.startsWith('<!--') ? text.slice(text.indexOf('-->') + 3).trimStart() : text;
  return /^<(?:!doctype\s+html|html|head|body)\b/i.test(start);
}

function failed(reason: string): FetchResult {
  return { kind: 'failed', reason };
}

/** Explains a failed fetch by its cause, because the platform's message does not. */
function explainFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  if (TLS_CODE.test(code))
    return `the certificate of its server is not trusted (${message}); NODE_EXTRA_CA_CERTS=FILE names a certificate to trust`;
  return REASONS[code] ?? (message === '' ? code : message);
}

const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its server refuses connections',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of its host cannot be resolved',
  ECONNRESET: 'its server closed the connection',
  UND_ERR_SOCKET: 'its server closed the connection',
};
