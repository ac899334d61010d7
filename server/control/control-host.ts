import type { ControlOperations } from '../../generated/control/types.js';
import type { ResponseBody } from '../../http/messages.js';
import type { Call, Handler } from '../handler-api.js';
import type { MockSandbox } from '../sandbox/mock-sandbox.js';
import { DEFAULT_SANDBOX, type SandboxRegistry } from '../sandbox/sandbox-registry.js';
import type { ServedApi } from './run-action.js';

/** The mock that a control API inspects and controls. */
export interface ControlHost {
  readonly name: string;
  /** Called for each request, because a reload may have changed the spec. */
  readonly served: () => ServedApi;
  readonly sandboxes: SandboxRegistry;
}

/** The handlers of some operations of the control API. */
export type ControlHandlers<Name extends keyof ControlOperations> = {
  readonly [One in Name]: Handler<ControlOperations[One]>;
};

/** The operations for the web page, whose handlers are those of `server/page/page-routes.ts`. */
export type PageOperationId =
  | 'getPage'
  | 'getPageFile'
  | 'describeApi'
  | 'describeOperation'
  | 'describeResources'
  | 'describeForms'
  | 'listJobs'
  | 'checkRequest';

/** A call with the header `X-Specmill-Sandbox`. */
export type SandboxCall = Pick<Call<ControlOperations['getState']>, 'input'>;

/** Finds the sandbox that a call names. It is created on first use. */
export function findSandbox({ sandboxes }: ControlHost, { input }: SandboxCall): MockSandbox {
  return sandboxes.get(input.headers?.['X-Specmill-Sandbox'] ?? DEFAULT_SANDBOX);
}

/** Wraps a value whose type is wider than the spec can express. The response is checked against the spec. */
export function json(value: unknown): ResponseBody {
  return { kind: 'json', value };
}
