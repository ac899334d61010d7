/** A server to be held against the table. */
export interface ServerUnderTest {
  /** Without a slash at the end. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Whether operations respond with the input that they were given, as ours do here. Plain Prism cannot. */
  readonly echoes: boolean;
  readonly close: () => Promise<void>;
}

/** Starts a server for an OpenAPI document. */
export type StartServer = (document: object) => Promise<ServerUnderTest>;

/** One row: a request to an API, and what a right server does. */
export interface ConformanceCase {
  /** What is broken in Prism, in a few words of docs/prism. */
  readonly group: string;
  readonly name: string;
  readonly document: object;
  readonly target: string;
  /** A function where the body can be read only once. */
  readonly init?: RequestInit | (() => RequestInit);
  readonly status: number | readonly number[];
  /** The members of the input that must have come through, where the server echoes. */
  readonly input?: unknown;
  /** More to be looked at; throws where it is wrong. */
  readonly check?: (response: Response, text: string, server: ServerUnderTest) => void | Promise<void>;
}

/** Runs one case. Gives what is wrong, in words. */
export async function runCase(
  server: ServerUnderTest,
  { target, init, status, input, check }: ConformanceCase,
): Promise<string | undefined> {
  const response = await server.fetch(server.url + target, {
    ...(typeof init === 'function' ? init() : init),
    signal: AbortSignal.timeout(5_000),
  });
  const text = await response.clone().text();
  const statuses = [status].flat();
  if (!statuses.includes(response.status))
    return `${response.status} instead of ${statuses.join(' or ')}: ${text.slice(0, 300)}`;
  if (input !== undefined && server.echoes) {
    const missing = findMissing(JSON.parse(text), input, '');
    if (missing !== undefined) return `the input differs at ${missing}: ${text.slice(0, 300)}`;
  }
  await check?.(response, text, server);
  return undefined;
}

/** The place of the first member of `wanted` that `given` does not have. */
function findMissing(given: unknown, wanted: unknown, pointer: string): string | undefined {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(given, wanted) ? undefined : pointer;
  if (typeof given !== 'object' || given === null) return pointer;
  if (Array.isArray(wanted) && (!Array.isArray(given) || given.length !== wanted.length)) return pointer;
  for (const [key, value] of Object.entries(wanted)) {
    const member = Object.hasOwn(given, key) ? (given as Record<string, unknown>)[key] : undefined;
    const missing = findMissing(member, value, `${pointer}/${key}`);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

const ANY_JSON = { 'application/json': { schema: {} } };
/** A response that fits whatever the operation is given. */
export const ECHO: object = { responses: { 200: { description: 'the input', content: ANY_JSON } } };

/** An OpenAPI 3.1 document. */
export function api(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Conformance', version: '1' }, paths, ...more };
}

/** A document with one operation that echoes. */
export function operation(method: string, path: string, more: object, root: object = {}): object {
  return api({ [path]: { [method]: { operationId: 'echo', ...ECHO, ...more } } }, root);
}

/** A document of `GET /x` with one query parameter named `p`. */
export function queryParameter(parameter: object): object {
  return operation('get', '/x', { parameters: [{ name: 'p', in: 'query', ...parameter }] });
}

/** A document of `POST /x` with one body. */
export function body(mediaType: string, schema: unknown, more: object = {}, root: object = {}): object {
  return operation(
    'post',
    '/x',
    { requestBody: { required: true, content: { [mediaType]: { schema, ...more } } } },
    root,
  );
}

/** A request with a body. */
export function post(content: BodyInit, contentType?: string, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: content,
    headers: { ...(contentType === undefined ? {} : { 'content-type': contentType }), ...headers },
  };
}

export function postJson(value: unknown): RequestInit {
  return post(JSON.stringify(value), 'application/json');
}
