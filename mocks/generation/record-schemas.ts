import type { JsonSchema } from 'specmill/mock';

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** A described resource that has its name. */
function named(schema: string): JsonSchema {
  return { $ref: `#/$defs/${schema}`, required: ['name'], properties: { name: TEXT } };
}

/** What restored items must be, so that everything that is done with them finds what it needs. */
export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  files: record({
    record: named('FileModel'),
    sizeBytes: NUMBER,
    order: NUMBER,
    expiresAt: NUMBER,
    keptBytes: NUMBER,
  }),
  fileBytes: { type: 'object' },
  uploads: record({
    fileId: TEXT,
    mimeType: TEXT,
    sizeBytes: NUMBER,
    received: NUMBER,
    status: { enum: ['active', 'final', 'cancelled'] },
  }),
  cachedContents: record({
    record: named('CachedContent'),
    context: {
      type: 'object',
      properties: { contents: { type: 'array', items: { $ref: '#/$defs/Content' } } },
    },
    tokens: { type: 'array', items: { type: 'array', prefixItems: [TEXT, NUMBER], minItems: 2 } },
    order: NUMBER,
    expiresAt: NUMBER,
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
