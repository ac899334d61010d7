import { decodeCharset } from '../runtime/decode-json.js';
import { parseMediaType } from '../runtime/parsed-media-type.js';
import { readHeader } from '../http/messages.js';
import type { ObservationLog } from '../http/observations/observation-log.js';
import { type ObservedBody, observeText } from '../http/observations/observed-call.js';
import type { ForwardedExchange, ForwardedMessage } from './exchange/forwarded-exchange.js';

/** Notes what the response of a server shows, if its request was valid. */
export async function observeExchange(call: ForwardedExchange, log: ObservationLog): Promise<void> {
  const { operation, response, violations, method, startedAt, messages } = call;
  if (operation === undefined || response === undefined || messages !== undefined) return;
  if (violations.some((violation) => violation.in !== 'response')) return;
  const [body, sent] = await Promise.all([readBody(response), readBody(call.request)]);
  log.add({
    operation,
    status: response.status,
    headers: response.headers,
    body,
    isHead: method === 'HEAD',
    at: startedAt,
    ...(sent.kind === 'json' ? { sent: sent.value } : {}),
  });
}

async function readBody({ body, headers }: ForwardedMessage): Promise<ObservedBody> {
  if (body.size === 0) return { kind: body.isWhole ? 'none' : 'unknown' };
  const decoded = body.isWhole ? await body.decode() : undefined;
  if (decoded?.ok !== true) return { kind: 'unknown' };
  const charset = parseMediaType(readHeader({ headers }, 'content-type') ?? '')?.parameters.get('charset');
  try {
    return observeText(decodeCharset(decoded.bytes, charset), headers);
  } catch {
    return { kind: 'unknown' };
  }
}
