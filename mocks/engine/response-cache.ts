import type { HandlerResponse, RequestContext } from 'specmill/mock';

import type { Entity } from './configuration/entity.js';
import { openSession } from './session.js';

interface KeptResponse {
  readonly response: HandlerResponse;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** The oldest go first. */
const MOST_KEPT = 1_000;

/**
 * The response to a read, from the cache where the configuration has one: writes do not change what is kept there. Callers
 * of different roles and claims share nothing.
 */
export async function keepResponse(
  call: RequestContext,
  entity: Pick<Entity, 'cacheSeconds'>,
  make: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const { cacheSeconds } = entity;
  if (cacheSeconds === undefined) return make();
  const kept = call.memory('responses', () => new Map<string, KeptResponse>());
  const { role, claims } = openSession(call);
  const key = JSON.stringify([role, claims, call.baseUrl, call.request.target]);
  const now = call.clock.now();
  const known = kept.get(key);
  if (known !== undefined && now >= known.madeAt && now < known.madeAt + cacheSeconds * 1_000) return known.response;
  const response = await make();
  kept.delete(key);
  kept.set(key, { response, madeAt: now });
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return response;
}
