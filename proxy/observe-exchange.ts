import { decodeCharset } from '../runtime/decode-json.js';
import { parseMediaType } from '../runtime/parsed-media-type.js';
import { readHeader } from '../http/messages.js';
import { splitTarget } from '../http/routing/router.js';
import type { DeprecatedUses } from '../http/observations/deprecated-uses.js';
import type { ObservationLog } from '../http/observations/observation-log.js';
import { type ObservedBody, observeText } from '../http/observations/observed-call.js';
import type { ForwardedExchange, ForwardedMessage } from './exchange/forwarded-exchange.js';

/** Notes what the response of a server shows, if its request was valid. */
export async function observeExchange(call: ForwardedExchange, log: ObservationLog): Promise<void> {
  const { operation, response, violations, method, startedAt, messages } = call;
  if (operation === undefined || response === undefined || messages !== undefined) return;
  const [body, sent] = await Promise.all([readBody(response), readBody(call.request)]);
  log.add({
    operation,
    isValid: violations.every((violation) => violation.in === 'response'),
    status: response.status,
    headers: response.headers,
    body,
    isHead: method === 'HEAD',
    at: startedAt,
    ...(sent.kind === 'json' ? { sent: sent.value } : {}),
  });
}

/** Notes the deprecated parts of a call. Returns a promise only if a body must be decoded. */
export function observeDeprecated(call: ForwardedExchange, uses: DeprecatedUses): void | Promise<void> {
  const { operation, target, request, response, startedAt } = call;
  if (operation === undefined) return undefined;
  const { headers } = request;
  const sent = { operation, query: splitTarget(target).query, headers, at: new Date(startedAt).toISOString() };
  const received = response && { status: response.status, headers: response.headers };
  const whole = received === undefined ? sent : { ...sent, response: received };
  const wanted = [
    uses.readsBody(operation) ? request : undefined,
    response !== undefined && uses.readsResponse(operation, response.status) ? response : undefined,
  ] as const;
  if (wanted.every((one) => one === undefined)) return uses.add(whole);
  return Promise.all(wanted.map(readJson)).then(([body, shown]) =>
    uses.add({ ...sent, ...body, ...(received && { response: { ...received, ...shown } }) }),
  );
}

async function readJson(message: ForwardedMessage | undefined): Promise<{ readonly body?: unknown }> {
  const body = message === undefined ? undefined : await readBody(message);
  return body?.kind === 'json' ? { body: body.value } : {};
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
