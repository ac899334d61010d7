export type { Api } from '../model/api.js';
export { InputError } from '../model/diagnostics/input-error.js';
export { SpecError } from '../model/diagnostics/spec-error.js';
export { ControlError } from '../server/control/control-error.js';
export type { Credential } from '../http/credentials/credential-file.js';
export { type ActionMap, type DefinedMock, defineMock } from '../server/define-mock.js';
export { PortBusyError } from '../http/wire/port-busy-error.js';
export type { ProxyOptions } from '../proxy/proxy-options.js';
export type { ProxyReport, ReportedViolation } from '../proxy/proxy-report.js';
export { type ValidationProxy, startProxy } from '../proxy/start-proxy.js';
export type { StateSnapshot } from '../server/sandbox/state-snapshot.js';
export {
  type Action,
  ActionRefusedError,
  type HandlerContext,
  type Call,
  type Collection,
  type Handler,
  type MockDefinition,
  type OperationTypes,
  type HandlerResponse,
  type Socket,
} from '../server/handler-api.js';
export type { Violation } from '../http/messages.js';
export type { Fault, JournalEntry } from '../server/sandbox/sandbox.js';
export { startMock } from '../server/start-mock.js';
export { type ConnectOptions, connectMock } from '../server/start/connect-mock.js';
export type { MockOptions } from '../server/start/mock-options.js';
export type {
  ActionsByApi,
  ConnectedMock,
  Mock,
  MockClock,
  MockRequests,
  SandboxHandle,
} from '../server/start/mock.js';
export type { BuiltInActions } from './built-in-actions.js';
