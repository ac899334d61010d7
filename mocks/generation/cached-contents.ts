import {
  parseIsoTime,
  type Collection,
  type Handler,
  type HandlerContext,
  withoutUndefined,
  type ResourceCall,
  type ResourceHooks,
  toIsoTime,
} from 'specmill/mock';

import type {
  CachedContent,
  CachedContentInput,
  ContentModality,
  GenerationOperations,
} from '../../generated/generation/types.js';
import { checkFiles, schedule } from './files.js';
import { modelId, useModel } from './models.js';
import { describeResource, fromDuration, HOUR, notFound, refuseMember } from './refusal.js';
import { contentsOf, countPrompt, sumTokens } from './tokens.js';

/** Stored cached content, by id. */
export interface StoredCache extends CachedContent {
  readonly context?: Pick<CachedContentInput, 'contents' | 'systemInstruction' | 'tools' | 'toolConfig'>;
  readonly tokens?: readonly (readonly [ContentModality, number])[];
}

function cachesOf(context: HandlerContext): Collection<StoredCache> {
  return context.collection<StoredCache>('/v1beta/cachedContents');
}

function isPresent({ expireTime = '' }: StoredCache, { clock }: HandlerContext): boolean {
  return !(parseIsoTime(expireTime) <= clock.now());
}

/** @throws HttpError if no cached content has the name, or it has expired. */
export async function findCache(context: HandlerContext, id: string): Promise<StoredCache> {
  const cache = await cachesOf(context).get(id);
  if (cache === undefined || !isPresent(cache, context)) throw notFound(`Cached content cachedContents/${id}`);
  return cache;
}

/** Counts the tokens before the write, because they depend on the files that the record references. */
export const createCachedContent: Handler<GenerationOperations['createCachedContent']> = async (call) => {
  const { body } = call.input;
  const { model, contents = [], systemInstruction, tools, toolConfig } = body;
  useModel(modelId(model), 'createCachedContent', call.clock.now());
  const tokens = countPrompt(body, await checkFiles(call, contentsOf(body)));
  return call.default({
    tokens: [...tokens],
    context: withoutUndefined({ contents, systemInstruction, tools, toolConfig }),
    usageMetadata: { totalTokenCount: sumTokens(tokens) },
  });
};

export const CACHE_HOOKS: ResourceHooks<StoredCache> = {
  ...describeResource('Cached content cachedContents', { defaultSize: 50, maxSize: 1_000 }),
  makeId,
  isPresent,
  beforeWrite: ({ item, before, call }) => {
    const now = call.clock.now();
    const expiresAt = readExpiry(askedExpiry(call), now);
    if (before !== undefined && expiresAt === undefined) return before;
    const { name, displayName, model, usageMetadata, tokens, context } = before ?? item;
    return {
      ...withoutUndefined({ name, displayName, model, usageMetadata, tokens, context }),
      ...{
        createTime: before?.createTime ?? toIsoTime(now),
        updateTime: toIsoTime(now),
        expireTime: toIsoTime(expiresAt ?? now + HOUR),
      },
    };
  },
  afterWrite: ({ kind, id, item: { expireTime = '' }, call }) =>
    kind === 'delete'
      ? call.clock.cancel(`expire-cache ${id}`)
      : schedule(call, 'expire-cache', id, parseIsoTime(expireTime)),
};

export async function removeCache(context: HandlerContext, id: string): Promise<void> {
  await cachesOf(context).delete(id);
}

/** The expiry that a call requests for cached content; for a patch, only the members in its mask. */
function askedExpiry({ input }: ResourceCall): Pick<CachedContentInput, 'expireTime' | 'ttl'> {
  const { expireTime, ttl }: Pick<CachedContentInput, 'expireTime' | 'ttl'> = input.body ?? {};
  const mask: unknown = input.query?.['updateMask'];
  const names = typeof mask === 'string' ? mask.split(',') : ['expireTime', 'ttl'];
  return {
    ...(expireTime !== undefined && names.some((name) => /^expire(?:Time|_time)$/.test(name)) ? { expireTime } : {}),
    ...(ttl !== undefined && names.includes('ttl') ? { ttl } : {}),
  };
}

function readExpiry(
  { expireTime, ttl }: Pick<CachedContentInput, 'expireTime' | 'ttl'>,
  now: number,
): number | undefined {
  if (ttl !== undefined) {
    if (fromDuration(ttl) <= 0) throw refuseMember('/ttl', 'ttl', 'must be more than 0 seconds');
    return now + fromDuration(ttl);
  }
  if (expireTime === undefined) return undefined;
  const expiresAt = parseIsoTime(expireTime);
  if (expiresAt <= now) throw refuseMember('/expireTime', 'expireTime', 'must be in the future');
  return expiresAt;
}

const ID_LENGTH = 12;

/** Returns an id of lower-case letters and digits, as in names of this service. */
export function makeId(context: HandlerContext): string {
  return Array.from({ length: ID_LENGTH }, () => context.random.integer(0, 35).toString(36)).join('');
}
