import { setTimeout as wait } from 'node:timers/promises';

import { withoutUndefined } from 'specmill/mock';

import type {
  BidiGenerateContentClientContent,
  BidiGenerateContentRealtimeInput,
  BlobModel,
  Content,
  FunctionResponse,
  LiveClientMessage,
  LiveServerMessage,
  Part,
} from '../../../generated/generation/types.js';
import { countGenerated, generate, type Generation } from '../generate.js';
import { countDropped, joinSpeech, SessionClose } from './live-messages.js';
import { SessionSaver } from './saved-sessions.js';
import type { SessionCall, SessionStart } from './start-session.js';
import { modelId } from '../models.js';
import { type PreparedRequest, prepareRequest } from '../prepare-request.js';
import { toPieces } from '../stream.js';
import { sumTokens, toDetails } from '../tokens.js';

/** The other end of a session. */
export interface SessionLine {
  readonly send: (message: LiveServerMessage) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

export class LiveSession {
  readonly #call: SessionCall;
  readonly #setup: SessionStart['setup'];
  readonly #line: SessionLine;
  #history: Content[];
  /** The number of turns that a compression has dropped. */
  #dropped = 0;
  #speech: Part[] = [];
  /** Index of the last message of the client, from 0 for the setup. */
  #index = 0;
  #hasContent = false;
  #pendingCalls = new Set<string>();
  readonly #saver: SessionSaver;
  #responding: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(call: SessionCall, { setup, history }: SessionStart, line: SessionLine) {
    this.#call = call;
    this.#setup = setup;
    this.#history = [...history];
    this.#saver = new SessionSaver(call, setup.model);
    this.#line = line;
  }

  async begin(): Promise<void> {
    await this.#line.send({ setupComplete: {} });
    await this.#sendHandle();
  }

  async stop(): Promise<void> {
    this.#responding?.stop.abort();
    await this.#responding?.done;
  }

  /** @throws SessionClose if the message is misplaced. */
  async take({ setup, clientContent, realtimeInput, toolResponse }: LiveClientMessage): Promise<void> {
    this.#index += 1;
    if (setup !== undefined) throw new SessionClose(1007, 'Only the first message may be a setup.');
    if (clientContent !== undefined) await this.#takeContent(clientContent);
    if (realtimeInput !== undefined) await this.#takeInput(realtimeInput);
    if (toolResponse !== undefined) await this.#takeToolResponse(toolResponse.functionResponses ?? []);
  }

  async #takeContent({ turns = [], turnComplete = false }: BidiGenerateContentClientContent): Promise<void> {
    await this.#interrupt();
    this.#history.push(...turns);
    const isHistory = !this.#hasContent && this.#setup.historyConfig?.initialHistoryInClientContent === true;
    this.#hasContent = true;
    if (turnComplete && !isHistory) this.#mockResponse();
  }

  async #takeInput(input: BidiGenerateContentRealtimeInput): Promise<void> {
    const { realtimeInputConfig: config = {} } = this.#setup;
    const isManual = config.automaticActivityDetection?.disabled === true;
    const marksActivity = input.activityStart !== undefined || input.activityEnd !== undefined;
    if (marksActivity && !isManual)
      throw new SessionClose(1007, 'Activity is marked by the client only where its automatic detection is off.');
    if (input.audioStreamEnd === true && isManual)
      throw new SessionClose(1007, 'The end of the audio stream is sent only with automatic activity detection.');
    const media = [
      ...(input.mediaChunks ?? []),
      ...[input.audio, input.video].filter((one): one is BlobModel => one !== undefined),
    ];
    const isActive = input.activityStart !== undefined || (!isManual && (input.text !== undefined || media.length > 0));
    if (isActive && config.activityHandling !== 'NO_INTERRUPTION') await this.#interrupt();
    this.#speech.push(
      ...media.map((inlineData): Part => ({ inlineData })),
      ...(input.text === undefined ? [] : [{ text: input.text }]),
    );
    const isOver = isManual
      ? input.activityEnd !== undefined
      : input.text !== undefined || input.audioStreamEnd === true;
    if (isOver && this.#speech.length > 0) await this.#endInput();
  }

  async #endInput(): Promise<void> {
    await this.#responding?.done;
    const parts = joinSpeech(this.#speech);
    this.#speech = [];
    const speech = parts.find(({ inlineData }) => inlineData?.mimeType.startsWith('audio/') === true)?.inlineData;
    if (this.#setup.inputAudioTranscription !== undefined && speech !== undefined) {
      await this.#line.send({
        serverContent: {
          inputTranscription: { text: `${Buffer.from(speech.data, 'base64').length} bytes of ${speech.mimeType}` },
        },
      });
    }
    this.#history.push({ role: 'user', parts });
    this.#mockResponse();
  }

  async #takeToolResponse(responses: readonly FunctionResponse[]): Promise<void> {
    // The calls may not have been sent yet.
    await this.#responding?.done;
    const unknown = responses.find(({ id = '' }) => !this.#pendingCalls.has(id));
    if (unknown !== undefined)
      throw new SessionClose(1007, `No function call ${unknown.id ?? 'without an id'} waits for a response.`);
    for (const { id = '', willContinue } of responses) if (willContinue !== true) this.#pendingCalls.delete(id);
    this.#history.push({ role: 'function', parts: responses.map((functionResponse) => ({ functionResponse })) });
    const isSilent = responses.every(({ scheduling }) => scheduling === 'SILENT');
    if (this.#pendingCalls.size === 0 && !isSilent) this.#mockResponse();
  }

  /** Interrupts the current response when the client sends input. */
  async #interrupt(): Promise<void> {
    const responding = this.#responding;
    if (responding !== undefined) {
      responding.stop.abort();
      await responding.done;
      await this.#line.send({ serverContent: { interrupted: true } });
      await this.#line.send({ serverContent: { turnComplete: true } });
    }
    if (this.#pendingCalls.size === 0) return;
    const ids = [...this.#pendingCalls];
    this.#pendingCalls.clear();
    await this.#line.send({ toolCallCancellation: { ids } });
  }

  /** Responds while messages are still read, so that one of them can interrupt. */
  #mockResponse(): void {
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      try {
        await this.#sendTurn(stop.signal);
      } catch (error) {
        if (!stop.signal.aborted) this.#line.fail(error);
      } finally {
        if (this.#responding?.stop === stop) this.#responding = undefined;
      }
    };
    this.#responding = { stop, done: Promise.resolve().then(run) };
  }

  async #sendTurn(signal: AbortSignal): Promise<void> {
    const prepared = await this.#prepare();
    const latencyMs = Number(this.#call.options['latencyMs'] ?? 0);
    const sent: Part[] = [];
    const generation = generate(this.#call, prepared);
    if (generation.error !== undefined) throw generation.error;
    for (const { candidates = [] } of toPieces(generation)) {
      if (latencyMs > 0) await wait(latencyMs, undefined, { signal });
      signal.throwIfAborted();
      const parts = candidates.flatMap(({ content }) => content?.parts ?? []);
      sent.push(...parts);
      const { groundingMetadata, urlContextMetadata } = candidates[0] ?? {};
      await this.#sendParts(parts, withoutUndefined({ groundingMetadata, urlContextMetadata }));
    }
    this.#history.push({ role: 'model', parts: sent });
    if (this.#pendingCalls.size === 0) await this.#endTurn(generation, sent);
  }

  async #sendParts(parts: readonly Part[], more: object): Promise<void> {
    const functionCalls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    for (const { id = '' } of functionCalls) this.#pendingCalls.add(id);
    if (functionCalls.length > 0) await this.#line.send({ toolCall: { functionCalls } });
    else if (parts.length > 0)
      await this.#line.send({ serverContent: { modelTurn: { role: 'model', parts: [...parts] }, ...more } });
  }

  async #endTurn({ prepared: { tokens }, candidates }: Generation, sent: readonly Part[]): Promise<void> {
    const { outputAudioTranscription } = this.#setup;
    const isSpoken = sent.some(({ inlineData }) => inlineData?.mimeType.startsWith('audio/') === true);
    if (outputAudioTranscription !== undefined && isSpoken)
      await this.#line.send({ serverContent: { outputTranscription: { text: candidates[0]?.text ?? '' } } });
    await this.#line.send({ serverContent: { generationComplete: true } });
    const response = countGenerated(sent);
    const [promptTokenCount, responseTokenCount] = [sumTokens(tokens.prompt), sumTokens(response)];
    const usageMetadata = {
      promptTokenCount,
      responseTokenCount,
      totalTokenCount: promptTokenCount + responseTokenCount,
      promptTokensDetails: toDetails(tokens.prompt),
      responseTokensDetails: toDetails(response),
    };
    await this.#line.send({ serverContent: { turnComplete: true }, usageMetadata });
    await this.#sendHandle();
  }

  async #prepare(): Promise<PreparedRequest> {
    const { model, generationConfig, systemInstruction, tools, contextWindowCompression } = this.#setup;
    const dropped = contextWindowCompression === undefined ? 0 : countDropped(this.#history, contextWindowCompression);
    if (dropped > 0) this.#history = this.#history.slice(dropped);
    this.#dropped += dropped;
    const contents = this.#history.length === 0 ? [{ role: 'user', parts: [{ text: '' }] }] : [...this.#history];
    const { candidateCount: _one, ...config } = generationConfig ?? {};
    const request = { contents, generationConfig: config, ...withoutUndefined({ systemInstruction, tools }) };
    return prepareRequest(this.#call, request, { modelId: modelId(model), method: 'bidiGenerateContent' });
  }

  async #sendHandle(): Promise<void> {
    const { sessionResumption } = this.#setup;
    if (sessionResumption === undefined) return;
    const newHandle = await this.#saver.save(this.#history, this.#dropped);
    const index = sessionResumption.transparent === true ? { lastConsumedClientMessageIndex: String(this.#index) } : {};
    await this.#line.send({ sessionResumptionUpdate: { newHandle, resumable: true, ...index } });
  }
}
