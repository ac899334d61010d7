import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';

/** Parses a document. Returns the error if it cannot be parsed. */
export function readDocument(query: string): DocumentNode | GraphQLError {
  try {
    return parseDocument(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
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
export function measureDepth(document: DocumentNode, operation: OperationDefinitionNode): number {
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
