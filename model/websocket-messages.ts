import type { Api, Operation } from './api.js';
import { fragmentToPointer } from './document/pointer.js';
import { resolveFile } from './document/source-document.js';
import type { WebSocketValue } from './helper-values.js';
import { refTo, type SchemaObject } from './schema-types.js';

/** The schema of the messages that one side of a WebSocket sends (`x-websocket`); `undefined` if the API has none. */
export function findMessageSchema(
  api: Api,
  { extensions, source }: Operation,
  side: 'client' | 'server',
): SchemaObject | undefined {
  const reference = (extensions['x-websocket'] as Partial<WebSocketValue> | undefined)?.[side];
  if (typeof reference !== 'string') return undefined;
  const [file = '', fragment = ''] = reference.split('#', 2);
  const target = file === '' ? source.file : resolveFile(source.file, file);
  const pointer = fragmentToPointer(fragment);
  for (const { name, source: place } of api.schemas.values())
    if (place.file === target && place.pointer === pointer) return { $ref: refTo(name) };
  return undefined;
}
