/** How much of a body the journal keeps, in characters. */
const KEPT = 64 * 1_024;

/** The body as the journal keeps it: bytes as their size; text, or JSON that would be longer than the limit, cut off. */
export function cutBody(body: unknown): unknown {
  if (typeof body === 'string') return body.length > KEPT ? body.slice(0, KEPT) : body;
  if (body instanceof Uint8Array) return sizeOf(body);
  if (typeof body !== 'object' || body === null || measure(body, KEPT) >= 0) return body;
  return JSON.stringify(body, (_key, value: unknown) => (value instanceof Uint8Array ? sizeOf(value) : value)).slice(
    0,
    KEPT,
  );
}

/** What is left of the budget, roughly; negative where the value is longer. Looks no further than that. */
function measure(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 4;
  // Bytes are shown as their size, which needs a copy of what holds them.
  if (value instanceof Uint8Array) return -1;
  let left = budget - 2;
  for (const [key, member] of Object.entries(value)) {
    if (left < 0) return left;
    left = measure(member, left - (Array.isArray(value) ? 1 : key.length + 4));
  }
  return left;
}

function sizeOf(bytes: Uint8Array): object {
  return { $bytes: { size: bytes.byteLength } };
}
