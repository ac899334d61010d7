/** Headers that carry no credential. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'cache-control',
  'connection',
  'date',
  'dnt',
  'expect',
  'from',
  'host',
  'idempotency-key',
  'origin',
  'pragma',
  'prefer',
  'range',
  'referer',
  'te',
  'traceparent',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
  'x-correlation-id',
  'x-request-id',
  'x-requested-with',
  'x-specmill-sandbox',
]);
const HARMLESS_KINDS = /^(?:accept|content|if|sec)-|[-_](?:version|language|locale|timezone|format)$/;

/** Whether the value of a header may be shown. Headers that a user passes to a server are secret, except these. */
export function isHarmlessHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return HARMLESS.has(lower) || HARMLESS_KINDS.test(lower);
}
