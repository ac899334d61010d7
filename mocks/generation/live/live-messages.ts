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
import type { Api } from '../../../model/api.js';
import { refTo } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { memberRenamer } from '../../../http/request/snake-case-names.js';
import { parseJson } from '../../../http/request/parse-json.js';
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

const CLIENT_MESSAGE = { $ref: refTo('BidiGenerateContentClientMessage') };

/** Messages do not pass through the pipeline: they are renamed and checked here. @throws SessionClose 1007 */
export function readClientMessage(api: Api, message: string | Uint8Array): ClientMessage {
  const given = parse(typeof message === 'string' ? message : Buffer.from(message).toString());
  const renamed = rename(api, given);
  const [error] = compileValidator(api, CLIENT_MESSAGE, { direction: 'request' })(renamed);
  if (error !== undefined)
    throw new SessionClose(1007, `The message does not match the specification: ${error.pointer} ${error.message}`);
  // It was just proven to be one.
  return renamed as ClientMessage;
}

const SERVER_MESSAGE = { $ref: refTo('BidiGenerateContentServerMessage') };

/** Own messages are checked as own answers are. @throws Error where one breaks the specification. */
export function checkServerMessage(api: Api, message: ServerMessage): void {
  const [error] = compileValidator(api, SERVER_MESSAGE, { direction: 'response' })(message);
  if (error !== undefined)
    throw new Error(`a message does not match the specification: ${error.pointer} ${error.message}`);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new SessionClose(1007, `The message ${error instanceof Error ? error.message : 'must be JSON'}.`);
  }
}

function rename(api: Api, given: unknown): unknown {
  try {
    return memberRenamer(api)?.(given, CLIENT_MESSAGE) ?? given;
  } catch (error) {
    throw new SessionClose(
      1007,
      `The message does not match the specification: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
