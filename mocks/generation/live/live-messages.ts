import { type HandlerContext, HttpError } from 'specmill/mock';

import type {
  BidiGenerateContentSetup,
  BlobModel,
  Content,
  FunctionCall,
  FunctionResponse,
  GroundingMetadata,
  ModalityTokenCount,
  UrlContextMetadata,
} from '../../../generated/generation/types.js';
import { SessionClose } from './session-close.js';

/** A message of the client: exactly one of its members (live.schema.json). */
export interface ClientMessage {
  readonly setup?: BidiGenerateContentSetup;
  readonly clientContent?: { readonly turns?: readonly Content[]; readonly turnComplete?: boolean };
  readonly realtimeInput?: RealtimeInput;
  readonly toolResponse?: { readonly functionResponses?: readonly FunctionResponse[] };
}

export interface RealtimeInput {
  readonly mediaChunks?: readonly BlobModel[];
  readonly audio?: BlobModel;
  readonly video?: BlobModel;
  readonly text?: string;
  readonly activityStart?: object;
  readonly activityEnd?: object;
  readonly audioStreamEnd?: boolean;
}

interface ServerContent {
  readonly modelTurn?: Content;
  readonly generationComplete?: boolean;
  readonly turnComplete?: boolean;
  readonly interrupted?: boolean;
  readonly groundingMetadata?: GroundingMetadata;
  readonly urlContextMetadata?: UrlContextMetadata;
  readonly inputTranscription?: { readonly text: string };
  readonly outputTranscription?: { readonly text: string };
}

/** A message of the server: at most one member beside usageMetadata. */
export interface ServerMessage {
  readonly setupComplete?: object;
  readonly serverContent?: ServerContent;
  readonly toolCall?: { readonly functionCalls: readonly FunctionCall[] };
  readonly toolCallCancellation?: { readonly ids: readonly string[] };
  readonly goAway?: { readonly timeLeft: string };
  readonly sessionResumptionUpdate?: {
    readonly newHandle?: string;
    readonly resumable?: boolean;
    readonly lastConsumedClientMessageIndex?: string;
  };
  readonly usageMetadata?: {
    readonly promptTokenCount: number;
    readonly responseTokenCount: number;
    readonly totalTokenCount: number;
    readonly promptTokensDetails: readonly ModalityTokenCount[];
    readonly responseTokensDetails: readonly ModalityTokenCount[];
  };
}

/**
 * Reads a message of the client, which does not pass through the pipeline of requests.
 *
 * @throws SessionClose 1007
 */
export function readClientMessage(
  context: Pick<HandlerContext, 'schema'>,
  message: string | Uint8Array,
): ClientMessage {
  const text = typeof message === 'string' ? message : Buffer.from(message).toString();
  try {
    // `parse` has validated it.
    return context.schema('BidiGenerateContentClientMessage').parse(text) as ClientMessage;
  } catch (error) {
    if (!HttpError.is(error)) throw error;
    const [{ pointer, message: problem } = { pointer: '', message: error.message }] = error.violations;
    throw new SessionClose(1007, `The message does not match the specification: ${pointer} ${problem}`);
  }
}

/** Messages of the mock are validated as its responses are. @throws Error for one that breaks the specification */
export function checkServerMessage(context: Pick<HandlerContext, 'schema'>, message: ServerMessage): void {
  const [error] = context.schema('BidiGenerateContentServerMessage').validate(message, 'response');
  if (error !== undefined)
    throw new Error(`a message does not match the specification: ${error.pointer} ${error.message}`);
}
