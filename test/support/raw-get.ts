import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';

interface RawResponse {
  readonly status: number;
  readonly allowed: unknown;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, in its content encoding. */
  readonly body: Buffer;
}

/** `fetch` sets Host and Origin itself and expands bodies, so this request is made by hand. */
export function rawGet(url: string, headers: Record<string, string>): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          allowed: response.headers['access-control-allow-origin'],
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject).end();
  });
}
