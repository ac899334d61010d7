import { type ValueRow, choices, type SeedRules, words } from '../support/seed-rules.js';

const TYPES: readonly ValueRow[] = [
  ...choices(
    'the outcome is required',
    'CodeExecutionResult',
    words('OUTCOME_UNSPECIFIED OUTCOME_OK OUTCOME_FAILED OUTCOME_DEADLINE_EXCEEDED').map((outcome) => ({ outcome })),
    [{ output: 'x' }, { outcome: 'OK' }],
  ),
  ...['ToolCall', 'ToolResponse'].flatMap((schema) =>
    choices(
      'the tool type is required',
      schema,
      words('TOOL_TYPE_UNSPECIFIED VENDOR_SEARCH_WEB VENDOR_SEARCH_IMAGE URL_CONTEXT VENDOR_MAPS').map((toolType) => ({
        toolType,
      })),
      [{}, { toolType: 'SHELL' }],
    ),
  ),
  ...choices(
    '(0.0, 24.0], durations',
    'VideoMetadata',
    [{ fps: 24 }, { fps: 0.1 }, { startOffset: '3.5s', endOffset: '9s' }],
    [{ fps: 0 }, { fps: 24.1 }, { startOffset: '3.5' }],
  ),
  ...choices('levels', 'MediaResolution', [{ level: 'MEDIA_RESOLUTION_ULTRA_HIGH' }], [{ level: 'ULTRA_HIGH' }]),
  ...choices('processings', 'MediaProcessing', words('MEDIA_PROCESSING_UNSPECIFIED STATIC AGENTIC'), ['DYNAMIC']),
  ...choices(
    'at most one of',
    'AttributionSourceId response',
    [{ groundingPassage: { passageId: 'a', partIndex: 0 } }, { semanticRetrieverChunk: { source: 'a', chunk: 'b' } }],
    [{ groundingPassage: {}, semanticRetrieverChunk: {} }],
  ),
  ...choices(
    'at most one of',
    'GroundingChunk response',
    [{ web: {} }, { image: {} }, { retrievedContext: {} }, { maps: {} }],
    [
      { web: {}, image: {} },
      { image: {}, retrievedContext: {} },
      { retrievedContext: {}, maps: {} },
      { web: {}, maps: {} },
    ],
  ),
  ...choices(
    'forms of names',
    'RetrievedContext response',
    [{ fileSearchStore: 'fileSearchStores/a', mediaId: 'fileSearchStores/a/media/b', pageNumber: 1 }],
    [{ fileSearchStore: 'a' }, { mediaId: 'fileSearchStores/a' }, { pageNumber: 'x' }],
  ),
  ...choices(
    'a key plus one value',
    'CustomMetadata response',
    [
      { key: 'a', stringValue: 'b' },
      { key: 'a', stringListValue: { values: ['b'] } },
      { key: 'a', numericValue: 1.5 },
    ],
    [
      { key: 'a', stringValue: 'b', numericValue: 1 },
      { key: 'a', numericValue: '1' },
    ],
  ),
  ...choices(
    'an environment',
    'AgentExecutionEnvironment response',
    [
      { id: 'e', networkMode: 'DISABLED', fileCount: '3', status: 'ACTIVE' },
      { id: 'e', networkAllowlist: ['a.example'] },
    ],
    [
      { networkMode: 'DISABLED' },
      { id: 'e', networkMode: 'DISABLED', networkAllowlist: [] },
      { id: 'e', networkMode: 'OPEN' },
      { id: 'e', networkMode: 'DISABLED', sizeBytes: 3 },
      { id: 'e', networkMode: 'DISABLED', status: 'GONE' },
    ],
  ),
];

const RESPONSES: readonly ValueRow[] = [
  ...choices(
    'all candidates or none',
    'generateContent 200',
    [{ candidates: [{ index: 0 }] }, { promptFeedback: { blockReason: 'SAFETY' } }],
    [{ candidates: [{ index: 0 }], promptFeedback: { blockReason: 'SAFETY' } }],
  ),
  ...choices(
    'block reasons',
    'PromptFeedback response',
    words('BLOCK_REASON_UNSPECIFIED SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT IMAGE_SAFETY').map((blockReason) => ({
      blockReason,
    })),
    [{ blockReason: 'MOOD' }],
  ),
  ...choices(
    'finish reasons',
    'Candidate response',
    words(`FINISH_REASON_UNSPECIFIED STOP MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL
    IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_OTHER NO_IMAGE IMAGE_RECITATION UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS
    MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE ESCALATION`).map((finishReason) => ({ finishReason })),
    [{ finishReason: 'DONE' }],
  ),
  ...choices(
    'a message only with a reason',
    'Candidate response',
    [{ finishReason: 'OTHER', finishMessage: 'm' }],
    [{ finishMessage: 'm' }],
  ),
  ...choices(
    'token counts are integers',
    'UsageMetadata response',
    [{ promptTokenCount: 1, totalTokenCount: 2, promptTokensDetails: [{}] }],
    [{ totalTokenCount: '2' }, { thoughtsTokenCount: 0.5 }],
  ),
  ...choices(
    'stages',
    'ModelStatus response',
    words('MODEL_STAGE_UNSPECIFIED UNSTABLE_EXPERIMENTAL EXPERIMENTAL PREVIEW STABLE LEGACY DEPRECATED RETIRED').map(
      (modelStage) => ({ modelStage }),
    ),
    [{ modelStage: 'BETA' }],
  ),
  ...choices(
    'Z with 0, 3, 6 or 9 fractional digits',
    'ModelStatus response',
    ['', '.123', '.123456', '.123456789'].map((fraction) => ({ retirementTime: `2027-01-01T00:00:00${fraction}Z` })),
    [{ retirementTime: '2027-01-01T00:00:00+01:00' }, { retirementTime: '2027-01-01T00:00:00.12Z' }],
  ),
  ...choices(
    'states of a file',
    'getFile 200',
    [
      { name: 'files/a', state: 'PROCESSING' },
      { name: 'files/a', state: 'ACTIVE' },
    ],
    [{ name: 'files/a', state: 'active' }],
  ),
  ...choices(
    'the upload responds with a file',
    'uploadFileBytes 200',
    [{ file: { name: 'files/a', uri: 'https://a.example/files/a', mimeType: 'video/mp4', state: 'PROCESSING' } }],
    [{ file: 'files/a' }],
  ),
];

const LIVE: readonly ValueRow[] = [
  ...choices(
    'input-only members',
    'AuthToken',
    [{ uses: 0, expireTime: '2026-11-20T12:00:00Z', newSessionExpireTime: '2026-11-20T11:00:00+01:00', fieldMask: '' }],
    [{ uses: 1.5 }, { uses: 'one' }, { expireTime: 'soon' }, { newSessionExpireTime: '12:00' }],
  ),
  ...choices(
    'comma-separated field names',
    'AuthToken',
    [{ fieldMask: 'generationConfig,tools' }],
    [{ fieldMask: 'a,,b' }],
  ),
  ...choices(
    'input only',
    'createAuthToken 200',
    [{ name: 'auth_tokens/a' }],
    [
      { name: 'auth_tokens/a', uses: 1 },
      { name: 'auth_tokens/a', expireTime: '2026-11-20T12:00:00Z' },
    ],
  ),
  ...choices('the model is required', 'BidiGenerateContentSetup', [{ model: 'models/a' }], [{}, { model: 'a' }]),
  ...choices(
    'unsupported settings',
    'BidiGenerateContentSetup',
    [{ model: 'models/a', generationConfig: { temperature: 1, candidateCount: 1 } }],
    [
      { responseLogprobs: true },
      { responseMimeType: 'text/plain' },
      { responseLogprobs: true, logprobs: 1 },
      { responseSchema: { type: 'STRING' }, responseMimeType: 'application/json' },
      { responseJsonSchema: {}, responseMimeType: 'application/json' },
      { stopSequence: 'a' },
      { skipResponseCache: true },
      { routingConfig: {} },
      { audioTimestamp: true },
    ].map((generationConfig) => ({ model: 'models/a', generationConfig })),
  ),
  ...choices(
    'text only',
    'BidiGenerateContentSetup',
    [{ model: 'models/a', systemInstruction: { parts: [{ text: 'a' }, { text: 'b' }] } }],
    [{ model: 'models/a', systemInstruction: { parts: [{ fileData: { fileUri: 'a' } }] } }],
  ),
  ...choices(
    'one kind of message',
    'BidiGenerateContentClientMessage',
    [{ setup: { model: 'models/a' } }],
    [{ setup: { model: 'models/a' }, clientContent: {} }, {}],
  ),
  ...choices(
    'one kind of message',
    'BidiGenerateContentServerMessage',
    [{ setupComplete: {} }],
    [{ setupComplete: {}, goAway: {} }],
  ),
];

export const GENERATION_RESPONSES_RULES: SeedRules = { values: [...TYPES, ...RESPONSES, ...LIVE] };
