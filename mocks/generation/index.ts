import {
  type Action,
  type CallsOf,
  ActionRefusedError,
  type DefinedMock,
  defineMock,
  type HandlerContext,
  type JsonSchema,
} from 'specmill/mock';

import type { FileModel, GenerationOperations } from '../../generated/generation/types.js';
import { createAuthToken } from './auth-tokens.js';
import { CACHE_HOOKS, createCachedContent, removeCache } from './cached-contents.js';
import {
  countPromptTokens,
  generateContent,
  getModel,
  listModels,
  streamGenerateContent,
} from './content-operations.js';
import { batchEmbedContents, embedContent } from './embeddings.js';
import { FILE_HOOKS, removeFile, settleFile } from './files.js';
import { endSession, serveSession, warnSession } from './live/serve-session.js';
import { refuseUnknownToken } from './live/start-session.js';
import { acceptMultipartUploads, startUpload, uploadFileBytes } from './uploads.js';

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** A resource with its name and further stored members. */
function named(schema: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { $ref: `#/$defs/${schema}`, required: ['name'], properties: { name: TEXT, ...properties } };
}

/** The schemas that restored items must fit, because handlers rely on their members. */
const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  '/v1beta/files': named('FileModel', { order: NUMBER, keptBytes: NUMBER }),
  fileBytes: { type: 'object' },
  uploads: record({
    fileId: TEXT,
    mimeType: TEXT,
    sizeBytes: NUMBER,
    received: NUMBER,
    status: { enum: ['active', 'final', 'cancelled'] },
  }),
  '/v1beta/cachedContents': named('CachedContent', {
    context: {
      type: 'object',
      properties: { contents: { type: 'array', items: { $ref: '#/$defs/Content' } } },
    },
    tokens: { type: 'array', items: { type: 'array', prefixItems: [TEXT, NUMBER], minItems: 2 } },
  }),
  authTokens: record({
    expiresAt: NUMBER,
    newSessionExpiresAt: NUMBER,
    uses: NUMBER,
    used: NUMBER,
    fieldMask: TEXT,
  }),
  liveSessions: record({
    model: TEXT,
    session: TEXT,
    first: NUMBER,
    end: NUMBER,
    expiresAt: NUMBER,
  }),
  liveTurns: record({ content: { $ref: '#/$defs/Content' } }),
};

interface Settlement {
  readonly name: string;
  readonly state: 'ACTIVE' | 'FAILED';
}

export type GenerationActions = {
  /** Ends the processing of a file. Returns the file. */
  readonly 'settle-file': Action<Settlement, FileModel>;
};

declare module 'specmill/mock' {
  interface ActionsByApi {
    readonly generation: CallsOf<GenerationActions>;
  }
}

const settle: Action<Settlement, FileModel> = {
  description: 'The processing of a file comes to its end: it is ACTIVE, or it has FAILED.',
  input: {
    type: 'object',
    required: ['name', 'state'],
    properties: {
      name: { type: 'string', description: 'The name, with or without `files/`.' },
      state: { enum: ['ACTIVE', 'FAILED'] },
    },
  },
  run: async (context, { name, state }) => {
    const id = name.replace(/^files\//, '');
    const settled = await settleFile(context, id, state);
    if (settled !== undefined) return settled;
    throw new ActionRefusedError(`There is no file files/${id} in PROCESSING.`);
  },
};

interface Due {
  readonly id: string;
}

/** Content generation: responses derived from the request and the seed (document 2, part A). */
export const mock: DefinedMock<GenerationActions> = defineMock<GenerationOperations, GenerationActions>('generation', {
  items: RECORD_SCHEMAS,
  resources: { FileModel: FILE_HOOKS, CachedContent: CACHE_HOOKS },
  operations: {
    generateContent,
    streamGenerateContent,
    countTokens: countPromptTokens,
    embedContent,
    batchEmbedContents,
    listModels,
    getModel,
    startUpload,
    uploadFileBytes,
    createCachedContent,
    createAuthToken,
    createAuthTokenV1alpha: createAuthToken,
  },
  middleware: acceptMultipartUploads,
  streamed: ['uploadFileBytes'],
  handshakes: { openConstrainedLiveSession: refuseUnknownToken },
  sockets: { openLiveSession: serveSession, openConstrainedLiveSession: serveSession },
  actions: { 'settle-file': settle },
  jobs: {
    'settle-file': async (context: HandlerContext, { id }: Due) => void (await settleFile(context, id, 'ACTIVE')),
    'expire-file': (context: HandlerContext, { id }: Due) => removeFile(context, id),
    'expire-cache': (context: HandlerContext, { id }: Due) => removeCache(context, id),
    'warn-live-session': (context: HandlerContext, { id }: Due) => warnSession(context, id),
    'end-live-session': (context: HandlerContext, { id }: Due) => endSession(context, id),
  },
});
