import { type HandlerContext, type HttpError, numberOf } from 'specmill/mock';

import type {
  Candidate,
  GenerateContentResponse,
  Modality,
  Part,
  PromptFeedback,
  UsageMetadata,
} from '../../generated/generation/types.js';
import { chooseCall, type FunctionChoice, readFunctionChoice } from './function-calls.js';
import { type ToolUse, useTools } from './grounding.js';
import { versionOf } from './models.js';
import type { PreparedRequest } from './prepare-request.js';
import { refuse } from './refusal.js';
import { limitText, makeImage, makeLogprobs, makeSpeech } from './response-text.js';
import { readTextForm, type TextForm, writeStructuredResponse } from './structured-response.js';
import { addTokens, countTokens, splitTokens, sumTokens, toUsage } from './tokens.js';
import { type LastTurn, rate, readLastTurn, readTriggers, type Triggers, writeResponseText } from './triggers.js';

/** A complete candidate, which streams send in pieces. */
export interface PlannedCandidate {
  readonly index: number;
  readonly parts: readonly Part[];
  /** The text of the response, even if it is spoken. */
  readonly text: string;
  /** Tokens of tool results. */
  readonly toolTokens: number;
  readonly ending: Omit<Candidate, 'content' | 'index'>;
}

/** A response, before it is sent as a whole or in pieces. */
export interface Generation {
  readonly prepared: PreparedRequest;
  /** Present for a blocked prompt. */
  readonly promptFeedback?: PromptFeedback;
  readonly candidates: readonly PlannedCandidate[];
  /** The failure that the prompt requests. */
  readonly error?: HttpError;
  readonly frame: Pick<GenerateContentResponse, 'modelVersion' | 'responseId' | 'modelStatus'>;
}

/**
 * Generates the response to a request, from the request and the seed of the sandbox only.
 *
 * @throws HttpError if a schema or the tools cannot be used.
 */
export function generate(context: HandlerContext, prepared: PreparedRequest): Generation {
  const { request, model } = prepared;
  const triggers = readTriggers(request.contents);
  const frame = {
    modelVersion: versionOf(model),
    responseId: Buffer.from(context.random.bytes(9)).toString('base64url'),
    ...(model.modelStatus === undefined ? {} : { modelStatus: model.modelStatus }),
  };
  const base = { prepared, frame, ...(triggers.error === undefined ? {} : { error: failure(triggers.error) }) };
  const { ratings, isBlocked } = rate(triggers.promptHarm, request.safetySettings ?? []);
  const blockReason = triggers.blockReason ?? (isBlocked ? 'SAFETY' : undefined);
  if (blockReason !== undefined)
    return {
      ...base,
      candidates: [],
      promptFeedback: { blockReason, ...(ratings.length > 0 ? { safetyRatings: ratings } : {}) },
    };
  const { candidateCount = 1 } = request.generationConfig ?? {};
  const plan = planCandidates(context, prepared, triggers);
  return { ...base, candidates: Array.from({ length: candidateCount }, (_none, index) => plan(index)) };
}

function failure(status: 500 | 503): HttpError {
  return refuse(status === 503 ? 'The model is overloaded. Try again later.' : 'An internal error has occurred.', {
    status,
  });
}

const CITATION_SOURCE = { startIndex: 0, endIndex: 0, uri: 'https://example.com/source' } as const;

interface CandidateFacts extends Pick<HandlerContext, 'realName'> {
  readonly prepared: PreparedRequest;
  readonly turn: LastTurn;
  readonly form: TextForm;
  readonly choice: FunctionChoice;
  /** Whether only half of the text is sent, as if the token limit was reached. */
  readonly isCut: boolean;
  readonly seed: number;
}

function planCandidates(
  { options, realName }: HandlerContext,
  prepared: PreparedRequest,
  triggers: Triggers,
): (index: number) => PlannedCandidate {
  const { request } = prepared;
  const { generationConfig: config = {}, tools = [], toolConfig } = request;
  const turn = readLastTurn(request.contents);
  const seed = numberOf(Number(options['seed'] ?? 1), config.seed, turn.text);
  const facts: CandidateFacts = {
    prepared,
    realName,
    turn,
    seed,
    form: readTextForm(config),
    isCut: triggers.finishReason === 'MAX_TOKENS',
    choice: readFunctionChoice(tools, toolConfig?.functionCallingConfig),
  };
  const { ratings, isBlocked } = rate(triggers.candidateHarm, request.safetySettings ?? []);
  const safety = ratings.length > 0 ? { safetyRatings: ratings } : {};
  const stopped = isBlocked ? 'SAFETY' : triggers.finishReason === 'MAX_TOKENS' ? undefined : triggers.finishReason;
  return (index) => {
    if (stopped !== undefined)
      return {
        index,
        parts: [],
        text: '',
        toolTokens: 0,
        ending: {
          finishReason: stopped,
          finishMessage: `Generation stopped because of ${stopped}.`,
          ...safety,
          ...(stopped === 'RECITATION' ? { citationMetadata: { citationSources: [CITATION_SOURCE] } } : {}),
          tokenCount: 0,
        },
      };
    const { parts, text, toolTokens, ending } = writeCandidate(facts, index);
    return { index, parts, text, toolTokens, ending: { ...ending, ...safety } };
  };
}

function writeCandidate(facts: CandidateFacts, index: number): Omit<PlannedCandidate, 'index'> {
  const { prepared, realName, turn, choice, form } = facts;
  const seed = numberOf(facts.seed, index);
  const functionCall = chooseCall(choice, turn, seed);
  if (functionCall !== undefined) {
    const parts: Part[] = [{ functionCall, thoughtSignature: Buffer.from(`${seed}`).toString('base64') }];
    return {
      parts: [...think(facts), ...parts],
      text: '',
      toolTokens: 0,
      ending: { finishReason: 'STOP', tokenCount: countParts(parts) },
    };
  }
  const { generationConfig: config = {}, tools = [] } = prepared.request;
  const plain = writeResponseText(turn, index);
  const data = writeStructuredResponse(form, turn.text, plain, seed);
  const limit = facts.isCut ? Math.ceil(splitTokens(data ?? plain).length / 2) : Infinity;
  const { text, finishReason } = limitText(
    data ?? plain,
    config,
    Math.min(limit, prepared.model.outputTokenLimit ?? Infinity),
  );
  const thoughts = think(facts);
  const used = useTools(tools, {
    ...{ asked: turn.text, response: text, partsBefore: thoughts.length, realName },
    showsInvocations: prepared.request.toolConfig?.includeServerSideToolInvocations === true,
  });
  const parts = speak(text, config.responseModalities ?? [], used);
  const logprobs = config.responseLogprobs === true ? makeLogprobs(splitTokens(text), config.logprobs ?? 0, seed) : {};
  return {
    parts: [...thoughts, ...parts],
    text,
    toolTokens: used.tokenCount,
    ending: { finishReason, tokenCount: countParts(parts), ...logprobs, ...used.metadata },
  };
}

function speak(text: string, modalities: readonly Modality[], { parts }: ToolUse): Part[] {
  if (modalities.includes('AUDIO')) return [{ inlineData: makeSpeech(text) }];
  if (!modalities.includes('IMAGE')) return [...parts, { text }];
  return [...(modalities.includes('TEXT') ? [{ text }] : []), { inlineData: makeImage() }];
}

/** The thoughts of a thinking model. The response contains them only if the request asks for them. */
function think({ prepared, turn }: CandidateFacts): Part[] {
  const { thinkingConfig } = prepared.request.generationConfig ?? {};
  return thinkingConfig?.includeThoughts === true && thinkingConfig.thinkingBudget !== 0
    ? [{ text: thoughtOf(prepared, turn.text), thought: true }]
    : [];
}

function thoughtOf({ request }: PreparedRequest, text: string): string {
  const budget = request.generationConfig?.thinkingConfig?.thinkingBudget ?? -1;
  const tokens = splitTokens(`The user says: ${text}. I answer with what was said.`);
  return (budget > 0 ? tokens.slice(0, budget) : tokens).join('');
}

/**
 * Counts the tokens of the thoughts of all candidates, shown or not. A request with thinkingConfig lets the model
 * think.
 */
function countThoughts({ prepared, candidates }: Generation): number {
  const { thinkingConfig } = prepared.request.generationConfig ?? {};
  if (thinkingConfig === undefined || thinkingConfig.thinkingBudget === 0) return 0;
  return splitTokens(thoughtOf(prepared, readLastTurn(prepared.request.contents).text)).length * candidates.length;
}

function countParts(parts: readonly Part[]): number {
  return sumTokens(countGenerated(parts));
}

/** Counts the tokens of generated parts, without thoughts. */
export function countGenerated(parts: readonly Part[]): ReturnType<typeof countTokens> {
  return countTokens([{ parts: parts.filter(({ thought }) => thought !== true) }], () => undefined);
}

/** The usage up to and including the sent parts. */
export function usageOf(generation: Generation, sent: readonly Part[]): UsageMetadata {
  const { tokens, request } = generation.prepared;
  const toolTokens = generation.candidates.reduce((sum, candidate) => sum + candidate.toolTokens, 0);
  return toUsage(
    tokens,
    { candidates: addTokens(countGenerated(sent)), thoughts: countThoughts(generation), toolTokens },
    request.serviceTier,
  );
}

export function toResponse(generation: Generation): GenerateContentResponse {
  const { candidates, promptFeedback, frame } = generation;
  const usageMetadata = usageOf(
    generation,
    candidates.flatMap(({ parts }) => parts),
  );
  if (promptFeedback !== undefined) return { promptFeedback, usageMetadata, ...frame };
  return {
    candidates: candidates.map(({ index, parts, ending }) => ({
      content: { role: 'model', parts: [...parts] },
      ...ending,
      index,
    })),
    usageMetadata,
    ...frame,
  };
}
