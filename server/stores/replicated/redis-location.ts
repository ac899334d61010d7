import { InputError } from '../../../model/diagnostics/input-error.js';

/** A Redis server and the part of it that mocks use. */
export interface RedisLocation {
  /** Without the prefix; with user name and password, if any. */
  readonly url: string;
  readonly server: string;
  readonly prefix: string;
}

const DEFAULT_PREFIX = 'specmill:';

/** @throws InputError if the text is not a Redis URL. */
export function parseRedisUrl(text: string): RedisLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url !== undefined && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  const others = [...(url?.searchParams.keys() ?? [])].filter((name) => name !== 'prefix');
  if (!isRedis || !/^\/?\d*$/.test(url.pathname) || others.length > 0 || url.hash !== '')
    throw new InputError('The option store must be an address such as redis://HOST:PORT[/DB][?prefix=P].');
  const prefix = url.searchParams.get('prefix') ?? DEFAULT_PREFIX;
  url.search = '';
  return { url: url.href, server: url.host, prefix: prefix.endsWith(':') || prefix === '' ? prefix : `${prefix}:` };
}
