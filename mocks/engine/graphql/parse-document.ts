import { GraphQLError, Lexer, Source, TokenKind, type DocumentNode, parse } from 'graphql';

/** Deeper nesting, or more signs and names, is no document that somebody wrote; what is checked of it costs their square. */
const DEEPEST = 100;
const MOST_TOKENS = 4_000;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Reads a GraphQL document. @throws GraphQLError with the place where it is none, or is too much to read */
export function parseDocument(text: string): DocumentNode {
  const source = new Source(text);
  refuseMuch(source);
  return parse(source, { maxTokens: MOST_TOKENS });
}

/** The parser goes down by recursion, so depth is looked at before. */
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
