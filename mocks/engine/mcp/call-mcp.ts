import {
  type Call,
  type Handler,
  type HandlerContext,
  HttpError,
  isRecord,
  stringifyExactJson,
  type MockRequest,
} from 'specmill/mock';

import type {
  EngineOperations,
  JsonRpcResponse,
  McpCallToolResult,
  McpInitializeResult,
} from '../../../generated/engine/types.js';
import { settingsOf } from '../configuration/settings.js';
import { findTool, listTools } from './tools.js';
import { refuse } from '../refusals.js';

type McpCall = Call<EngineOperations['callMcp']>;
type Result = NonNullable<JsonRpcResponse['result']>;

/** Versions of the Model Context Protocol, the newest first. */
const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** An error of JSON-RPC, sent with 200. */
class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const callMcp: Handler<EngineOperations['callMcp']> = async (call) => {
  checkHosts(call);
  const message = call.input.body;
  const { id } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return call.respond(202, undefined);
  try {
    return call.respond(200, { jsonrpc: '2.0', id, result: await respond(call, message.method, message.params) });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return call.respond(200, { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } });
  }
};

async function respond(call: McpCall, method: string, params: unknown): Promise<Result> {
  const given = isRecord(params) ? params : {};
  switch (method) {
    case 'initialize':
      return initialize(call, given);
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: await listTools(call) };
    case 'tools/call':
      return callTool(call, given);
    default:
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`);
  }
}

/** Negotiates the version; responds to an unknown one with the newest known one. */
function initialize(
  { api, config, realName }: Pick<HandlerContext, 'api' | 'config' | 'realName'>,
  { protocolVersion }: Readonly<Record<string, unknown>>,
): McpInitializeResult {
  const { instructions } = settingsOf({ config }).mcp;
  return {
    protocolVersion: VERSIONS.find((version) => version === protocolVersion) ?? VERSIONS[0] ?? '',
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: realName('engine'), version: api.version },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Calls a tool. Errors inside it are part of its result. */
async function callTool(
  call: McpCall,
  { name, arguments: given = {} }: Readonly<Record<string, unknown>>,
): Promise<McpCallToolResult> {
  const tool = await findTool(call, String(name));
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(name)}`);
  if (!isRecord(given)) throw new RpcError(INVALID_PARAMS, 'The arguments must be an object.');
  const wrong = tool.required.find((one) => !isOfType(given[one], tool.properties[one]));
  if (wrong !== undefined) throw new RpcError(INVALID_PARAMS, `The tool ${String(name)} needs the argument ${wrong}.`);
  try {
    const result = await tool.run(call, given);
    return { content: [{ type: 'text', text: stringifyExactJson(result) }], structuredContent: result, isError: false };
  } catch (error) {
    if (!HttpError.is(error)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

function isOfType(value: unknown, schema: object | undefined): boolean {
  if (isRecord(schema) && schema['type'] === 'object') return isRecord(value);
  if (isRecord(schema) && schema['type'] === undefined && schema['enum'] === undefined) return value !== undefined;
  return typeof value === 'string' && value !== '';
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Allows loopback hosts, the mock's own host, and those of the configuration.
 *
 * @throws HttpError 403 if the headers `Host` or `Origin` name another one.
 */
function checkHosts({
  request,
  options,
  config,
}: Pick<HandlerContext, 'options' | 'config'> & { readonly request: Pick<MockRequest, 'headers'> }): void {
  const { allowedHosts } = settingsOf({ config }).mcp;
  if (allowedHosts.length === 1 && allowedHosts[0] === '*') return;
  const own = typeof options['url'] === 'string' ? new URL(options['url']).hostname : '';
  const allowed = new Set([...LOOPBACK, own, ...allowedHosts.map((host) => host.toLowerCase())]);
  const isAllowed = (url: string): boolean => {
    if (!URL.canParse(url)) return false;
    const { hostname, host } = new URL(url);
    return allowed.has(hostname) || allowed.has(host);
  };
  const [host] = [request.headers['host']].flat();
  if (host !== undefined && !isAllowed(`http://${host}`)) {
    const violation = { in: 'header', pointer: '/host', message: 'must be an allowed host' } as const;
    throw refuse(403, `The host ${host} is not among the allowed hosts.`, violation);
  }
  const [origin] = [request.headers['origin']].flat();
  if (origin !== undefined && !isAllowed(origin)) {
    const violation = { in: 'header', pointer: '/origin', message: 'must be of an allowed host' } as const;
    throw refuse(403, `The origin ${origin} is not among the allowed hosts.`, violation);
  }
}
