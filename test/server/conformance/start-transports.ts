import type { Api, Operation } from '../../../model/api.js';
import { createIdentifyCaller } from '../../../http/credentials/authenticate.js';
import { createRenderError } from '../../../http/errors/render-error.js';
import { createFetch } from '../../../server/transport/in-process-fetch.js';
import { openHttpServer } from '../../../server/transport/http-server.js';
import { createPipeline } from '../../../server/pipeline/create-pipeline.js';
import type { PipelineOptions, PipelineSettings } from '../../../server/pipeline/pipeline-options.js';
import type { Handler, OperationTypes } from '../../../server/handler-api.js';
import { loadDocument } from '../../support/load-document.js';
import type { ServerUnderTest } from './conformance-case.js';
import { createFakeSandbox, type FakeSandbox } from './fake-sandbox.js';

type AnyHandler = Handler<OperationTypes[string]>;

/** The statuses of an API that has no types are numbers, no more. */
const OK: number = 200;
const TEAPOT: number = 418;

/** What an operation does, by its `x-handler`. Without one it echoes. */
const RESPONSES: Readonly<Record<string, AnyHandler>> = {
  echo: (call) =>
    call.respond(OK, {
      operation: call.operation.id,
      ...Object.fromEntries(Object.entries(call.input).map(([key, value]) => [key, showBytes(value)])),
    }),
  id: (call) => call.respond(OK, { id: 1 }),
  secret: (call) => call.respond(OK, { id: 1, name: 'a', secret: 'x' }),
  wrong: (call) => call.respond(OK, { id: 'one' }),
  teapot: (call) => call.respond(TEAPOT, { id: 1 }),
  unsayable: (call) => call.respond(OK, circle()),
  bytes: (call) => call.respond(OK, new Uint8Array([0xff, 0x00, 0x80])),
  stream: (call) => call.respond(OK, { kind: 'stream', chunks: chunks() }),
  events: (call) => call.respond(OK, { kind: 'events', events: events() }),
  throw: () => {
    throw new Error('a bug of the handler');
  },
};

async function* chunks(): AsyncIterable<Uint8Array> {
  yield Buffer.from('one ');
  yield Buffer.from('two');
}

async function* events(): AsyncIterable<{ data: unknown }> {
  yield { data: { n: 1 } };
  yield { data: { n: 2 } };
}

function showBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value;
}

function responseOf({ extensions }: Operation): AnyHandler | undefined {
  const response = extensions['x-handler'] ?? 'echo';
  return typeof response === 'string' ? RESPONSES[response] : undefined;
}

const SETTINGS: PipelineSettings = { validate: 'error', stateless: false, maxBodyBytes: 1_400_000, latencyMs: 0 };

export interface Mounted {
  readonly api: Api;
  readonly sandbox: FakeSandbox;
  readonly pipeline: PipelineOptions;
  readonly handle: ReturnType<typeof createPipeline>;
}

/** A pipeline over a fake sandbox. */
export async function mountPipeline(document: object, settings: Partial<PipelineSettings> = {}): Promise<Mounted> {
  const api = await loadDocument(document);
  const pipeline: PipelineOptions = {
    api,
    handlerOf: responseOf,
    identify: createIdentifyCaller(api),
    renderError: createRenderError(api),
    options: { ...SETTINGS, ...settings },
  };
  return { api, sandbox: createFakeSandbox(api), pipeline, handle: createPipeline(pipeline) };
}

export async function startOnHttp(document: object): Promise<ServerUnderTest> {
  const { handle, sandbox } = await mountPipeline(document);
  const transport = await openHttpServer({ handle, sandboxOf: () => sandbox, port: 0 });
  return { url: transport.url, fetch, echoes: true, close: transport.close };
}

export async function startInProcess(document: object): Promise<ServerUnderTest> {
  const { handle, sandbox } = await mountPipeline(document);
  return {
    url: 'http://mock',
    fetch: createFetch({ handle, sandboxOf: () => sandbox }),
    echoes: true,
    close: () => Promise.resolve(),
  };
}

/** An object that contains itself. */
function circle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
