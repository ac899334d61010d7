import { isDeepStrictEqual } from 'node:util';

import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { parseExactText } from '../exact-json.js';
import { isRecord, type RawRecord } from '../document/records.js';
import { parseText } from '../document/parse-document.js';
import { loadYaml } from '../document/yaml-library.js';
import { mergeLines } from './merge-lines.js';

/**
 * Writes a changed document in the way of its text: YAML keeps comments, order and quotes of everything that did not
 * change, JSON its order and indentation.
 *
 * @param before - the value of the text.
 * @param after - the changed value.
 */
export function writeChanged(text: string, before: unknown, after: unknown): string {
  if (isDeepStrictEqual(before, after)) return text;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const bare = text.slice(mark.length);
  const isJson = /^\s*[{[]/.test(bare) && parseExactText(bare) !== undefined;
  const document: Document = loadYaml().parseDocument(bare, { intAsBigInt: true, merge: true, uniqueKeys: false });
  const plain = isJson ? '' : printYaml(document, bare);
  const writer = new ChangeWriter(document);
  document.contents = writer.change(document.contents, before, after);
  const written = isJson
    ? printJson(document.contents, indentOf(bare)) + endOf(bare)
    : mergeYaml(bare, plain, printYaml(document, bare));
  return mark + (bare.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written);
}

/** Keeps also the white space of lines that did not change, if the text with them means the same. */
function mergeYaml(text: string, plain: string, written: string): string {
  const merged = mergeLines(text.replaceAll('\r\n', '\n'), plain, written);
  if (merged === undefined) return written;
  const [one, other] = [merged, written].map((yaml) => parseText(yaml));
  const isSame = one?.ok === true && other?.ok === true && isDeepStrictEqual(one.value, other.value);
  return isSame ? merged : written;
}

/** Changes the nodes of a document where its value has changed. */
class ChangeWriter {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  change(node: Node | null, before: unknown, after: unknown): Node {
    const { isMap, isScalar, isSeq } = loadYaml();
    if (node !== null && isDeepStrictEqual(before, after)) return node;
    if (isMap(node) && isRecord(before) && isRecord(after) && this.#changeMap(node, before, after)) return node;
    if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) return this.#changeList(node, before, after);
    if (isScalar(node) && !isContainer(after)) {
      if (typeof after !== 'string') node.type = 'PLAIN';
      node.value = after;
      delete node.source;
      return node;
    }
    return this.#create(after, node);
  }

  /** Returns whether the nodes of the map could be changed: a member that a merge key adds cannot be removed. */
  #changeMap(map: YAMLMap, before: RawRecord, after: RawRecord): boolean {
    const pairs = new Map(map.items.map((pair) => [nameOf(pair), pair]));
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    if (removed.some((name) => !pairs.has(name))) return false;
    map.items = map.items.filter((pair) => !removed.includes(nameOf(pair)));
    for (const [name, value] of Object.entries(after)) {
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      const pair = pairs.get(name);
      if (pair !== undefined) pair.value = this.change(pair.value as Node | null, old, value);
      else if (!isDeepStrictEqual(old, value)) map.add(this.#document.createPair(name, this.#create(value, null)));
    }
    return true;
  }

  /** Items are removed, changed in place, or appended. */
  #changeList(list: YAMLSeq, before: readonly unknown[], after: readonly unknown[]): Node {
    const items: unknown[] = [];
    let next = 0;
    for (const [index, old] of before.entries()) {
      const isDropped = !isDeepStrictEqual(old, after[next]) && before.length - index > after.length - next;
      if (isDropped || next >= after.length) continue;
      items.push(this.change(list.items[index] as Node | null, old, after[next]));
      next += 1;
    }
    list.items = [...items, ...after.slice(next).map((value) => this.#create(value, null))];
    return list;
  }

  #create(value: unknown, old: Node | null): Node {
    const made = this.#document.createNode(value, { aliasDuplicateObjects: false });
    const { commentBefore } = old ?? {};
    if (commentBefore !== undefined) made.commentBefore = commentBefore;
    return made;
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function nameOf({ key }: Pair): string {
  const { isScalar } = loadYaml();
  return isScalar(key) ? (key.source ?? String(key.value)) : String(key);
}

/** Prints YAML with the indentation that the text had. */
function printYaml(document: Document, text: string): string {
  return document.toString({
    lineWidth: 0,
    indent: Math.min(8, indentOf(text) ?? 2),
    indentSeq: hasIndentedLists(text),
    flowCollectionPadding: !/[{[][^\s\]}]/.test(text) || /[{[] \S/.test(text),
  });
}

/** Whether the first list in a map is indented below its name. */
function hasIndentedLists(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line, index) => /^ *- /.test(line) && /^ *[^\s#-]/.test(lines[index - 1] ?? ''));
  return spacesOf(lines[first]) !== spacesOf(lines[first - 1]);
}

function spacesOf(line: string | undefined): number {
  return line?.search(/[^ ]/) ?? 0;
}

/** The number of spaces of the first indented line. */
function indentOf(text: string): number | undefined {
  return /\n( +)[^\s#-]/.exec(text)?.[1]?.length;
}

function endOf(text: string): string {
  return text.slice(text.trimEnd().length).includes('\n') ? '\n' : '';
}

/** Prints JSON with the order of its nodes: objects would move names such as `200` to the front. */
function printJson(node: unknown, indent: number | undefined, depth: number = 0): string {
  const { isMap, isScalar, isSeq } = loadYaml();
  const [open, close] =
    indent === undefined ? ['', ''] : [depth + 1, depth].map((one) => `\n${' '.repeat(indent * one)}`);
  const colon = indent === undefined ? ':' : ': ';
  const wrap = (parts: readonly string[], [start, end]: readonly [string, string]): string =>
    parts.length === 0 ? start + end : `${start}${parts.map((part) => `${open}${part}`).join(',')}${close}${end}`;
  if (isMap(node))
    return wrap(
      node.items.map((pair) => `${JSON.stringify(nameOf(pair))}${colon}${printJson(pair.value, indent, depth + 1)}`),
      ['{', '}'],
    );
  if (isSeq(node))
    return wrap(
      node.items.map((item) => printJson(item, indent, depth + 1)),
      ['[', ']'],
    );
  if (!isScalar(node)) return 'null';
  return (typeof node.value === 'number' || typeof node.value === 'bigint') && node.source !== undefined
    ? node.source
    : stringifyExactJson(node.value);
}
