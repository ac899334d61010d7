import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  specifiedRules,
  validate,
  type ValidationContext,
  VariablesInAllowedPositionRule,
  type GraphQLSchema,
} from 'graphql';
import { type Handler, type HandlerContext, HttpError, isRecord, withoutUndefined } from 'specmill/mock';

import type {
  EngineOperations,
  GraphqlError,
  GraphqlRequest as SentRequest,
  GraphqlResponse,
} from '../../../generated/engine/types.js';
import type { GraphqlRequest } from './arguments.js';
import { settingsOf } from '../configuration/settings.js';
import { requireEntity, shapeOf } from '../entities.js';
import { refuse as refuseRequest } from '../refusals.js';
import { openSession } from '../session.js';
import { buildSchema } from './build-schema.js';
import { findOpenFields, type OpenFields } from './open-fields.js';
import { measureDepth, readDocument } from './read-document.js';

/** Executes one or more documents over the rows. Their errors are in `errors` of a response with 200. */
export const executeGraphql: Handler<EngineOperations['executeGraphql']> = async (call) => {
  const { body } = call.input;
  const session = openSession(call);
  if (!Array.isArray(body)) return call.respond(200, await run(body, toRequest(call, session, body)));
  const results: GraphqlResponse[] = [];
  // In their order, because a mutation may change what the next request reads.
  for (const one of body) results.push(await run(one, toRequest(call, session, one)));
  return call.respond(200, results);
};

/** Executes a query of the URL. @throws HttpError 400 for parameters that are no JSON, 405 for a mutation */
export const queryGraphql: Handler<EngineOperations['queryGraphql']> = async (call) => {
  const { query, operationName, variables } = call.input.query;
  const sent = { query, ...withoutUndefined({ operationName }), variables: readJson('variables', variables) };
  const document = readDocument(query);
  if (!(document instanceof GraphQLError)) {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation === OperationTypeNode.MUTATION) throw refuseRequest(405, 'A mutation needs POST.');
  }
  return call.respond(200, await run(sent, toRequest(call, openSession(call), sent)));
};

function readJson(name: string, text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    if (value === null) return {};
  } catch {
    // Refused below.
  }
  const violation = { in: 'query', pointer: `/${name}`, message: 'must be a JSON object' } as const;
  throw refuseRequest(400, `The parameter ${name} must be a JSON object.`, violation);
}

function toRequest(
  context: HandlerContext,
  session: GraphqlRequest['session'],
  { variables }: SentRequest,
): ExecutedRequest {
  return { context, session, variables: variables ?? {} };
}

interface ExecutedRequest extends GraphqlRequest {
  readonly context: HandlerContext;
}

async function run({ query, operationName: name }: SentRequest, request: ExecutedRequest): Promise<GraphqlResponse> {
  const operationName = name ?? undefined;
  const document = readDocument(query);
  if (document instanceof GraphQLError)
    return refuse(document.message.startsWith('Syntax Error') ? 'SYNTAX_ERROR' : 'VALIDATION_FAILED', document);
  const operation = getOperationAST(document, operationName);
  if (operation == null) return refuse('VALIDATION_FAILED', new GraphQLError(explainChoice(operationName)));
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    return refuse('NOT_SUPPORTED', new GraphQLError('Subscriptions are not supported.', { nodes: operation }));
  const { schema, open } = await openSchema(document, request);
  const { allowsIntrospection, depthLimit } = settingsOf(request.context).graphql;
  const problems = validate(
    schema,
    document,
    allowsIntrospection ? RULES : [...RULES, NoSchemaIntrospectionCustomRule],
  );
  if (problems.length > 0) return refuse('VALIDATION_FAILED', ...withoutRepeats(problems));
  const tooDeep = checkDepth(document, operation, depthLimit);
  if (tooDeep !== undefined) return refuse('DEPTH_LIMIT_EXCEEDED', tooDeep);
  const { variables: variableValues } = request;
  const result = describe(
    await execute({ schema, document, operationName: operationName ?? null, variableValues, contextValue: request }),
  );
  const warnings = await warnOnce(request.context, open);
  return warnings.length === 0 ? result : { ...result, extensions: { warnings } };
}

/** A variable of any type may be sent where nothing declares the type of the column. */
function allowVariables(context: ValidationContext): ReturnType<typeof VariablesInAllowedPositionRule> {
  const lenient = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => {
        if (!/expecting type "\[?Any[!\]]*"\.$/.test(error.message)) context.reportError(error);
      },
    },
  }) as ValidationContext;
  return VariablesInAllowedPositionRule(lenient);
}

const RULES = specifiedRules.map((rule) => (rule === VariablesInAllowedPositionRule ? allowVariables : rule));

/** Each message once: the refusal of introspection is reported for each root field. */
function withoutRepeats(problems: readonly GraphQLError[]): readonly GraphQLError[] {
  const isRefusal = ({ message }: GraphQLError): boolean => message.startsWith('GraphQL introspection');
  const first = problems.find(isRefusal);
  return problems.filter((problem) => !isRefusal(problem) || problem === first);
}

/** The schema, with the fields that a document names on open entities. */
async function openSchema(
  document: DocumentNode,
  { context, variables }: GraphqlRequest,
): Promise<{ readonly schema: GraphQLSchema; readonly open: OpenFields }> {
  const schema = await buildSchema(context);
  const open = findOpenFields(schema, document, variables);
  return { schema: open.size === 0 ? schema : await buildSchema(context, open), open };
}

/** Returns a warning for each field that no row has, once until the mock is reset. */
async function warnOnce(context: HandlerContext, open: OpenFields): Promise<readonly { readonly message: string }[]> {
  const warned = context.memory('warnings', () => new Set<string>());
  const warnings: { readonly message: string }[] = [];
  for (const [entity, names] of open) {
    // A mutation may have created rows with these fields.
    const { columns } = await shapeOf(context, await requireEntity(context, entity));
    const fresh = [...names].filter((name) => !columns.has(name) && !warned.has(`${entity}/${name}`));
    for (const name of fresh) warned.add(`${entity}/${name}`);
    const declare = 'Declare the fields of the entity, or give a schema with --engine-schema.';
    if (fresh.length > 0)
      warnings.push({ message: `No row of ${entity} has a field ${fresh.join(' or ')}. ${declare}` });
  }
  return warnings;
}

function checkDepth(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limit: number | undefined,
): GraphQLError | undefined {
  const depth = limit === undefined ? 0 : measureDepth(document, operation);
  if (limit === undefined || depth <= limit) return undefined;
  const message = `The GraphQL document has an execution depth of ${depth} which exceeds the max allowed execution depth of ${limit}.`;
  return new GraphQLError(message, { nodes: operation });
}

function explainChoice(operationName: string | undefined): string {
  return operationName === undefined
    ? 'The document must have one operation, or operationName must name one of them.'
    : `There is no operation ${operationName}.`;
}

function refuse(code: ErrorCode, ...errors: readonly GraphQLError[]): GraphqlResponse {
  return { errors: errors.map((error) => describeError(error, code)) };
}

/** Builds the response. Rethrows unexpected errors; graphql-js would report them as field errors. */
function describe({ data, errors = [] }: ExecutionResult): GraphqlResponse {
  for (const { originalError } of errors) {
    if (originalError !== undefined && !isExpected(originalError)) throw originalError;
  }
  const described = errors.map((error) => describeError(error, codeOf(error)));
  return (
    described.length === 0 ? { data } : data === undefined ? { errors: described } : { data, errors: described }
  ) as GraphqlResponse;
}

function isExpected(error: Error): boolean {
  return HttpError.is(error) || error instanceof GraphQLError;
}

type ErrorCode =
  | 'SYNTAX_ERROR'
  | 'VALIDATION_FAILED'
  | 'NOT_SUPPORTED'
  | 'DEPTH_LIMIT_EXCEEDED'
  | (typeof CODES)[keyof typeof CODES];

const CODES = {
  400: 'BAD_REQUEST',
  401: 'AUTH_NOT_AUTHENTICATED',
  403: 'AUTH_NOT_AUTHORIZED',
  404: 'ITEM_NOT_FOUND',
  409: 'CONFLICT',
} as const;

function codeOf({ originalError }: GraphQLError): ErrorCode {
  const status = HttpError.is(originalError) ? originalError.status : undefined;
  return status === 400 || status === 401 || status === 403 || status === 404 || status === 409
    ? CODES[status]
    : 'VALIDATION_FAILED';
}

function describeError({ message, locations, path }: GraphQLError, code: ErrorCode): GraphqlError {
  const places = locations?.map(({ line, column }) => ({ line, column }));
  return { message, ...withoutUndefined({ locations: places, path: path && [...path] }), extensions: { code } };
}
