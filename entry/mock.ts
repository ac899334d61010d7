export type { Api } from '../model/api.js';
export { InputError, systemReason } from '../model/diagnostics/input-error.js';
export { SpecError } from '../model/diagnostics/spec-error.js';
export { ControlError } from '../server/control/control-error.js';
export type { Credential } from '../http/credentials/credential-file.js';
export { type ActionMap, type DefinedMock, defineMock } from '../server/define-mock.js';
export { PortBusyError } from '../http/wire/port-busy-error.js';
export type { ProxyOptions } from '../proxy/proxy-options.js';
export type { ProxyReport, ReportedViolation } from '../proxy/report-collector.js';
export type { ValidationProxy } from '../proxy/start-proxy.js';
export { type ProxyTarget, startProxy } from './start-proxy.js';
export type { StateSnapshot } from '../server/sandbox/state-snapshot.js';
export {
  type Action,
  ActionRefusedError,
  type Call,
  type Caller,
  type Collection,
  type Handler,
  type HandlerContext,
  type HandlerResponse,
  type Middleware,
  type OperationTypes,
  type RequestContext,
  type Socket,
  type SocketHandler,
} from '../server/handler-api.js';
export type { MockDefinition, MockSetup, PreparedMock } from '../server/mock-definition.js';
export type { DataCollection, PreparedItem } from '../server/data/data-collection.js';
export { DataProblem } from '../server/data/given-data.js';
export type { ResourceCall, ResourceHooks, ResourceRefusal, ResourceWrite } from '../server/resource-hooks.js';
export { type BodyPart, readParts } from '../server/body-parts.js';
export { type Page, type PageRequest, cutPage } from '../server/cut-page.js';
export { makeEtag, matchesEtag, quoteEtag } from '../server/entity-tags.js';
export { isNotModifiedSince, parseHttpDate, parseIsoTime, toHttpDate, toIsoTime } from '../server/http-dates.js';
export { inTurn } from '../server/in-turn.js';
export { numberOf } from '../server/sandbox/seeded-random.js';
export { parseExactJson, stringifyExactJson } from '../runtime/json-integers.js';
export { mergePatch, omitMembers } from '../server/infer/json-path.js';
export { type CheckedDocument, type DocumentSchema, readDocument } from '../server/read-document.js';
export { type JsonSchema, type SchemaHandle, compileSchema } from '../server/schema-handle.js';
export { compareValues } from '../server/stores/predicates.js';
export type { Condition, QueryResult, StoreIndex, StoreQuery } from '../server/stores/store.js';
export type { Clock } from '../server/sandbox/clock-types.js';
export { HttpError, type HttpErrorOptions } from '../http/http-error.js';
export {
  type ResponseBody,
  type HeaderMap,
  type MockRequest,
  type ServerSentEvent,
  readHeader,
} from '../http/messages.js';
export { encodeTarget } from '../http/routing/encode-target.js';
export { appendPointer, splitPointer } from '../model/document/pointer.js';
export { isRecord, withoutUndefined } from '../model/document/records.js';
export type { Violation } from '../http/messages.js';
export type { Fault, JournalEntry } from '../server/sandbox/sandbox.js';
export { startMock } from '../server/start-mock.js';
export { type ConnectOptions, connectMock } from '../server/start/connect-mock.js';
export type { MockCall, MockOptions, MockWork } from '../server/start/mock-options.js';
// Not by name: only a module that exports the interface by `*` can be augmented.
export type * from '../server/start/mock.js';
