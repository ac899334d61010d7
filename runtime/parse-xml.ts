/** A text is not XML, or not the documented kind of document. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Maximum nesting depth of elements. */
export const MAX_DEPTH = 200;

/** A parsed element. */
export interface XmlElement {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The namespaces in scope, by prefix; the default namespace has the key `''`. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The namespace of a name in an element, if one is declared. */
export function namespaceOf(name: string, { namespaces }: XmlElement): string | undefined {
  const colon = name.indexOf(':');
  const namespace = namespaces.get(colon === -1 ? '' : name.slice(0, colon));
  return namespace === '' ? undefined : namespace;
}

const NAME = String.raw`[\p{L}_:][\p{L}\p{N}_:.-]*`;
const TOKEN = new RegExp(
  [
    String.raw`<!--(?:(?!--)[^])*-->`,
    String.raw`<\?(?:(?!\?>)[^])*\?>`,
    String.raw`<!\[CDATA\[(?<cdata>(?:(?!\]\]>)[^])*)\]\]>`,
    String.raw`</(?<close>${NAME})\s*>`,
    String.raw`<(?<open>${NAME})(?<attributes>(?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>/?)>`,
    String.raw`(?<text>[^<]+)`,
  ].join('|'),
  'uy',
);
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'gu');

/**
 * Parses a document.
 *
 * @throws XmlError if it is malformed or has a document type, whose entities could expand or be fetched.
 */
export function parseXml(text: string): XmlElement {
  const top = createElement('', '', NO_NAMESPACES);
  const open = [top];
  TOKEN.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (TOKEN.lastIndex < text.length) {
    const { groups } = TOKEN.exec(text) ?? {};
    if (groups === undefined) throw new XmlError('must be well-formed XML without a document type');
    readToken(groups, open);
  }
  const [root, ...others] = top.children;
  if (open.length > 1 || root === undefined || others.length > 0 || top.text.trim() !== '')
    throw new XmlError('must be well-formed XML with one root element');
  return root;
}

function readToken(token: Readonly<Record<string, string | undefined>>, open: XmlElement[]): void {
  const here = open[open.length - 1];
  if (here === undefined) throw new XmlError('must be well-formed XML with one root element');
  if (token['text'] !== undefined) here.text += decodeEntities(token['text']);
  else if (token['cdata'] !== undefined) here.text += token['cdata'];
  else if (token['close'] !== undefined) {
    if (here.name !== token['close']) throw new XmlError(`must end the element ${here.name}`);
    open.pop();
  } else if (token['open'] !== undefined) {
    if (open.length > MAX_DEPTH) throw new XmlError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
    const child = createElement(token['open'], token['attributes'] ?? '', here.namespaces);
    here.children.push(child);
    if (token['empty'] === '') open.push(child);
  }
}

const NO_NAMESPACES: ReadonlyMap<string, string> = new Map();

function createElement(name: string, attributes: string, outer: XmlElement['namespaces']): XmlElement {
  const found = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, key = '', double, single]) => [key, decodeEntities(double ?? single ?? '')] as const,
  );
  if (new Set(found.map(([key]) => key)).size < found.length) throw new XmlError('must have each attribute once');
  const declared = found.flatMap(([key, value]) =>
    key === 'xmlns' || key.startsWith('xmlns:') ? [[key === 'xmlns' ? '' : localName(key), value] as const] : [],
  );
  // Elements without declarations share the map of the enclosing element.
  const namespaces = declared.length === 0 ? outer : new Map([...outer, ...declared]);
  return { name, attributes: new Map(found), namespaces, children: [], text: '' };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x?[0-9a-f]{1,6}|\w{1,8});|&/gi, (_all, name: string | undefined) => {
    const code = name?.startsWith('#') === true ? Number(name.slice(1).replace(/^x/i, '0x')) : undefined;
    if (code !== undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    const known = name === undefined || !Object.hasOwn(ENTITIES, name) ? undefined : ENTITIES[name];
    if (known === undefined) throw new XmlError('must have no entities but the five of XML');
    return known;
  });
}
