import { type HandlerResponse, type Middleware, type RequestContext, stringifyExactJson } from 'specmill/mock';

import { settingsOf } from './configuration/settings.js';
import { openSession } from './session.js';

const MEGABYTE = 1_024 * 1_024;

/** Authenticates the caller of each operation, and refuses responses that are larger than the configuration allows. */
export const guardRequests: Middleware = async (call, next) => {
  if (call.operation === undefined) return next();
  openSession(call);
  return limitSize(call, await next());
};

function limitSize(call: RequestContext, response: HandlerResponse): HandlerResponse {
  const { maxResponseMegabytes } = settingsOf(call).host;
  if (response.refusal || response.body?.kind !== 'json') return response;
  if (stringifyExactJson(response.body.value).length <= maxResponseMegabytes * MEGABYTE) return response;
  return call.refuse(413, `The result is larger than ${maxResponseMegabytes} MB. Use paging to make it smaller.`);
}
