import {
  ABSENT,
  type EndpointRow,
  type MemberRow,
  type ValueRow,
  choices,
  type SeedRules,
  named,
  words,
} from '../support/seed-rules.js';

const ENDPOINTS: readonly EndpointRow[] = [
  ['POST', '/v1beta/models/{model}:generateContent', ['200']],
  ['POST', '/v1beta/models/{model}:streamGenerateContent', ['200']],
  ['POST', '/upload/v1beta/files', ['200']],
  ['GET', '/v1beta/files/{name}', ['200']],
];

const CONTENTS = [{ role: 'user', parts: [{ text: 'Why is the sea salt?' }] }];

/** Rows about requests that differ in some members. */
function request(rule: string, accepted: readonly object[], refused: readonly object[] = []): ValueRow[] {
  const whole = (change: object): unknown => ({ contents: CONTENTS, ...change });
  return choices(rule, 'generateContent body', accepted.map(whole), refused.map(whole));
}

/** Rows about the settings of a request. */
function settings(rule: string, accepted: readonly object[], refused: readonly object[] = []): ValueRow[] {
  const whole = (generationConfig: object): object => ({ generationConfig });
  return request(rule, accepted.map(whole), refused.map(whole));
}

const CATEGORIES =
  words(`HARM_CATEGORY_HATE_SPEECH HARM_CATEGORY_SEXUALLY_EXPLICIT HARM_CATEGORY_DANGEROUS_CONTENT HARM_CATEGORY_HARASSMENT
  HARM_CATEGORY_CIVIC_INTEGRITY HARM_CATEGORY_JAILBREAK`);

const setting = (category: string): object => ({ category, threshold: 'BLOCK_ONLY_HIGH' });

const REQUESTS: readonly ValueRow[] = [
  ['contents are required', 'generateContent body', {}, false],
  ['one body for both methods', 'streamGenerateContent body', { contents: CONTENTS }, true],
  ['contents are required', 'streamGenerateContent body', {}, false],
  ...request('unknown members are tolerated', [{ colour: 'red' }]),
  ...request(
    'at most one setting for each category',
    [{ safetySettings: CATEGORIES.map(setting) }],
    [
      ...CATEGORIES.map((category) => ({ safetySettings: [setting(category), setting(category)] })),
      { safetySettings: [setting('HARM_CATEGORY_BOREDOM')] },
    ],
  ),
  ...request(
    'text only',
    [{ systemInstruction: { parts: [{ text: 'Be brief.' }] } }],
    [{ systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }],
  ),
  ...request(
    'a name of cached content',
    [{ cachedContent: 'cachedContents/a1' }],
    [{ cachedContent: 'a1' }, { cachedContent: 'cachedContents/a/b' }],
  ),
  ...request('a boolean', [{ store: true }], [{ store: 'true' }]),
  ...['user', 'model', 'function'].flatMap((role) =>
    request('seen roles', [{ contents: [{ role, parts: [{ text: 'a' }] }] }]),
  ),
  ...choices(
    'a part is one of',
    'Part',
    [
      { text: 'a' },
      { inlineData: { mimeType: 'a/b', data: 'AA==' } },
      { fileData: { mimeType: 'a/b', fileUri: 'https://a.example/f' } },
    ],
    [
      { text: 'a', inlineData: { mimeType: 'a/b', data: 'AA==' } },
      { inlineData: { mimeType: 'a/b', data: 'not base64!' } },
      { text: 1 },
    ],
  ),
];

const SETTINGS: readonly ValueRow[] = [
  ...settings('at most 5', [{ stopSequences: words('1 2 3 4 5') }], [{ stopSequences: words('1 2 3 4 5 6') }]),
  ...settings(
    'three media types',
    ['text/plain', 'application/json', 'text/x.enum'].map((responseMimeType) => ({ responseMimeType })),
    [{ responseMimeType: 'text/html' }],
  ),
  ...settings(
    'a schema needs application/json',
    [{ responseSchema: { type: 'STRING' }, responseMimeType: 'application/json' }],
    [{ responseSchema: { type: 'STRING' } }, { responseSchema: { type: 'STRING' }, responseMimeType: 'text/plain' }],
  ),
  ...settings(
    'exclusive with responseSchema, requires responseMimeType',
    [{ responseJsonSchema: { type: 'object' }, responseMimeType: 'application/json' }],
    [
      { responseJsonSchema: { type: 'object' } },
      { responseJsonSchema: {}, responseSchema: { type: 'STRING' }, responseMimeType: 'application/json' },
    ],
  ),
  ...settings(
    '0.0 to 2.0',
    [{ temperature: 0 }, { temperature: 2 }],
    [{ temperature: -0.1 }, { temperature: 2.1 }, { temperature: '1' }],
  ),
  ...settings(
    '0 to 20, only when responseLogprobs is true',
    [
      { responseLogprobs: true, logprobs: 0 },
      { responseLogprobs: true, logprobs: 20 },
    ],
    [
      { responseLogprobs: true, logprobs: 21 },
      { responseLogprobs: true, logprobs: -1 },
      { responseLogprobs: false, logprobs: 5 },
      { logprobs: 5 },
    ],
  ),
  ...settings(
    'empty means text only',
    [{ responseModalities: [] }, { responseModalities: ['TEXT'] }],
    [{ responseModalities: 'TEXT' }],
  ),
  ...settings(
    'integers',
    [{ candidateCount: 1, maxOutputTokens: 100, topK: 40, seed: 7 }],
    [{ candidateCount: 1.5 }, { maxOutputTokens: '9' }, { topK: 0.5 }, { seed: 0.5 }],
  ),
  ...settings(
    'numbers',
    [{ topP: 0.9, presencePenalty: -1, frequencyPenalty: -1.5 }],
    [{ presencePenalty: '1' }, { frequencyPenalty: true }],
  ),
  ...settings(
    'booleans',
    [{ enableEnhancedCivicResponses: true, enableAffectiveDialog: false }],
    [{ enableAffectiveDialog: 1 }],
  ),
  ...settings(
    'resolutions',
    words('MEDIA_RESOLUTION_UNSPECIFIED MEDIA_RESOLUTION_LOW MEDIA_RESOLUTION_MEDIUM MEDIA_RESOLUTION_HIGH').map(
      (mediaResolution) => ({ mediaResolution }),
    ),
    [{ mediaResolution: 'LOW' }],
  ),
];

const PARAMETERS: readonly ValueRow[] = [
  ...choices('the model is required', 'generateContent path model', ['sonata-2'], [ABSENT]),
  ...choices('server-sent events', 'streamGenerateContent query alt', ['sse'], ['xml']),
  ...choices('resumable', 'startUpload header X-Vendor-Upload-Protocol', ['resumable'], ['multipart', ABSENT]),
  ...choices('start', 'startUpload header X-Vendor-Upload-Command', ['start'], ['upload', ABSENT]),
  ...choices('a number of bytes', 'startUpload header X-Vendor-Upload-Header-Content-Length', [0, 5_242_880], ['many']),
  ...choices('a media type', 'startUpload header X-Vendor-Upload-Header-Content-Type', ['video/mp4']),
  ...choices('the upload address', 'startUpload 200 header X-Vendor-Upload-Url', ['https://a.example/upload/1']),
  ...choices(
    'upload, finalize',
    'uploadFileBytes header X-Vendor-Upload-Command',
    ['upload, finalize'],
    ['start', ABSENT],
  ),
  ...choices('an offset', 'uploadFileBytes header X-Vendor-Upload-Offset', [0], ['x']),
  ...choices(
    'a display name',
    'startUpload body',
    [{ file: { displayName: 'Harbour' } }],
    [{ file: { displayName: 7 } }],
  ),
];

const MEMBERS: readonly MemberRow[] = [
  ...['usageMetadata', 'modelVersion', 'responseId', 'modelStatus'].map((name): MemberRow => [
    'output only',
    `GenerateContentResponse.${name}`,
    { readOnly: true },
  ]),
  ...words(
    'content finishReason finishMessage citationMetadata tokenCount groundingAttributions groundingMetadata',
  ).map((name): MemberRow => ['output only', `Candidate.${name}`, { readOnly: true }]),
  ['output only', 'GroundingAttribution.sourceId', { readOnly: true }],
  ...words('id created updated lastAccessed').map((name): MemberRow => [
    'output only',
    `AgentExecutionEnvironment.${name}`,
    { readOnly: true },
  ]),
  ['output only', 'AuthToken.name', { readOnly: true }],
  ...words('expireTime newSessionExpireTime bidiGenerateContentSetup uses').map((name): MemberRow => [
    'input only',
    `AuthToken.${name}`,
    { writeOnly: true },
  ]),
  ['default 1', 'AuthToken.uses', { default: 1 }],
  ['default text/plain', 'GenerationConfig.responseMimeType', { default: 'text/plain' }],
  ['deprecated', 'GenerationConfig.responseSchema', { deprecated: true }],
  ['deprecated', 'GenerationConfig._responseJsonSchema', { deprecated: true }],
  ['default 1', 'GenerationConfig.candidateCount', { default: 1 }],
  ['default 1.0', 'VideoMetadata.fps', { default: 1 }],
  ['default BLOCKING', 'FunctionDeclaration.behavior', { default: 'BLOCKING' }],
  ...named(
    'GenerateContentRequest',
    'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent serviceTier store',
  ),
  ...named('GenerateContentResponse', 'candidates promptFeedback.safetyRatings'),
  ...named(
    'UsageMetadata',
    `promptTokenCount cachedContentTokenCount candidatesTokenCount toolUsePromptTokenCount thoughtsTokenCount totalTokenCount promptTokensDetails
    cacheTokensDetails candidatesTokensDetails toolUsePromptTokensDetails serviceTier`,
  ),
  ...named('Candidate', 'safetyRatings avgLogprobs logprobsResult urlContextMetadata index'),
  ...named(
    'GroundingMetadata',
    'groundingChunks groundingSupports webSearchQueries imageSearchQueries searchEntryPoint.renderedContent searchEntryPoint.sdkBlob retrievalMetadata vendorMapsWidgetContextToken',
  ),
  ...named(
    'GroundingChunk',
    'web.uri web.title image.sourceUri image.imageUri image.title image.domain maps.uri maps.title maps.text',
  ),
  ...named('RetrievedContext', 'customMetadata uri title text fileSearchStore pageNumber mediaId'),
  ...named(
    'Tool',
    'functionDeclarations vendorSearchRetrieval codeExecution vendorSearch computerUse urlContext fileSearch mcpServers vendorMaps',
  ),
  ...named(
    'Schema',
    'format title description nullable minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default minimum maximum required',
  ),
  ...named('GenerationConfig', 'speechConfig thinkingConfig imageConfig responseFormat translationConfig'),
  ...named(
    'BidiGenerateContentSetup',
    'tools realtimeInputConfig sessionResumption contextWindowCompression inputAudioTranscription outputAudioTranscription historyConfig',
  ),
  ...named('ToolCall', 'id toolName args'),
  ...named('ToolResponse', 'id response'),
  ...named('File', 'name uri mimeType state displayName'),
];

export const GENERATION_REQUESTS_RULES: SeedRules = {
  endpoints: ENDPOINTS,
  members: MEMBERS,
  values: [...REQUESTS, ...SETTINGS, ...PARAMETERS],
};
