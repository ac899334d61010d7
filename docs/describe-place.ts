import { splitPointer, stepInto } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import { toCommentText } from '../model/identifiers.js';

/**
 * Names a place of a spec as a reader would, in Markdown: the operation, its parameter or response, the member of a schema.
 *
 * @param root - the parsed document.
 * @param pointer - JSON pointer of the place.
 * @example describePlace(openapi, '/components/schemas/Case/properties/Name'); // '`Case.Name`'
 */
export function describePlace(root: unknown, pointer: string): string {
  const path = new Path(root, splitPointer(pointer));
  const first = path.next();
  if (first === undefined) return 'the document';
  return describeTop(first, path);
}

/** A text of a spec as a Markdown code span. */
export function toCode(text: string): string {
  return `\`${toCommentText(text)
    .replaceAll(/[\s`]+/g, ' ')
    .trim()}\``;
}

/** The segments of a pointer, read one by one, with the value that each leads to. */
class Path {
  value: unknown;
  readonly #segments: string[];

  constructor(root: unknown, segments: readonly string[]) {
    this.value = root;
    this.#segments = segments.toReversed();
  }

  next(): string | undefined {
    const segment = this.#segments.pop();
    if (segment !== undefined) this.value = stepInto(this.value, segment);
    return segment;
  }

  /** A text member of where the path has come to. */
  text(member: string): string | undefined {
    const value = stepInto(this.value, member);
    return typeof value === 'string' ? value : undefined;
  }
}

function describeTop(first: string, path: Path): string {
  switch (first) {
    case 'info':
      return 'the API';
    case 'servers':
      return describeListed('server', path, 'url');
    case 'tags':
      return describeListed('tag', path, 'name');
    case 'paths':
      path.next();
      return describePathItem(path);
    case 'components':
      return describeComponent(path);
    case '$defs':
    case 'definitions':
      return toCode(memberPath(path.next() ?? '', path));
    default:
      return toCode(first === 'properties' ? memberPath(path.next() ?? '', path) : dataPath(first, path));
  }
}

function describeListed(kind: string, path: Path, member: string): string {
  const index = path.next();
  return `${kind} ${toCode(path.text(member) ?? index ?? '')}`;
}

function describePathItem(path: Path): string {
  const method = path.next() ?? '';
  const operation = toCode(path.text('operationId') ?? method);
  const part = path.next();
  return part === undefined ? operation : `${operation}, ${describePart(part, path)}`;
}

function describeComponent(path: Path): string {
  const kind = path.next();
  if (kind === 'schemas') return toCode(memberPath(path.next() ?? '', path));
  if (kind === 'securitySchemes') return `security scheme ${toCode(path.next() ?? '')}`;
  if (kind === 'callbacks') {
    path.next();
    path.next();
    return describePathItem(path);
  }
  return describePart(kind ?? '', path);
}

/** A part of an operation, or the component that it refers to. */
function describePart(kind: string, path: Path): string {
  if (kind === 'requestBody') return withRest('the request body', path);
  const key = path.next() ?? '';
  if (kind === 'parameters') return `${path.text('in') ?? ''} parameter ${toCode(path.text('name') ?? key)}`;
  return withRest(`${PART_WORDS[kind] ?? kind} ${toCode(key)}`, path);
}

const PART_WORDS: Readonly<Record<string, string>> = { responses: 'response', headers: 'header', content: 'as' };

function withRest(place: string, path: Path): string {
  const part = path.next();
  return part === undefined ? place : `${place}, ${describePart(part, path)}`;
}

/** The member of a schema that the rest of a path leads to. Parts that look at the same value, such as `allOf`, are left out. */
function memberPath(name: string, path: Path): string {
  let member = name;
  for (let step = path.next(); step !== undefined; step = path.next()) {
    if (step === 'properties') member += `.${path.next() ?? ''}`;
    else if (step === 'items') member += '[]';
    else if (step === 'additionalProperties') member += '.*';
  }
  return member;
}

/** The place in a document that is data: items are named by their id where they have one. */
function dataPath(first: string, path: Path): string {
  let place = first;
  for (let step = path.next(); step !== undefined; step = path.next()) {
    const isItem = /^\d+$/.test(step);
    place += isItem && isRecord(path.value) ? `[${path.text('id') ?? step}]` : `.${step}`;
  }
  return place;
}
