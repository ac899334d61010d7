import type { JsonSchema } from 'specmill/mock';

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
export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
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
    history: { type: 'array', items: { $ref: '#/$defs/Content' } },
    expiresAt: NUMBER,
  }),
};
