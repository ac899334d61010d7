import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type Handler, HttpError, withoutUndefined } from 'specmill/mock';

import type { EngineOperations, GraphqlError, GraphqlResponse } from '../../../generated/engine/types.js';
import type { GraphqlRequest } from './arguments.js';
import { settingsOf } from '../configuration/settings.js';
import { openSession } from '../session.js';
import { buildSchema } from './build-schema.js';
/** Executes a document over the rows. Its errors are in `errors` of a response with 200. */
export const executeGraphql: Handler<EngineOperations['executeGraphql']> = async (call) => {
  const { query, operationName, variables } = call.input.body;
  const context = { context: call, session: openSession(call), variables: variables ?? {} };
  return call.respond(200, await run(query, operationName ?? undefined, context));
};

async function run(
  query: string,
  operationName: string | undefined,
  request: GraphqlRequest,
): Promise<GraphqlResponse> {
  const document = readDocument(query);
  if (document instanceof GraphQLError)
    return refuse(document.message.startsWith('Syntax Error') ? 'SYNTAX_ERROR' : 'VALIDATION_FAILED', document);
  const operation = getOperationAST(document, operationName);
  if (operation == null) return refuse('VALIDATION_FAILED', new GraphQLError(explainChoice(operationName)));
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    return refuse('NOT_SUPPORTED', new GraphQLError('Subscriptions are not supported.', { nodes: operation }));
  const schema = await buildSchema(request.context);
  const { allowsIntrospection, depthLimit } = settingsOf(request.context).graphql;
  const rules = allowsIntrospection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const problems = validate(schema, document, rules);
  if (problems.length > 0) return refuse('VALIDATION_FAILED', ...problems);
  const tooDeep = checkDepth(document, operation, depthLimit);
  if (tooDeep !== undefined) return refuse('DEPTH_LIMIT_EXCEEDED', tooDeep);
  const { variables: variableValues } = request;
  return describe(
    await execute({ schema, document, operationName: operationName ?? null, variableValues, contextValue: request }),
  );
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

function readDocument(query: string): DocumentNode | GraphQLError {
  try {
    return parseDocument(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
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

/** Limits of nesting and of tokens; the cost of validation grows with their square. */
const DEEPEST = 100;
const MOST_TOKENS = 4_000;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Reads a GraphQL document. @throws GraphQLError with the place of a syntax error, or if it exceeds the limits */
function parseDocument(text: string): DocumentNode {
  const source = new Source(text);
  refuseMuch(source);
  return parse(source, { maxTokens: MOST_TOKENS });
}

/** Refuses documents that are too large or deep before parsing, because the parser is recursive. */
function refuseMuch(source: Source): void {
  const lexer = new Lexer(source);
  let depth = 0;
  for (let token = lexer.advance(), count = 1; token.kind !== TokenKind.EOF; token = lexer.advance(), count += 1) {
    if (OPENING.has(token.kind)) depth += 1;
    if (CLOSING.has(token.kind)) depth -= 1;
    if (depth > DEEPEST || count > MOST_TOKENS)
      throw new GraphQLError('The document is too deep or too long.', { source, positions: [token.start] });
  }
}

/**
 * Measures how deeply the fields of an operation are nested, without introspection. The document is validated, so no
 * fragment contains itself.
 */
function measureDepth(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  // A fragment may be spread many times, also inside other fragments.
  const known = new Map<string, number>();
  const depthOf = (set: SelectionSetNode | undefined): number => {
    const depths = (set?.selections ?? []).map((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(selection.name.value);
      return selection.name.value.startsWith('__') ? 0 : 1 + depthOf(selection.selectionSet);
    });
    return Math.max(0, ...depths);
  };
  const depthOfFragment = (name: string): number => {
    const depth = known.get(name) ?? depthOf(fragments.get(name)?.selectionSet);
    known.set(name, depth);
    return depth;
  };
  return depthOf(operation.selectionSet);
}
