import type { Call, MockDefinition, OperationTypes, HandlerResponse } from '../../server/handler-api.js';
import { readPolicy } from './limits/policy.js';
import { rateCaller, worksWithNotifications } from './limits/rated-caller.js';

type AnyCall = Call<OperationTypes[string]>;
type Around = NonNullable<MockDefinition['around']>;

const NO_CREDENTIAL = 'Requires authentication';
const BAD_CREDENTIAL = 'Bad credentials';

/** What holds for every operation: the kinds of credentials, the versions of the interface. */
export const guardCalls: Around = async (call, next) =>
  refuseKind(call) ?? nameMissing(call, refuseVersion(call, await next()));

/** The platform tells less of a credential than a mock could. */
function nameMissing(call: AnyCall, reply: HandlerResponse): HandlerResponse {
  if (!reply.refusal || reply.status !== 401) return reply;
  const { body } = call.refuse(
    401,
    call.request.headers['authorization'] === undefined ? NO_CREDENTIAL : BAD_CREDENTIAL,
  );
  return { ...reply, body };
}

/** Only personal access tokens (classic) work with notifications; the overview is for all. */
function refuseKind(call: AnyCall): HandlerResponse | undefined {
  const { kind } = rateCaller(call);
  const isOpen = kind === 'unauthenticated' || call.operation.id === readPolicy().status.overviewOperation;
  if (isOpen || worksWithNotifications(kind)) return undefined;
  return call.refuse(403, 'Resource not accessible by this kind of token. Use a personal access token (classic).');
}

/** A version that is not supported is answered with 400, also where other violations are answered with 422. */
function refuseVersion(call: AnyCall, reply: HandlerResponse): HandlerResponse {
  if (!reply.refusal || (reply.status !== 422 && reply.status !== 400)) return reply;
  const parameter = call.operation.parameters.find((one) => one.in === 'header' && /-api-version$/i.test(one.name));
  const name = parameter?.name.toLowerCase() ?? '';
  const [version] = [call.request.headers[name]].flat();
  const supported = typeof parameter?.schema === 'object' ? (parameter.schema.enum ?? []) : [];
  if (version === undefined || supported.includes(version)) return reply;
  const message = `The API version ${version} is not supported. Supported versions are ${supported.join(', ')}.`;
  const violations = [{ in: 'header', pointer: `/${name}`, message: 'must be equal to one of the allowed values' }];
  return call.refuse(400, message, { violations });
}
