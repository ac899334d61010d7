import { type HandlerContext, HttpError } from 'specmill/mock';

import type {
  Content,
  ContextWindowCompressionConfig,
  LiveClientMessage,
  LiveServerMessage,
  Part,
} from '../../../generated/generation/types.js';
import { foldContents } from '../fold-contents.js';
import { countContent, sumTokens } from '../tokens.js';

/**
 * Reads a message of the client, which does not pass through the request pipeline.
 *
 * @throws SessionClose 1007
 */
export function readClientMessage(
  context: Pick<HandlerContext, 'schema'>,
  message: string | Uint8Array,
): LiveClientMessage {
  const text = typeof message === 'string' ? message : Buffer.from(message).toString();
  try {
    return context.schema('BidiGenerateContentClientMessage').parse(text) as LiveClientMessage;
  } catch (error) {
    if (!HttpError.is(error)) throw error;
    const [{ pointer, message: problem } = { pointer: '', message: error.message }] = error.violations;
    throw new SessionClose(1007, `The message does not match the specification: ${pointer} ${problem}`);
  }
}

/** Validates messages of the mock like its responses. @throws Error for one that violates the spec */
export function checkServerMessage(context: Pick<HandlerContext, 'schema'>, message: LiveServerMessage): void {
  const [error] = context.schema('BidiGenerateContentServerMessage').validate(message, 'response');
  if (error !== undefined)
    throw new Error(`a message does not match the specification: ${error.pointer} ${error.message}`);
}

/**
 * Rejects a message and closes the connection. 1007: malformed or misplaced; 1008: its token, model or resource is
 * refused; 1011: a failure of the service.
 */
export class SessionClose extends Error {
  override readonly name = 'SessionClose';
  readonly code: 1007 | 1008 | 1011;

  constructor(code: 1007 | 1008 | 1011, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** How a failure closes the connection; `undefined` for a bug of the mock. */
export function toClose(error: unknown): SessionClose | undefined {
  if (error instanceof SessionClose) return error;
  if (!HttpError.is(error)) return undefined;
  if (error.status >= 500) return new SessionClose(1011, error.message);
  return new SessionClose(error.details['violations'] === undefined ? 1008 : 1007, error.message);
}

/** Joins the pieces of an audio stream into one piece of speech. */
export function joinSpeech(parts: readonly Part[]): Part[] {
  const speech = parts.flatMap(({ inlineData }) =>
    inlineData?.mimeType.startsWith('audio/') === true ? [inlineData] : [],
  );
  const [first] = speech;
  if (first === undefined) return [...parts];
  const data = Buffer.concat(speech.map((one) => Buffer.from(one.data, 'base64'))).toString('base64');
  const others = parts.filter(({ inlineData }) => inlineData === undefined || !speech.includes(inlineData));
  return [{ inlineData: { mimeType: first.mimeType, data } }, ...others];
}

const TRIGGER_TOKENS = 100_000;

/** The tokens of each turn of a session are counted once. */
const sizes = new WeakMap<Content, number>();

function sizeOf(content: Content): number {
  const known = sizes.get(content) ?? sumTokens(countContent(content, () => undefined));
  sizes.set(content, known);
  return known;
}

const sumSizes = foldContents(0, (sum, content) => sum + sizeOf(content));

/**
 * How many of the oldest turns are dropped once the context exceeds its maximum length, until it has the target length.
 * The last turn is kept.
 */
export function countDropped(
  history: readonly Content[],
  { triggerTokens = TRIGGER_TOKENS, slidingWindow = {} }: ContextWindowCompressionConfig,
): number {
  let total = sumSizes(history);
  if (total <= Number(triggerTokens)) return 0;
  const target = Number(slidingWindow.targetTokens ?? Number(triggerTokens) / 2);
  let dropped = 0;
  for (const content of history.slice(0, -1)) {
    if (total <= target) break;
    total -= sizeOf(content);
    dropped += 1;
  }
  return dropped;
}
