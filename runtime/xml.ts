import type { TextReader } from './context.js';
import { MalformedBodyError } from './errors.js';
import { MAX_DEPTH, parseXml, type XmlAttribute, type XmlElement } from './parse-xml.js';
import { XmlError } from './xml-scanner.js';
import { type BodyWriter, toText } from './serialize.js';

/** How a value is represented in an XML document (the XML Object of OpenAPI). */
export interface XmlNode {
  /** Name of the element or attribute. If absent, a document may have any root. */
  readonly name?: string;
  /** Default: an element. `none`: the content is part of the enclosing element. */
  readonly kind?: 'attribute' | 'text' | 'cdata' | 'none';
  readonly namespace?: string;
  readonly prefix?: string;
  /** The type of the content. Default: an object if it has elements, else a string. */
  readonly type?: 'number' | 'boolean' | 'string' | 'object';
  /** Index of the members in the plan. */
  readonly members?: number;
  /** Members that are not described. */
  readonly rest?: XmlNode;
  /** The items of a list. */
  readonly item?: XmlNode;
  /** Without elements or text, the value is empty rather than absent. */
  readonly isRequired?: true;
}

/**
 * How values of a schema are represented as XML documents. Members refer to each other by index, so that they can be
 * recursive.
 */
export interface XmlPlan {
  readonly root: XmlNode;
  readonly members: readonly Readonly<Record<string, XmlNode>>[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NIL = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';

/** Writes a value as an XML document. */
export function writeXmlText(value: unknown, plan: XmlPlan): string {
  const { root } = plan;
  return DECLARATION + writeNode({ ...root, name: root.name ?? 'root' }, value, { plan, depth: 0 });
}

/** Makes the writer of a body. A string is sent unchanged. */
export function writeXml(plan: XmlPlan): BodyWriter {
  return (body, mediaType) => [typeof body === 'string' ? body : writeXmlText(body, plan), mediaType];
}

/** Makes the reader of a body. */
export function readXml(plan: XmlPlan): TextReader {
  return (text, failed) => {
    try {
      return text === '' ? undefined : readXmlText(text, plan);
    } catch (cause) {
      if (failed) return text;
      throw new MalformedBodyError(`The response is not the XML that is described: ${(cause as Error).message}.`, {
        cause,
      });
    }
  };
}

/** Returns how an XML part of a multipart body is written and read. */
export function xmlPart(
  type: string,
  plan: XmlPlan,
): { readonly type: string; readonly write: (value: unknown) => string; readonly read: (text: string) => unknown } {
  return { type, write: (value) => writeXmlText(value, plan), read: (text) => readXmlText(text, plan) };
}

/**
 * Makes the reader of bodies whose XML depends on the status: `200`, `4XX` or `default`. XML of other statuses stays
 * text.
 */
export function readXmlByStatus(plans: Readonly<Record<string, XmlPlan>>): TextReader {
  return (text, failed, status) => {
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((one) => Object.hasOwn(plans, one));
    const plan = key === undefined ? undefined : plans[key];
    return plan === undefined ? text : readXml(plan)(text, failed, status);
  };
}

interface Writing {
  readonly plan: XmlPlan;
  readonly depth: number;
}

function writeNode(node: XmlNode, value: unknown, at: Writing): string {
  if (at.depth > MAX_DEPTH) throw new XmlError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
  if (value === undefined) return '';
  if (Array.isArray(value)) {
    const { kind: _kind, ...same } = node;
    const item = { ...(node.name === undefined ? {} : { name: node.name }), ...(node.item ?? same) };
    const items = value.map((one) => writeNode(item, one, deeper(at))).join('');
    return node.kind === 'none' || node.item === undefined ? items : element(node, '', items);
  }
  if (value === null) return element(node, ` ${NIL}`, '');
  if (typeof value !== 'object') return writeText(node, toText(value));
  const { attributes, content } = writeMembers(node, value, deeper(at));
  return node.kind === 'none' ? content : element(node, attributes, content);
}

function deeper({ plan, depth }: Writing): Writing {
  return { plan, depth: depth + 1 };
}

function writeText(node: XmlNode, text: string): string {
  if (node.kind === 'text' || node.kind === 'none') return escapeXml(text);
  if (node.kind === 'cdata') return `<![CDATA[${clean(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
  return element(node, '', escapeXml(text));
}

/** Writes described members in the order of the description, because many readers require it. */
function writeMembers(node: XmlNode, value: object, at: Writing): { attributes: string; content: string } {
  const described = membersOf(node, at.plan);
  const entries = new Map(Object.entries(value));
  const names = [...Object.keys(described).filter((name) => entries.has(name)), ...entries.keys()];
  let [attributes, content] = ['', ''];
  for (const name of new Set(names)) {
    const [member, inner] = [nodeOf(described, name, node), entries.get(name) as unknown];
    if (inner === undefined) continue;
    if (member.kind !== 'attribute') content += writeNode(member, inner, at);
    else if (inner !== null) attributes += ` ${qualify(member)}="${escapeXml(toText(inner))}"${declare(member)}`;
  }
  return { attributes, content };
}

function membersOf({ members }: XmlNode, plan: XmlPlan): Readonly<Record<string, XmlNode>> {
  return members === undefined ? {} : (plan.members[members] ?? {});
}

function nodeOf(described: Readonly<Record<string, XmlNode>>, name: string, { rest }: XmlNode): XmlNode {
  const member = Object.hasOwn(described, name) ? described[name] : undefined;
  return member ?? { ...rest, name };
}

function element(node: XmlNode, attributes: string, content: string): string {
  const name = qualify(node);
  const start = `<${name}${declare(node)}${attributes}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

function qualify({ name = 'item', prefix }: XmlNode): string {
  return prefix === undefined ? toName(name) : `${toName(prefix)}:${toName(name)}`;
}

function declare({ namespace, prefix }: XmlNode): string {
  if (namespace === undefined) return '';
  return ` xmlns${prefix === undefined ? '' : `:${toName(prefix)}`}="${escapeXml(namespace)}"`;
}

/** Replaces characters that a name cannot contain with underscores. */
function toName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}._-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/** Replaces characters that XML 1.0 does not allow, not even as references. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escapeXml(text: string): string {
  return clean(text).replace(/[&<>"\r\n\t]/g, (char) => ESCAPES[char] ?? char);
}

/**
 * Reads the value of an XML document.
 *
 * @throws XmlError if the text is not XML, has a document type, or has another root.
 */
export function readXmlText(text: string, plan: XmlPlan): unknown {
  const root = parseXml(text);
  const { name } = plan.root;
  if (name !== undefined && root.local !== toName(name)) throw new XmlError(`must have the root element ${name}`);
  checkNamespace(root, [plan.root]);
  return readNode(plan.root, root, plan);
}

/** Accepts an element without a namespace, because many senders omit it. */
function isNamespace(own: string | undefined, { namespace }: XmlNode): boolean {
  return own === undefined || namespace === undefined || own === namespace;
}

/** @throws XmlError if no description of the element has its namespace */
function checkNamespace(found: XmlElement, described: readonly XmlNode[]): void {
  if (described.some((node) => isNamespace(found.namespace, node))) return;
  const [{ namespace = '' } = {}] = described;
  throw new XmlError(`must have the element ${found.local} in the namespace ${namespace}`);
}

function readNode(node: XmlNode, from: XmlElement, plan: XmlPlan): unknown {
  if (from.attributes.get('nil')?.some(({ value }) => value === 'true') === true) return null;
  if (node.item !== undefined) {
    const { item } = node;
    return from.children.map((child) => readNode(item, child, plan));
  }
  if (node.members !== undefined || node.type === 'object') return readMembers(node, from, plan);
  if (node.type === undefined && from.children.length > 0) return readMembers(node, from, plan);
  return toScalar(from.text, node.type);
}

function toScalar(text: string, type: XmlNode['type']): unknown {
  const trimmed = text.trim();
  if (type === 'number' && /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (type === 'boolean' && /^(true|false|1|0)$/.test(trimmed)) return trimmed === 'true' || trimmed === '1';
  return text;
}

function readMembers(node: XmlNode, from: XmlElement, plan: XmlPlan): Record<string, unknown> {
  const described = membersOf(node, plan);
  const values: [string, unknown][] = [];
  const known = new Map<string, XmlNode[]>();
  for (const [name, member] of Object.entries(described)) {
    const value = readMember(member, from, { plan, known });
    if (value !== undefined) values.push([name, value]);
  }
  for (const [name, found] of from.named) {
    const nodes = known.get(name);
    if (nodes === undefined) {
      const read = found.map((child) => readNode(node.rest ?? {}, child, plan));
      values.push([name, read.length === 1 && node.rest?.item === undefined ? read[0] : read]);
    } else for (const child of found) checkNamespace(child, nodes);
  }
  return Object.fromEntries(values);
}

interface Reading {
  readonly plan: XmlPlan;
  /** The descriptions by element name. */
  readonly known: Map<string, XmlNode[]>;
}

/** The elements that a node describes. */
function findChildren(node: XmlNode, from: XmlElement, known: Reading['known']): XmlElement[] {
  const wanted = toName(node.name ?? '');
  const others = known.get(wanted);
  if (others === undefined) known.set(wanted, [node]);
  else others.push(node);
  return (from.named.get(wanted) ?? []).filter(({ namespace }) => isNamespace(namespace, node));
}

function readMember(member: XmlNode, from: XmlElement, { plan, known }: Reading): unknown {
  if (member.kind === 'attribute') {
    const found = from.attributes.get(toName(member.name ?? ''))?.find((one) => isAttributeOf(one, member));
    return found === undefined ? undefined : toScalar(found.value, member.type);
  }
  if (member.kind === 'text' || member.kind === 'cdata')
    return isBlank(from) && member.isRequired !== true ? undefined : toScalar(from.text, member.type);
  if (member.kind === 'none') return readHoisted(member, from, { plan, known });
  const [child] = findChildren(member, from, known);
  return child === undefined ? undefined : readNode(member, child, plan);
}

/** Whether the text is empty or only the space between elements. */
function isBlank({ text, children }: XmlElement): boolean {
  return text === '' || (children.length > 0 && text.trim() === '');
}

/** Attributes without a prefix are in no namespace. */
function isAttributeOf({ hasPrefix, namespace }: XmlAttribute, member: XmlNode): boolean {
  return !hasPrefix || isNamespace(namespace, member);
}

/** Reads content that has no element of its own: the items of a list, or the members of an object. */
function readHoisted(member: XmlNode, from: XmlElement, { plan, known }: Reading): unknown {
  const { item } = member;
  if (item === undefined) {
    for (const inner of Object.values(membersOf(member, plan))) findChildren(inner, from, known);
    const { rest: _rest, ...own } = member;
    return readMembers(own, from, plan);
  }
  const found = findChildren(item, from, known);
  if (found.length === 0 && member.isRequired !== true) return undefined;
  return found.map((child) => readNode(item, child, plan));
}
