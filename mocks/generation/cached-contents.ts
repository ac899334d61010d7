import {
  type Call,
  type Collection,
  type HandlerContext,
  type HandlerResponse,
  stringifyExactJson,
  toIsoTime,
} from 'specmill/mock';

import type {
  CachedContent,
  CachedContentInput,
  ContentModality,
  GenerationOperations,
} from '../../generated/generation/types.js';
import { checkFiles } from './files.js';
import { modelId, useModel } from './models.js';
import { fromDuration, HOUR, notFound, readPage, refuseMember } from './refusal.js';
import { addTokens, countTokens, splitTokens, sumTokens } from './tokens.js';

/** Cached content as it is kept. */
export interface StoredCache {
  readonly record: CachedContent;
  readonly context: Pick<CachedContentInput, 'contents' | 'systemInstruction' | 'tools' | 'toolConfig'>;
  /** Tokens by modality. */
  readonly tokens: readonly (readonly [ContentModality, number])[];
  readonly order: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

type CacheCall<Name extends keyof GenerationOperations> = Call<GenerationOperations[Name]>;

function cachesOf(context: HandlerContext): Collection<StoredCache> {
  return context.collection<StoredCache>('cachedContents');
}

/** @throws HttpError if there is none, or it has expired. */
export async function findCache(context: HandlerContext, id: string): Promise<StoredCache> {
  const cache = await cachesOf(context).get(id);
  if (cache === undefined || cache.expiresAt <= context.clock.now())
    throw notFound(`Cached content cachedContents/${id}`);
  return cache;
}

export async function createCachedContent(call: CacheCall<'createCachedContent'>): Promise<HandlerResponse> {
  const { displayName, model, contents = [], systemInstruction, tools, toolConfig, expireTime, ttl } = call.input.body;
  const now = call.clock.now();
  useModel(modelId(model), 'createCachedContent', now);
  const spoken = [...contents, ...(systemInstruction === undefined ? [] : [systemInstruction])];
  const describeFile = await checkFiles(call, spoken, new URL(call.baseUrl).host);
  const toolTokens = tools === undefined ? [] : ([['TEXT', splitTokens(stringifyExactJson(tools)).length]] as const);
  const tokens = addTokens(countTokens(spoken, describeFile), new Map(toolTokens));
  const expiresAt = readExpiry({ expireTime, ttl }, now) ?? now + HOUR;
  const id = makeId(call);
  const record: CachedContent = {
    name: `cachedContents/${id}`,
    ...(displayName === undefined ? {} : { displayName }),
    ...{ model, createTime: toIsoTime(now), updateTime: toIsoTime(now), expireTime: toIsoTime(expiresAt) },
    usageMetadata: { totalTokenCount: sumTokens(tokens) },
  };
  const kept = { contents, systemInstruction, tools, toolConfig };
  const context = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  await cachesOf(call).put(id, {
    record,
    context,
    tokens: [...tokens],
    order: await call.next('cachedContents'),
    expiresAt,
  });
  await scheduleExpiry(call, id, expiresAt);
  return call.respond(200, record);
}

export async function listCachedContents(call: CacheCall<'listCachedContents'>): Promise<HandlerResponse> {
  const now = call.clock.now();
  const { items } = await cachesOf(call).query({
    order: [{ path: 'order' }],
    filter: (cache) => (cache as StoredCache).expiresAt > now,
  });
  const { page, nextPageToken } = readPage(
    items.map(({ value }) => value),
    { ...call.input.query, kind: 'cachedContents', byDefault: 50, atMost: 1_000 },
    ({ order }) => order,
  );
  return call.respond(200, {
    ...(page.length > 0 ? { cachedContents: page.map(({ record }) => record) } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  });
}

export async function getCachedContent(call: CacheCall<'getCachedContent'>): Promise<HandlerResponse> {
  return call.respond(200, (await findCache(call, call.input.path.name)).record);
}

export async function patchCachedContent(call: CacheCall<'patchCachedContent'>): Promise<HandlerResponse> {
  const { name: id } = call.input.path;
  const { record } = await findCache(call, id);
  const mask = call.input.query?.updateMask?.split(',').map((name) => (name === 'expire_time' ? 'expireTime' : name));
  const { expireTime, ttl } = call.input.body;
  const isNamed = (name: string): boolean => mask === undefined || mask.includes(name);
  const now = call.clock.now();
  const expiresAt = readExpiry(
    { expireTime: isNamed('expireTime') ? expireTime : undefined, ttl: isNamed('ttl') ? ttl : undefined },
    now,
  );
  if (expiresAt === undefined) return call.respond(200, record);
  const changed = { ...record, updateTime: toIsoTime(now), expireTime: toIsoTime(expiresAt) };
  await cachesOf(call).update(id, (cache) =>
    cache === undefined ? undefined : { ...cache, record: changed, expiresAt },
  );
  await scheduleExpiry(call, id, expiresAt);
  return call.respond(200, changed);
}

export async function deleteCachedContent(call: CacheCall<'deleteCachedContent'>): Promise<HandlerResponse> {
  const { name: id } = call.input.path;
  await findCache(call, id);
  await removeCache(call, id);
  return call.respond(200, {});
}

export async function removeCache(context: HandlerContext, id: string): Promise<void> {
  await context.clock.cancel(`expire-cache ${id}`);
  await cachesOf(context).delete(id);
}

async function scheduleExpiry(context: HandlerContext, id: string, dueAt: number): Promise<void> {
  await context.clock.schedule({ id: `expire-cache ${id}`, name: 'expire-cache', dueAt, payload: { id } });
}

function readExpiry(
  { expireTime, ttl }: { readonly expireTime: string | undefined; readonly ttl: string | undefined },
  now: number,
): number | undefined {
  if (ttl !== undefined) {
    if (fromDuration(ttl) <= 0) throw refuseMember('/ttl', 'ttl', 'must be more than 0 seconds');
    return now + fromDuration(ttl);
  }
  if (expireTime === undefined) return undefined;
  const expiresAt = Date.parse(expireTime);
  if (expiresAt <= now) throw refuseMember('/expireTime', 'expireTime', 'must be in the future');
  return expiresAt;
}

const ID_LENGTH = 12;

/** Lower-case letters and digits, as names of this service have them. */
export function makeId(context: HandlerContext): string {
  return Array.from({ length: ID_LENGTH }, () => context.random.integer(0, 35).toString(36)).join('');
}
