import { request as httpRequest } from 'node:http';

/** `fetch` sets Host and Origin itself, so this request is made by hand. */
export function rawGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ readonly status: number; readonly allowed: unknown }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, allowed: response.headers['access-control-allow-origin'] });
    });
    request.on('error', reject).end();
  });
}
