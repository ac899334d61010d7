import { decodeLeniently } from '../../model/document/pointer.js';
import { type WireContext, writeCall } from '../execute/http/write-call.js';
import { bodyKindOf } from '../../http/request/write-body.js';
import { type Redaction, variableOf } from '../findings/hide-given-secrets.js';
import type { Call, WireRequest } from '../types.js';
import { type Fill, type Reproduction, type Step, putPlace, readPlace } from './reproduction.js';
import { nameOfSource } from './capture.js';

/** How a value of an earlier response is written into a request. */
export type Encoding = 'url' | 'json' | 'text';

/** A part of a request's text. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `name`: the variable that holds the secret. */
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'fill'; readonly fill: Fill; readonly encoding: Encoding };

/** A request with placeholders for values from earlier responses. */
export interface Template {
  readonly method: string;
  readonly url: readonly Part[];
  readonly headers: readonly (readonly [string, readonly Part[]])[];
  readonly body?: readonly Part[];
}

export interface TemplateContext {
  readonly wire: WireContext;
  readonly secrets: Redaction;
}

/** The requests of a reproduction as templates, in its order. */
export function writeTemplates({ steps }: Reproduction, context: TemplateContext): Template[] {
  return steps.map((step) => writeTemplate(step, context));
}

function writeTemplate(
  { sent: { call }, exchange: { request }, fills }: Step,
  { wire, secrets }: TemplateContext,
): Template {
  const marked = fills.length === 0 ? undefined : writeCall(withMarks(call, fills), wire);
  const plain = marked === undefined ? undefined : writeCall(call, wire);
  // Parts that a hook has changed are kept as sent.
  const pick = (read: (from: WireRequest) => string | undefined): string | undefined =>
    marked !== undefined && plain !== undefined && read(plain) === read(request) ? read(marked) : read(request);
  const split = (text: string, encoding: Encoding): Part[] =>
    secrets
      .split(text)
      .flatMap((part): Part[] =>
        part.isSecret ? [{ kind: 'secret', name: part.text }] : splitMarks(part.text, fills, encoding),
      );
  const body = pick((from) => from.body);
  const address = fills.find(({ place }) => place.in === 'address');
  return {
    method: request.method,
    url:
      address !== undefined
        ? [{ kind: 'fill', fill: address, encoding: 'text' }]
        : splitUrl(pick(({ url }) => url) ?? '', secrets).flatMap((part) =>
            part.kind === 'text' ? split(part.text, 'url') : [part],
          ),
    headers: Object.entries(request.headers).map(([name, value]) => {
      if (secrets.hasHeader(name, value)) return [name, [{ kind: 'secret', name: secrets.variableFor(name, value) }]];
      return [name, split(pick(({ headers }) => headers[name]) ?? '', name === 'cookie' ? 'url' : 'text')];
    }),
    ...(body === undefined ? {} : { body: split(body, bodyEncoding(request)) }),
  };
}

function bodyEncoding({ headers }: WireRequest): Encoding {
  const kind = bodyKindOf(headers['content-type'] ?? '');
  return kind === 'json' ? 'json' : kind === 'form' ? 'url' : 'text';
}

const MARK = /"?specmillfill(\d+)x"?/;

/**
 * Puts a mark at each fill. Marks consist of letters and digits, which no encoding escapes, so they can be found again.
 */
export function withMarks(call: Call, fills: readonly Fill[]): Call {
  return fills.reduce((marked, { place }, index) => {
    const isWritten = place.in !== 'address' && (place.in !== 'parameter' || place.parameter.mediaType === undefined);
    return isWritten && readPlace(call, place) !== undefined
      ? putPlace(marked, place, `specmillfill${index}x`)
      : marked;
  }, call);
}

export function splitMarks(text: string, fills: readonly Fill[], encoding: Encoding): Part[] {
  const pieces = text.split(encoding === 'json' ? MARK : /specmillfill(\d+)x/);
  return pieces.flatMap((piece, index): Part[] => {
    const fill = index % 2 === 1 ? fills[Number(piece)] : undefined;
    if (fill !== undefined) return [{ kind: 'fill', fill, encoding }];
    return piece === '' ? [] : [{ kind: 'text', text: piece }];
  });
}

/** Splits a URL so that the values of secret parameters are left out. */
function splitUrl(url: string, secrets: Redaction): Part[] {
  const [path = '', query] = url.split(/\?(.*)/s);
  const parts: Part[] = [];
  let text = path;
  for (const [index, field] of (query === undefined ? [] : query.split('&')).entries()) {
    text += index === 0 ? '?' : '&';
    const [name = ''] = field.split('=', 1);
    if (!secrets.hasQuery(decodeLeniently(name.replaceAll('+', ' ')))) {
      text += field;
      continue;
    }
    parts.push(
      { kind: 'text', text: `${text}${name}=` },
      { kind: 'secret', name: variableOf(decodeLeniently(name.replaceAll('+', ' '))) },
    );
    text = '';
  }
  return text === '' ? parts : [...parts, { kind: 'text', text }];
}

export function takenFrom(templates: readonly Template[], key: Step['key']): (Part & { readonly kind: 'fill' })[] {
  const parts = templates.flatMap(({ url, headers, body = [] }) => [
    ...url,
    ...headers.flatMap(([, own]) => own),
    ...body,
  ]);
  const taken = parts.filter((part) => part.kind === 'fill').filter(({ fill }) => fill.from === key);
  return [...new Map(taken.map((part) => [`${part.encoding} ${nameOfSource(part.fill.source)}`, part])).values()];
}
