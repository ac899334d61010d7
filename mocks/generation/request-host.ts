import type { MockRequest } from 'specmill/mock';

/** The host and port by which the client knows this service. */
export function hostOf({ headers }: Pick<MockRequest, 'headers'>): string {
  const [host] = [headers['host']].flat();
  return host ?? 'localhost';
}
