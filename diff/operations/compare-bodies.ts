import type { Encoding, ItemSequence, MediaType } from '../../model/api.js';
import type { OperationPair, LocationPair } from '../diff-context.js';
import { SpecLocation } from '../location.js';
import { quote } from '../phrases.js';
import type { EffectiveSchema } from '../schemas/effective-schema.js';
import { isBytes } from '../schemas/effective-types.js';
import type { Part } from '../schemas/schema-location.js';
import type { Side } from '../schemas/scope.js';
import { membersOf } from '../schemas/similarity.js';
import type { Direction } from '../types.js';
import { compareDescriptions, compareExampleLists } from './compare-descriptions.js';
import { compareExtensions } from './compare-extensions.js';

/** Compares request bodies. */
export function compareBodies(pair: OperationPair): void {
  const [was, is] = [pair.old.body, pair.new.body];
  if (was === undefined && is === undefined) return;
  const locations = {
    old: was === undefined ? pair.oldLocation : SpecLocation.at(was.source),
    new: is === undefined ? pair.newLocation : SpecLocation.at(is.source),
  };
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
  compareContents(pair, { old: was.content, new: is.content, title, direction: pair.requestDirection }, locations);
  compareDescriptions(pair, pair.requestDirection, { old: was, new: is, title });
  compareExtensions(pair, pair.requestDirection, { old: was, new: is, title });
}

/** The content of a body or a response, in both specs. */
export interface Contents {
  readonly old: readonly MediaType[];
  readonly new: readonly MediaType[];
  /** Its name in a sentence: `the request body`. */
  readonly title: string;
  readonly direction: Direction;
}

/** Compares media types, and the schemas of those that are in both specs. */
export function compareContents(pair: OperationPair, contents: Contents, owners: LocationPair): void {
  const { title, direction } = contents;
  const added = new Map(contents.new.map((media) => [keyOf(media.mediaType), media]));
  const usages = [pair.usage(direction)];
  for (const was of contents.old) {
    const key = keyOf(was.mediaType);
    // A range such as `application/*` takes in what it covers, and may take in more.
    const is = added.get(key) ?? contents.new.find(({ mediaType }) => covers(keyOf(mediaType), key));
    added.delete(key);
    if (is !== undefined) compareMedia(pair, { was, is, contents });
    else
      pair.context.report(
        {
          kind: 'media-type-removed',
          message: `${title} has the media type ${quote(was.mediaType)} no more`,
          old: SpecLocation.at(was.source),
          new: owners.new.child('content'),
          anchor: 'old',
        },
        usages,
      );
  }
  for (const is of added.values())
    pair.context.report(
      {
        kind: 'media-type-added',
        message: `${title} may be ${quote(is.mediaType)} now`,
        old: owners.old.child('content'),
        new: SpecLocation.at(is.source),
        anchor: 'new',
        exceptions: pair.requestDirection === 'response' ? ['response'] : [],
      },
      usages,
    );
}

/** A media type without case, the order of parameters and `charset=utf-8`. */
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
  readonly contents: Contents;
}

function compareMedia(pair: OperationPair, { was, is, contents: { title, direction } }: MediaPair): void {
  const parts = [schemaPart(was, title), schemaPart(is, title)] as const;
  if (hasItems(was) && hasItems(is))
    pair.context.schemas.addRoot(itemPart(was, title), itemPart(is, title), pair.usage(direction));
  else pair.context.schemas.addRoot(...parts, pair.usage(direction));
  compareEncodings(pair, { was, is, parts, direction });
  comparePartTypes(pair, { was, is, direction });
  const mediaTitle = `${quote(is.mediaType)} of ${title}`;
  compareExampleLists(pair, direction, { old: was, new: is, title: mediaTitle });
  compareExtensions(pair, direction, { old: was, new: is, title: mediaTitle });
}

function hasItems(media: MediaType): media is MediaType & { readonly sequence: ItemSequence } {
  return media.sequence !== undefined;
}

/** Items are described by `itemSchema`, or by a schema that documents had for them before OpenAPI 3.2. */
function itemPart({ sequence, source }: MediaType & { readonly sequence: ItemSequence }, title: string): Part {
  const media = SpecLocation.at(source, `each item of ${title}`);
  return { schema: sequence.schema, location: media.child('itemSchema').orElse(media.child('schema')) };
}

/** No schema: anything. */
function schemaPart({ schema = true, source }: MediaType, title: string): Part {
  return { schema, location: SpecLocation.at(source, title).child('schema') };
}

interface FormPair {
  readonly was: MediaType;
  readonly is: MediaType;
  /** The schemas of both. */
  readonly parts: readonly [Part, Part];
  readonly direction: Direction;
}

/** Compares how members of a form are written, where the documents say something about it. */
function compareEncodings(pair: OperationPair, { was, is, parts, direction }: FormPair): void {
  const names = new Set([...was.encoding.keys(), ...is.encoding.keys()]);
  if (names.size === 0) return;
  const { old: oldSide, new: newSide } = pair.context.schemas;
  const [oldMembers, members] = [membersIn(parts[0], oldSide), membersIn(parts[1], newSide)];
  for (const name of names) {
    const [before, now] = [oldMembers.get(name), members.get(name)];
    if (before === undefined || now === undefined) continue;
    const [oldText, text] = [writingOf(was.encoding.get(name), before), writingOf(is.encoding.get(name), now)];
    if (oldText === text) continue;
    pair.context.report(
      {
        kind: 'encoding-changed',
        message: `The member ${quote(name)} of the form is written as ${quote(text)}, was ${quote(oldText)}`,
        old: SpecLocation.at(was.source).child('encoding', name),
        new: SpecLocation.at(is.source).child('encoding', name),
      },
      [pair.usage(direction)],
    );
  }
}

/** Compares how parts without names are written (OpenAPI 3.2). */
function comparePartTypes(
  pair: OperationPair,
  { was, is, direction }: Pick<MediaPair, 'was' | 'is'> & { readonly direction: Direction },
): void {
  const report = (old: Encoding | undefined, next: Encoding | undefined, place: readonly string[]): void => {
    const [oldText, text] = [partTypeOf(old), partTypeOf(next)];
    if (oldText === text) return;
    const [key, index] = place;
    const part = index === undefined ? 'Each further part' : `Part ${Number(index) + 1}`;
    const at = (media: MediaType): SpecLocation => SpecLocation.at(media.source).child(...place);
    pair.context.report(
      {
        kind: 'encoding-changed',
        message: `${part} of the body is written as ${quote(text)}, was ${quote(oldText)}`,
        old: at(was).orElse(SpecLocation.at(was.source).child(key ?? '')),
        new: at(is).orElse(SpecLocation.at(is.source).child(key ?? '')),
      },
      [pair.usage(direction)],
    );
  };
  const [before, now] = [was.prefixEncoding ?? [], is.prefixEncoding ?? []];
  const count = Math.max(before.length, now.length);
  for (let index = 0; index < count; index += 1)
    report(before[index] ?? was.itemEncoding, now[index] ?? is.itemEncoding, ['prefixEncoding', String(index)]);
  report(was.itemEncoding, is.itemEncoding, ['itemEncoding']);
}

function partTypeOf(encoding: Encoding | undefined): string {
  const { contentType = 'its own type', nested } = encoding ?? {};
  const inner = [
    ...(nested?.prefixEncoding ?? []),
    ...(nested?.itemEncoding === undefined ? [] : [nested.itemEncoding]),
  ];
  return inner.length === 0 ? contentType : `${contentType} of ${inner.map(partTypeOf).join(', ')}`;
}

function membersIn(part: Part, side: Side): Map<string, EffectiveSchema> {
  const members = membersOf(side.effectiveOf(side.sites.site(part)));
  return new Map([...members].map(([name, parts]) => [name, side.effectiveOf(side.sites.join(parts))]));
}

/** Where nothing is said: OpenAPI's defaults. Style and explode matter to lists and objects alone. */
function writingOf(encoding: Encoding | undefined, { types, parts }: EffectiveSchema): string {
  const isBytesOnly = types === undefined && parts.some(({ schema }) => isBytes(schema));
  const isScalar = isBytesOnly || (types !== undefined && !types.has('array') && !types.has('object'));
  const type = encoding?.contentType ?? defaultType(types);
  if (isScalar) return type;
  return `${type}, ${encoding?.style ?? 'form'}${(encoding?.explode ?? true) ? ', exploded' : ''}`;
}

function defaultType(types: EffectiveSchema['types']): string {
  if (types === undefined) return 'application/octet-stream';
  return types.has('object') ? 'application/json' : 'text/plain';
}
