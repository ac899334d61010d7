import { getOrInsert } from '../model/maps.js';
import type { Api, MediaType } from '../model/api.js';
import { refName, type Schema, type SchemaObject } from '../model/schema-types.js';
import { mediaTypeEssence } from '../runtime/media-type.js';
import type { XmlNode, XmlPlan } from '../runtime/xml.js';
import { hasNumber, itemsOf, keywordOf, membersOf, typesOf } from './facts/members.js';
import { applicableParts } from './facts/parts.js';

const plans = new WeakMap<SchemaObject, XmlPlan>();

/**
 * How the values of a media type are represented as XML; `undefined` if it is not XML, or if its schema describes the
 * text itself.
 */
export function xmlPlanOf(
  api: Api,
  { mediaType, schema }: Pick<MediaType, 'mediaType' | 'schema'>,
): XmlPlan | undefined {
  if (!/[/+](?:x-)?xml$/.test(mediaTypeEssence(mediaType)) || typeof schema !== 'object') return undefined;
  const types = typesOf(schema, api);
  if (types.has('string') && !types.has('object') && !types.has('array')) return undefined;
  if (types.size === 0 && membersOf(schema, api).size === 0) return undefined;
  return getOrInsert(plans, schema, () => new XmlPlanner(api).plan(schema));
}

/** Makes the plan of one schema. */
class XmlPlanner {
  readonly #api: Api;
  readonly #members: Record<string, XmlNode>[] = [];
  readonly #indexes = new Map<SchemaObject, number>();

  constructor(api: Api) {
    this.#api = api;
  }

  plan(schema: Schema): XmlPlan {
    const named = typeof schema === 'object' && schema.$ref !== undefined ? schema.$ref : undefined;
    const component = named === undefined ? undefined : this.#api.schemas.get(refName(named))?.originalName;
    const root = this.#node(schema, component, false);
    // A list that is a whole document needs an enclosing element.
    const { kind: _kind, ...whole } = root;
    return { root: root.item === undefined ? root : whole, members: this.#members };
  }

  /** @param name - the name of the member or component, which `xml.name` replaces. */
  #node(schema: Schema, name: string | undefined, isRequired: boolean): XmlNode {
    const { name: own, nodeType, namespace, prefix } = keywordOf(schema, 'xml', this.#api) ?? {};
    const types = typesOf(schema, this.#api);
    const items = types.has('array') || types.size === 0 ? itemsOf(schema, this.#api) : undefined;
    const isList = items !== undefined || types.has('array');
    const kind = nodeType ?? (isList ? 'none' : 'element');
    // The `xml.name` of a list without its own element is ignored.
    const used = isList && kind === 'none' ? name : (own ?? name);
    return {
      ...(used === undefined ? {} : { name: used }),
      ...(kind === 'element' ? {} : { kind }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(prefix === undefined ? {} : { prefix }),
      ...(isList
        ? { item: this.#item(items ?? true, used), ...(isRequired ? { isRequired } : {}) }
        : this.#content(schema)),
      ...(isRequired && (kind === 'text' || kind === 'cdata') ? { isRequired } : {}),
    };
  }

  /** The node of an item. Without its own name, it has the name of its list. */
  #item(items: Schema, name: string | undefined): XmlNode {
    const { kind, ...item } = this.#node(items, name, true);
    return kind === 'none' && item.item !== undefined
      ? { ...item }
      : { ...item, ...(kind === undefined ? {} : { kind }) };
  }

  #content(schema: Schema): Pick<XmlNode, 'type' | 'members' | 'rest'> {
    const types = typesOf(schema, this.#api);
    const members = membersOf(schema, this.#api);
    // Members of a schema whose type is text are never there.
    if (types.has('object') || (members.size > 0 && types.size === 0)) {
      const rest = typeof schema === 'object' ? this.#rest(schema) : undefined;
      return { type: 'object', members: this.#indexOf(schema), ...(rest === undefined ? {} : { rest }) };
    }
    if (hasNumber(types)) return types.has('string') ? {} : { type: 'number' };
    if (types.has('boolean')) return types.has('string') ? {} : { type: 'boolean' };
    return types.has('string') ? { type: 'string' } : {};
  }

  #indexOf(schema: Schema): number {
    const target = typeof schema === 'object' ? (applicableParts(schema, this.#api)[0] ?? schema) : undefined;
    const key = typeof schema === 'object' && schema.$ref !== undefined ? target : schema;
    if (typeof key !== 'object') return -1;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.#members.length;
    this.#indexes.set(key, index);
    const described: Record<string, XmlNode> = {};
    this.#members.push(described);
    const entries = [...membersOf(schema, this.#api)].map(
      ([name, member]) => [name, this.#node(member.schema, name, member.isRequired)] as const,
    );
    this.#members[index] = Object.fromEntries(entries);
    return index;
  }

  /** The node of `additionalProperties`, one level deep: members of a map of maps are read without a description. */
  #rest(schema: SchemaObject): XmlNode | undefined {
    const rest = applicableParts(schema, this.#api)
      .map(({ additionalProperties }) => additionalProperties)
      .find((one) => typeof one === 'object');
    if (rest === undefined) return undefined;
    const types = typesOf(rest, this.#api);
    if (types.has('object') && !types.has('string')) return { type: 'object', members: this.#indexOf(rest) };
    if (hasNumber(types)) return { type: 'number' };
    return types.has('boolean') ? { type: 'boolean' } : undefined;
  }
}
