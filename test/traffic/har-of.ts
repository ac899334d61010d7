/** A call of a recording that a test writes. */
export interface TestCall {
  readonly method?: string;
  /** Path and query, or a URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly response?: unknown;
  readonly at?: string;
}

/** Writes calls as a HAR file. Bodies that are no text are JSON. */
export function harOf(calls: readonly TestCall[]): string {
  return JSON.stringify({ log: { version: '1.2', entries: calls.map(entryOf) } });
}

function entryOf({
  method = 'GET',
  path,
  headers = {},
  body,
  status = 200,
  responseHeaders,
  response,
  at,
}: TestCall): object {
  const sent = body === undefined ? headers : { 'Content-Type': typeOf(body), ...headers };
  const returned = response === undefined ? {} : { 'Content-Type': typeOf(response) };
  return {
    startedDateTime: at ?? '2026-01-01T00:00:00.000Z',
    request: {
      method,
      url: path.startsWith('/') ? `https://api.example.com${path}` : path,
      headers: listOf(sent),
      ...(body === undefined ? {} : { postData: { mimeType: typeOf(body), text: textOf(body) } }),
    },
    response: {
      status,
      headers: listOf({ ...returned, ...responseHeaders }),
      content: response === undefined ? {} : { mimeType: typeOf(response), text: textOf(response) },
    },
  };
}

function listOf(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function typeOf(body: unknown): string {
  return typeof body === 'string' ? 'text/plain' : 'application/json';
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
