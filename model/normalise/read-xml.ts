import { isRecord } from '../document/records.js';
import type { XmlObject } from '../schema-types.js';

const NODE_TYPES: ReadonlySet<unknown> = new Set<XmlObject['nodeType']>([
  'element',
  'attribute',
  'text',
  'cdata',
  'none',
]);

/**
 * Reads an XML Object. `attribute: true` becomes `nodeType: attribute`, and `wrapped: true` becomes
 * `nodeType: element` (OpenAPI 3.2, "XML Object").
 */
export function readXmlObject(value: unknown): XmlObject | undefined {
  if (!isRecord(value)) return undefined;
  const nodeType = readNodeType(value);
  return {
    ...textMember('name', value['name']),
    ...textMember('namespace', value['namespace']),
    ...textMember('prefix', value['prefix']),
    ...(nodeType === undefined ? {} : { nodeType }),
  };
}

function readNodeType(value: Readonly<Record<string, unknown>>): XmlObject['nodeType'] {
  if (NODE_TYPES.has(value['nodeType'])) return value['nodeType'] as XmlObject['nodeType'];
  if (value['attribute'] === true) return 'attribute';
  return value['wrapped'] === true ? 'element' : undefined;
}

function textMember<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { readonly [P in K]: string }) : {};
}
