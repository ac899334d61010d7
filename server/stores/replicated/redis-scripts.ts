import { createHash } from 'node:crypto';

import { JOURNAL_LENGTH } from '../../../http/journal/journal-entry.js';

export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

function toScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** The number of changes that are kept for other processes. A process that is further behind reads everything. */
const LOG_LENGTH = 500;

/**
 * Reads the changes of a sandbox since a version. KEYS: head, log, items. ARGV: the version. Returns nil if it is the
 * current one, else the current version with the changes since then, or with all items.
 */
export const PULL: RedisScript = toScript(`
  local version = redis.call('GET', KEYS[1]) or ''
  if version == ARGV[1] then return false end
  local epoch, number = string.match(version, '^(.-)%.(%d+)$')
  local knownEpoch, knownNumber = string.match(ARGV[1], '^(.-)%.(%d+)$')
  if epoch and epoch == knownEpoch then
    local missing = tonumber(number) - tonumber(knownNumber)
    if missing > 0 and missing <= redis.call('LLEN', KEYS[2]) then
      return {version, 'changes', redis.call('LRANGE', KEYS[2], -missing, -1)}
    end
  end
  return {version, 'all', redis.call('HGETALL', KEYS[3])}
`);

/**
 * Commits, if the sandbox still has the version. KEYS: head, log, items, chunks, journal, journal count, due, used.
 * ARGV: version, next version, sandbox, now, due time (or '' or 'never'), whether to clear, the change for the log (''
 * if it is too long), then five lists, each preceded by its length: puts, deletes, chunks, dropped chunks, journal.
 */
export const PUSH: RedisScript = toScript(`
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  if ARGV[6] == '1' then redis.call('DEL', KEYS[3], KEYS[4]) end
  local place = 8
  local function each(width, work)
    local count = tonumber(ARGV[place])
    for index = 0, count - 1 do work(place + 1 + index * width) end
    place = place + 1 + count * width
    return count
  end
  local puts = {}
  each(2, function(at) puts[#puts + 1] = at end)
  each(1, function(at) redis.call('HDEL', KEYS[3], ARGV[at]) end)
  for _, at in ipairs(puts) do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
  local chunks = {}
  each(2, function(at) chunks[#chunks + 1] = at end)
  each(1, function(at) redis.call('HDEL', KEYS[4], ARGV[at]) end)
  for _, at in ipairs(chunks) do redis.call('HSET', KEYS[4], ARGV[at], ARGV[at + 1]) end
  local calls = each(1, function(at) redis.call('RPUSH', KEYS[5], ARGV[at]) end)
  if calls > 0 then
    redis.call('LTRIM', KEYS[5], -${JOURNAL_LENGTH}, -1)
    redis.call('INCRBY', KEYS[6], calls)
  end
  if ARGV[7] == '' then
    redis.call('DEL', KEYS[2])
  else
    redis.call('RPUSH', KEYS[2], ARGV[7])
    redis.call('LTRIM', KEYS[2], -${LOG_LENGTH}, -1)
  end
  if ARGV[5] == 'never' then
    redis.call('ZREM', KEYS[7], ARGV[3])
  elseif ARGV[5] ~= '' then
    redis.call('ZADD', KEYS[7], ARGV[5], ARGV[3])
  end
  redis.call('ZADD', KEYS[8], ARGV[4], ARGV[3])
  redis.call('SET', KEYS[1], ARGV[2])
  return 1
`);

/** Adds calls to a journal. KEYS: journal, journal count. ARGV: the calls. */
export const ADD_CALLS: RedisScript = toScript(`
  for _, call in ipairs(ARGV) do redis.call('RPUSH', KEYS[1], call) end
  redis.call('LTRIM', KEYS[1], -${JOURNAL_LENGTH}, -1)
  return redis.call('INCRBY', KEYS[2], #ARGV)
`);

/**
 * Returns the number of calls ever added, and the kept calls after a given number, or all if fewer were ever added.
 * KEYS: journal, journal count. ARGV: the given number.
 */
export const READ_CALLS: RedisScript = toScript(`
  local count = redis.call('GET', KEYS[2]) or '0'
  local missing = tonumber(count) - tonumber(ARGV[1])
  if missing == 0 then return {count, {}} end
  if missing < 0 then missing = tonumber(count) end
  return {count, redis.call('LRANGE', KEYS[1], -missing, -1)}
`);
