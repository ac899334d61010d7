import { checkResponse } from '../../http/response/check-response.js';
import type { FindRecorded } from '../replay/index-recording.js';
import { preferenceOf } from './example-response.js';
import type { Exchange, ExchangeResponse } from './exchange.js';

/**
 * The recorded response to a request, or `undefined`, or `Prefer` asks for another one. One that breaks the
 * spec is sent all the same, since a real server did so: the journal has what has drifted.
 */
export function replayResponse(
  exchange: Exchange,
  findRecorded: FindRecorded,
  { isChecked }: { readonly isChecked: boolean },
): ExchangeResponse | undefined {
  const { compiled, request } = exchange;
  if (compiled === undefined || preferenceOf(exchange) !== undefined) return undefined;
  const recorded = findRecorded(exchange);
  if (recorded === undefined) return undefined;
  const spec = compiled.findResponseSpec(recorded.status);
  const drift = isChecked ? checkResponse(recorded, spec, { withBody: request.method !== 'HEAD' }) : [];
  if (drift.length > 0)
    exchange.violations = [
      ...exchange.violations,
      ...drift.map((violation) => ({ ...violation, message: `${violation.message} (replayed)` })),
    ];
  return { ...recorded, refusal: false, exempt: true };
}
