export interface JsonRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` for an empty body. */
  readonly json: unknown;
}

/** Sends a body as JSON, if there is one, and reads the response as JSON. */
export async function sendJson(
  fetch: typeof globalThis.fetch,
  url: string,
  { method, headers = {}, body }: JsonRequest,
): Promise<JsonResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}
