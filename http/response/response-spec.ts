import { getOrInsert } from '../../model/maps.js';
import type { Api, ApiResponse, Header, MediaType, Operation } from '../../model/api.js';
import { compileValidator, type Validate, type ValidationError } from '../../schema/compile-validator.js';
import type { CompileContext } from '../request/read-parameters.js';
import { keepText } from '../../runtime/fields.js';
import { type MediaKind, statusKeys } from '../../runtime/media-type.js';
import type { ItemPlan } from '../../runtime/items.js';
import type { XmlPlan } from '../../runtime/xml.js';
import { partListPlan } from '../../schema/item-value.js';
import { xmlPlanOf } from '../../schema/xml-plan.js';
import { compileItems, type ItemCodec } from '../item-codec.js';
import { kindOf, parseMediaType, type ParsedMediaType } from '../../runtime/parsed-media-type.js';
import { hintsReader } from '../../schema/decode-hints.js';
import type { DecodeHints } from '../../runtime/text-shape.js';
import { decodeText } from '../../runtime/text-decoder.js';

export interface ResponseMedia {
  readonly media: MediaType;
  readonly parsed: ParsedMediaType;
  /** Whether a range names it by the media type that callers may request instead (`x-accept`). */
  readonly isAlias: IsAlias | undefined;
  readonly kind: MediaKind;
  readonly validate: Validate | undefined;
  readonly items: ItemCodec | undefined;
  readonly xml: XmlPlan | undefined;
  /** Set if the body is a list of unnamed parts. */
  readonly parts: ItemPlan | undefined;
}

/** A documented header of a response with its compiled check. */
export interface ResponseHeader {
  readonly header: Header;
  /** Lower case. */
  readonly name: string;
  readonly required: boolean;
  readonly check: (text: string) => readonly ValidationError[];
}

/** The documented response for a status. */
export interface ResponseSpec {
  readonly response: ApiResponse;
  readonly media: readonly ResponseMedia[];
  readonly headers: readonly ResponseHeader[];
}

/** Returns the documented response for a status: by the status itself, its range, or `default`. */
export type FindResponseSpec = (status: number) => ResponseSpec | undefined;

/** Compiles the documented responses of an operation, each on the first use of its status. */
export function compileResponses(operation: Operation, context: CompileContext): FindResponseSpec {
  const byStatus = new Map<number, ResponseSpec | undefined>();
  return (status) => {
    return getOrInsert(byStatus, status, () => {
      const response = findResponse(operation, status);
      return response === undefined ? undefined : createRule(response, context);
    });
  };
}

/** Returns the response that documents a status. */
export function findResponse({ responses }: Operation, status: number): ApiResponse | undefined {
  return statusKeys(status)
    .map((name) => responses.find((response) => response.status === name))
    .find((response) => response !== undefined);
}

function createRule(response: ApiResponse, context: CompileContext): ResponseSpec {
  return {
    response,
    media: response.content.flatMap((media) => createMedia(media, context)),
    headers: response.headers.map((header) => createHeader(header, context)),
  };
}

function createMedia(media: MediaType, context: CompileContext): ResponseMedia[] {
  const { api, report } = context;
  const parsed = parseMediaType(media.mediaType);
  if (parsed === undefined) return [];
  const options = { direction: 'response' as const, source: media.source, ...(report === undefined ? {} : { report }) };
  const validate = media.schema === undefined ? undefined : compileValidator(api, media.schema, options);
  const kind = kindOf(parsed);
  const alias = kind === 'json' ? readAlias(api) : undefined;
  return [
    {
      media,
      parsed,
      isAlias: alias === undefined ? undefined : isAlias(alias),
      kind,
      validate,
      items: compileItems(media, context, 'response'),
      xml: xmlPlanOf(api, media),
      parts: media.sequence === undefined ? partListPlan(api, media) : undefined,
    },
  ];
}

function createHeader(header: Header, { api, report }: CompileContext): ResponseHeader {
  const options = {
    direction: 'response' as const,
    source: header.source,
    ...(report === undefined ? {} : { report }),
  };
  const validate = compileValidator(api, header.schema, options);
  const shape = hintsReader(api)(header.schema);
  return {
    header,
    name: header.name.toLowerCase(),
    required: header.required,
    check: (text) => (header.mediaType === undefined ? validate(readHeader(header, shape, text)) : []),
  };
}

function readHeader({ name, explode }: Header, shape: DecodeHints, text: string): unknown {
  return decodeText({ name, style: 'simple', explode, shape, decode: keepText }, text);
}

type IsAlias = (range: ParsedMediaType) => boolean;

/**
 * Returns the media type in the extension `x-accept`: callers send it in `Accept`, although responses are plain JSON.
 */
export function readAlias({ extensions }: Api): ParsedMediaType | undefined {
  const alias = extensions['x-accept'];
  return typeof alias === 'string' ? parseMediaType(alias) : undefined;
}

/** Tests for an alias, its versions and its formats: `application/vnd.x.v3.raw` of `application/vnd.x+json`. */
export function isAlias(alias: ParsedMediaType): IsAlias {
  const [name = ''] = alias.essence.split('+', 1);
  return ({ essence }) => essence === alias.essence || essence.startsWith(`${name}.`);
}
