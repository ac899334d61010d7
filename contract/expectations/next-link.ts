import type { Exchange } from '../types.js';

/** The next page by a header (RFC 8288): `Link: <...>; rel="next"`. */
export function nextLink(exchange: Exchange): URL | undefined {
  return linkTo(exchange, 'next');
}

/** An expression for the URL with a relation in the text of the header `Link`. */
export function linkCode(relation: string, header: string): string {
  return `/<([^<>]*)>[^,<]*rel="?${relation}\\b/.exec(${header})?.[1]`;
}

/** Another page by its relation in the header `Link`, such as `last`. */
export function linkTo({ headers, request }: Exchange, relation: string): URL | undefined {
  const links = (headers.get('link') ?? '').matchAll(/<([^<>]*)>((?:\s*;\s*[^\s;=,]+\s*=\s*(?:"[^"]*"|[^\s;,"]*))*)/g);
  for (const [, address = '', parameters = ''] of links) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(relation) && URL.canParse(address, request.url)) return new URL(address, request.url);
  }
  return undefined;
}
