/** How much of a body the journal keeps, in characters. */
const KEPT = 64 * 1_024;

/** The body as the journal keeps it: bytes as their size; text, or JSON that would be longer than the limit, cut off. */
export function cutBody(body: unknown): unknown {
  if (typeof body === 'string') return body.length > KEPT ? startOf(body) : body;
  if (isBytes(body)) return sizeOf(body);
  if (typeof body !== 'object' || body === null || measure(body, KEPT) >= 0) return body;
  const text = JSON.stringify(body, (_key, value: unknown) => (isBytes(value) ? sizeOf(value) : value));
  return text.length > KEPT ? startOf(text) : (JSON.parse(text) as unknown);
}

/** What a body takes in the journal, in bytes, roughly: two for a character of a text, more for parts of a value. */
export function sizeOfBody(body: unknown): number {
  if (typeof body === 'string') return 2 * Math.min(body.length, KEPT);
  if (isBytes(body)) return 100;
  return 4 * (KEPT - Math.max(0, measure(body ?? null, KEPT)));
}

/** By way of bytes: a slice of a text holds on to all of it. */
function startOf(text: string): string {
  return Buffer.from(text.slice(0, KEPT), 'utf16le').toString('utf16le');
}

/** What is left of the budget, roughly; negative where the value is longer. Looks no further than that. */
function measure(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 4;
  // Bytes are shown as their size, which needs a copy of what holds them.
  if (isBytes(value)) return -1;
  let left = budget - 2;
  for (const [key, member] of Object.entries(value)) {
    if (left < 0) return left;
    left = measure(member, left - (Array.isArray(value) ? 1 : key.length + 4));
  }
  return left;
}

/** Files of a form are bytes, too. */
function isBytes(value: unknown): value is Uint8Array | Blob {
  return value instanceof Uint8Array || value instanceof Blob;
}

function sizeOf(bytes: Uint8Array | Blob): object {
  return { $bytes: { size: bytes instanceof Blob ? bytes.size : bytes.byteLength } };
}
