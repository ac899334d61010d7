import { BudgetError, ELEMENT, OBJECT } from './parse-budget.js';
import { NONE, XmlError, XmlScanner } from './xml-scanner.js';

/** Maximum nesting depth of elements. */
export const MAX_DEPTH = 200;

/** The name of an element or attribute. */
interface XmlName {
  /** Without its prefix. */
  readonly local: string;
  readonly hasPrefix: boolean;
  /** The namespace that is declared for the prefix, or for elements without a prefix. */
  readonly namespace: string | undefined;
}

/** An attribute that declares no namespace. */
export interface XmlAttribute extends XmlName {
  readonly value: string;
}

/** A parsed element. */
export interface XmlElement extends XmlName {
  /** With its prefix. */
  readonly name: string;
  /** By their names without prefixes. */
  readonly attributes: ReadonlyMap<string, readonly XmlAttribute[]>;
  readonly children: readonly XmlElement[];
  /** The children by their names without prefixes. */
  readonly named: ReadonlyMap<string, readonly XmlElement[]>;
  readonly text: string;
}

/**
 * Parses a document.
 *
 * @throws XmlError if it is malformed, has more parts than its length allows, or has a document type, whose entities could
 *   expand or be fetched.
 */
export function parseXml(text: string): XmlElement {
  try {
    return new XmlParser(text).parse();
  } catch (error) {
    if (error instanceof BudgetError) throw new XmlError(error.message);
    throw error;
  }
}

/** An element that still grows. */
interface OpenNode extends Omit<XmlElement, 'children' | 'named' | 'text'> {
  readonly children: XmlElement[];
  named: Map<string, XmlElement[]>;
  text: string;
}

/** An element whose end has not been read, and the scope of its namespaces. */
interface OpenElement {
  readonly element: OpenNode;
  /** The prefixes that it declares. */
  readonly declared: readonly string[];
}

class XmlParser {
  readonly #scanner: XmlScanner;
  readonly #open: OpenElement[] = [];
  /** The namespaces in scope by prefix, the innermost one last. */
  readonly #scopes = new Map<string, string[]>();
  #root: XmlElement | undefined;

  constructor(text: string) {
    this.#scanner = new XmlScanner(text);
  }

  parse(): XmlElement {
    for (let text = this.#scanner.readText(); text !== undefined; text = this.#scanner.readText()) {
      if (text !== '') this.#addText(text);
      if (this.#scanner.sees('<')) this.#readMarkup();
    }
    if (this.#open.length > 0 || this.#root === undefined)
      throw new XmlError('must be well-formed XML with one root element');
    return this.#root;
  }

  #readMarkup(): void {
    const scanner = this.#scanner;
    if (scanner.sees('<!--')) {
      // Two hyphens may only be part of the end.
      scanner.skipTo('--', 4);
      scanner.expect('>');
    } else if (scanner.sees('<![CDATA[')) this.#addText(scanner.skipTo(']]>', 9));
    else if (scanner.sees('<?')) scanner.skipTo('?>', 2);
    else if (scanner.sees('</')) this.#readClose();
    else this.#readOpen();
  }

  #addText(text: string): void {
    const here = this.#open[this.#open.length - 1];
    if (here !== undefined) here.element.text += text;
    else if (text.trim() !== '') throw new XmlError('must be well-formed XML with one root element');
  }

  #readClose(): void {
    this.#scanner.at += 2;
    const name = this.#scanner.readName();
    this.#scanner.skipBlanks();
    this.#scanner.expect('>');
    const here = this.#open.pop();
    if (here === undefined) throw new XmlError('must be well-formed XML with one root element');
    if (here.element.name !== name) throw new XmlError(`must end the element ${here.element.name}`);
    this.#leaveScope(here.declared);
  }

  #readOpen(): void {
    this.#scanner.at += 1;
    if (this.#open.length >= MAX_DEPTH) throw new XmlError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
    const name = this.#scanner.readName();
    this.#scanner.budget.spend(ELEMENT.cost);
    const attributes = this.#scanner.readAttributes();
    const isEmpty = this.#scanner.text[this.#scanner.at] === '/';
    if (isEmpty) this.#scanner.at += 1;
    this.#scanner.expect('>');
    const declared = this.#enterScope(attributes);
    const element = this.#createElement(name, attributes);
    this.#addElement(element);
    if (isEmpty) this.#leaveScope(declared);
    else this.#open.push({ element, declared });
  }

  #addElement(element: XmlElement): void {
    const parent = this.#open[this.#open.length - 1]?.element;
    if (parent === undefined) {
      if (this.#root !== undefined) throw new XmlError('must be well-formed XML with one root element');
      this.#root = element;
      return;
    }
    if (parent.children.length === 0) this.#scanner.budget.spend(OBJECT.cost - ELEMENT.cost);
    parent.children.push(element);
    const same = parent.named.get(element.local);
    if (same !== undefined) same.push(element);
    else {
      this.#scanner.budget.spendMember(parent.named.size);
      if (parent.named === NONE) parent.named = new Map();
      parent.named.set(element.local, [element]);
    }
  }

  #createElement(name: string, given: ReadonlyMap<string, string>): OpenNode {
    let attributes: Map<string, XmlAttribute[]> | undefined;
    for (const [key, value] of given) {
      if (isDeclaration(key)) continue;
      const attribute = { ...this.#resolve(key, true), value };
      attributes ??= new Map();
      const same = attributes.get(attribute.local);
      if (same === undefined) attributes.set(attribute.local, [attribute]);
      else same.push(attribute);
    }
    const { local, hasPrefix, namespace } = this.#resolve(name, false);
    return { local, hasPrefix, namespace, name, attributes: attributes ?? NONE, children: [], named: NONE, text: '' };
  }

  /** Attributes without a prefix are in no namespace. */
  #resolve(name: string, isAttribute: boolean): XmlName {
    const colon = name.indexOf(':');
    const namespace = this.#scopes.get(colon === -1 ? '' : name.slice(0, colon))?.at(-1);
    const isNone = namespace === '' || (isAttribute && colon === -1);
    return {
      local: name.slice(colon + 1),
      hasPrefix: colon !== -1,
      namespace: isNone ? undefined : namespace,
    };
  }

  #enterScope(attributes: ReadonlyMap<string, string>): readonly string[] {
    const declared: string[] = [];
    for (const [key, value] of attributes) {
      if (!isDeclaration(key)) continue;
      const prefix = key === 'xmlns' ? '' : key.slice('xmlns:'.length);
      declared.push(prefix);
      const scope = this.#scopes.get(prefix);
      if (scope === undefined) this.#scopes.set(prefix, [value]);
      else scope.push(value);
    }
    return declared;
  }

  #leaveScope(declared: readonly string[]): void {
    for (const prefix of declared) this.#scopes.get(prefix)?.pop();
  }
}

function isDeclaration(key: string): boolean {
  return key === 'xmlns' || key.startsWith('xmlns:');
}
