import type { HandlerContext } from '../../server/handler-api.js';
import type { MockRequest } from '../../http/messages.js';

/** The address by which the caller knows this mock, without a slash at the end. */
export function baseUrlOf({ headers }: Pick<MockRequest, 'headers'>): string {
  const [host] = [headers['host']].flat();
  return `http://${host ?? 'localhost'}`;
}

/** The address of this mock where nobody calls. */
export function ownBaseUrl({ options }: Pick<HandlerContext, 'options'>): string {
  const { url } = options;
  return typeof url === 'string' ? url : 'http://notifications.mock';
}
