import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { renderProblem } from '../errors/render-error.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

const CLIENT_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The client did not finish its request in time.'],
};

/** Responds to a request that Node cannot parse, if the connection is still writable. */
export function respondToClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const [status, detail] = CLIENT_ERRORS[error.code ?? ''] ?? [400, 'The request is not HTTP.'];
  const { body } = renderProblem({ status, message: detail });
  const text = body.kind === 'json' ? stringifyExactJson(body.value) : '';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
