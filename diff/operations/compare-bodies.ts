import type { Encoding, ItemSequence, MediaType, RequestBody } from '../../model/api.js';
import type { OperationPair } from '../diff-context.js';
import { SpecLocation, bothLocations, whereAdded, whereRemoved } from '../location.js';
import { matchByKey } from '../match-by-key.js';
import { quoteShort } from '../phrases.js';
import type { RawChange } from '../raw-change.js';
import { type EffectiveSchema, partsByName } from '../schemas/effective-schema.js';
import { isByteSchema } from '../schemas/effective-types.js';
import type { LocatedSchema } from '../schemas/schema-location.js';
import type { Side } from '../schemas/scope.js';
import type { Direction } from '../api-diff.js';
import { compareWords } from './compare-words.js';

export function compareBodies(pair: OperationPair): void {
  const [was, is] = [pair.old.body, pair.new.body];
  if (was === undefined && is === undefined) return;
  const locations = bothLocations(was ?? pair.old, is ?? pair.new);
  if (was === undefined || is === undefined) {
    const required = is?.required === true;
    if (is === undefined)
      pair.reportInRequest({ kind: 'body-removed', message: 'The request body is gone', ...locations, anchor: 'old' });
    else
      pair.reportInRequest({
        kind: 'body-added',
        message: `The request body is new${required ? ' and required' : ''}`,
        ...locations,
        anchor: 'new',
        exceptions: required ? ['request'] : [],
      });
    return;
  }
  if (was.required !== is.required)
    pair.reportInRequest({
      kind: is.required ? 'body-became-required' : 'body-became-optional',
      message: `The request body is ${is.required ? 'required' : 'optional'} now`,
      ...locations,
    });
  const title = 'the request body';
  compareContents(pair, { old: was, new: is, title, direction: pair.requestDirection });
  compareWords(pair, pair.requestDirection, { old: was, new: is, title });
}

/** A body or a response, in both specs. */
interface Contents {
  readonly old: Pick<RequestBody, 'content' | 'source'>;
  readonly new: Pick<RequestBody, 'content' | 'source'>;
  /** Its name in a sentence: `the request body`. */
  readonly title: string;
  readonly direction: Direction;
}

/** Compares media types, and the schemas of those that are in both specs. */
export function compareContents(pair: OperationPair, { old, new: next, title, direction }: Contents): void {
  const report = (change: RawChange): void => pair.context.report(change, [pair.usage(direction)]);
  const { pairs, removed, added } = matchByKey(old.content, next.content, ({ mediaType }) => keyOf(mediaType));
  for (const [was, is] of pairs) compareMedia(pair, { was, is, title, direction });
  for (const was of removed) {
    // A range such as `application/*` matches the types that it covers, and may match others.
    const is = next.content.find(({ mediaType }) => covers(keyOf(mediaType), keyOf(was.mediaType)));
    if (is !== undefined) compareMedia(pair, { was, is, title, direction });
    else
      report({
        kind: 'media-type-removed',
        message: `${title} no longer has the media type ${quoteShort(was.mediaType)}`,
        ...whereRemoved(was, SpecLocation.at(next.source).child('content')),
      });
  }
  for (const is of added)
    report({
      kind: 'media-type-added',
      message: `${title} may be ${quoteShort(is.mediaType)} now`,
      ...whereAdded(SpecLocation.at(old.source).child('content'), is),
      exceptions: pair.requestDirection === 'response' ? ['response'] : [],
    });
}

/** A media type, normalised by letter case, order of parameters and `charset=utf-8`. */
function keyOf(mediaType: string): string {
  const [type = '', ...parameters] = mediaType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim().replaceAll('"', ''));
  return [type, ...parameters.filter((one) => one !== '' && one !== 'charset=utf-8').sort()].join(';');
}

function covers(range: string, mediaType: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)));
}

interface MediaPair {
  readonly was: MediaType;
  readonly is: MediaType;
  readonly title: string;
  readonly direction: Direction;
}

function compareMedia(pair: OperationPair, media: MediaPair): void {
  const { was, is, title, direction } = media;
  const { schemas } = pair.context;
  const [old, next] = [schemaPart(was, title), schemaPart(is, title)];
  if (hasItems(was) && hasItems(is)) schemas.addRoot(itemPart(was, title), itemPart(is, title), pair.usage(direction));
  else schemas.addRoot(old, next, pair.usage(direction));
  compareEncodings(pair, media);
  comparePartTypes(pair, media);
  compareWords(pair, direction, { old: was, new: is, title: `${quoteShort(is.mediaType)} of ${title}` });
}

function hasItems(media: MediaType): media is MediaType & { readonly sequence: ItemSequence } {
  return media.sequence !== undefined;
}

/** The schema of items: `itemSchema`, or the one that documents used before OpenAPI 3.2. */
function itemPart({ sequence, source }: MediaType & { readonly sequence: ItemSequence }, title: string): LocatedSchema {
  const media = SpecLocation.at(source, `each item of ${title}`);
  return { schema: sequence.schema, location: media.child('itemSchema').orElse(media.child('schema')) };
}

/** The schema of a media type. Without one, anything is allowed. */
function schemaPart({ schema = true, source }: MediaType, title: string): LocatedSchema {
  return { schema, location: SpecLocation.at(source, title).child('schema') };
}

/** Compares how members of a form are encoded, if the documents describe it. */
function compareEncodings(pair: OperationPair, { was, is, title, direction }: MediaPair): void {
  const names = new Set([...was.encoding.keys(), ...is.encoding.keys()]);
  if (names.size === 0) return;
  const { old: oldSide, new: newSide } = pair.context.schemas;
  const oldMembers = membersIn(schemaPart(was, title), oldSide);
  const members = membersIn(schemaPart(is, title), newSide);
  for (const name of names) {
    const [before, now] = [oldMembers.get(name), members.get(name)];
    if (before === undefined || now === undefined) continue;
    const [oldText, text] = [writingOf(was.encoding.get(name), before), writingOf(is.encoding.get(name), now)];
    if (oldText === text) continue;
    pair.context.report(
      {
        kind: 'encoding-changed',
        message: `The member ${quoteShort(name)} of the form is written as ${quoteShort(text)}, was ${quoteShort(oldText)}`,
        old: SpecLocation.at(was.source).child('encoding', name),
        new: SpecLocation.at(is.source).child('encoding', name),
      },
      [pair.usage(direction)],
    );
  }
}

/** Compares how parts without names are encoded (OpenAPI 3.2). */
function comparePartTypes(pair: OperationPair, { was, is, direction }: MediaPair): void {
  const count = Math.max(was.prefixEncoding?.length ?? 0, is.prefixEncoding?.length ?? 0);
  // The index after the last one stands for each further part.
  for (let index = 0; index <= count; index += 1) {
    const typeIn = ({ prefixEncoding, itemEncoding }: MediaType): string =>
      partTypeOf(prefixEncoding?.[index] ?? itemEncoding);
    const [oldText, text] = [typeIn(was), typeIn(is)];
    if (oldText === text) continue;
    const at = ({ source }: MediaType): SpecLocation => {
      const media = SpecLocation.at(source);
      if (index === count) return media.child('itemEncoding');
      return media.child('prefixEncoding', index).orElse(media.child('prefixEncoding'));
    };
    const part = index === count ? 'Each further part' : `Part ${index + 1}`;
    pair.context.report(
      {
        kind: 'encoding-changed',
        message: `${part} of the body is written as ${quoteShort(text)}, was ${quoteShort(oldText)}`,
        old: at(was),
        new: at(is),
      },
      [pair.usage(direction)],
    );
  }
}

function partTypeOf(encoding: Encoding | undefined): string {
  const { contentType = 'its own type', nested } = encoding ?? {};
  const inner = [nested?.prefixEncoding ?? [], nested?.itemEncoding ?? []].flat();
  return inner.length === 0 ? contentType : `${contentType} of ${inner.map(partTypeOf).join(', ')}`;
}

function membersIn(part: LocatedSchema, side: Side): Map<string, EffectiveSchema> {
  const members = partsByName(side.effectiveAt(part), 'properties');
  return new Map([...members].map(([name, parts]) => [name, side.effectiveAt(...parts)]));
}

/** The encoding with OpenAPI's defaults. Style and explode matter only for lists and objects. */
function writingOf(encoding: Encoding | undefined, { types, parts }: EffectiveSchema): string {
  const isBytesOnly = types === undefined && parts.some(({ schema }) => isByteSchema(schema));
  const isScalar = isBytesOnly || (types !== undefined && !types.has('array') && !types.has('object'));
  const type = encoding?.contentType ?? defaultType(types);
  if (isScalar) return type;
  return `${type}, ${encoding?.style ?? 'form'}${(encoding?.explode ?? true) ? ', exploded' : ''}`;
}

function defaultType(types: EffectiveSchema['types']): string {
  if (types === undefined) return 'application/octet-stream';
  return types.has('object') ? 'application/json' : 'text/plain';
}
