import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import path from 'node:path';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'unknown-artwork-500': 'GET of an unknown artwork fails with 500',
  'artist-created-200': 'POST /artists responds 200',
  'location-singular': 'The Location of an artwork is /api/artwork/{id}',
  'list-without-links': 'The artists of a list have no _links',
  'embed-ignored': 'embed=artist does nothing',
  'page-one-based': 'Pages count from 1, so that page 0 and 1 are the same',
  'total-elements': 'totalElements counts the page alone',
  'total-pages': 'totalPages is rounded down',
  'next-forever': 'The last page of artworks has a next link',
  'sort-ascending': 'sort=...,desc sorts upwards',
  'country-ignored': 'The filter by country does nothing',
  'display-truthy': 'onDisplay=false counts as true',
  'year-from-exclusive': 'yearFrom leaves that year out',
  'etag-constant': 'The ETag stays after a change',
  'if-match-ignored': 'A PUT with an outdated If-Match is accepted',
  'if-none-match-ignored': 'GET with the current ETag responds 200',
  'patch-null-kept': 'null in a patch does not remove the biography',
  'patch-replaces': 'PATCH of an artwork forgets the members that are not sent',
  'put-merges': 'PUT keeps the biography that was left out',
  'year-unknown': 'An artwork without a year has the year "unknown"',
  'dimensions-lost': 'PATCH of the height removes the width',
  'title-truncated': 'Titles are cut after 64 characters',
  'delete-open': 'An artwork can be deleted without a credential',
  'head-missing': 'HEAD of an artist is 404',
  'html-error': 'A 404 is an HTML page',
  'created-local': 'createdAt of new artists has no time zone',
  'mixed-media-refused': 'The medium mixed-media is refused',
  'loan-any-date': 'Any text is accepted as the end of a loan',
  'loan-stays': 'A loan that has ended can still be read',
  'nested-all': 'Below each artist the artworks of all are listed',
  'movements-order': 'The movements of an artist are sorted by name',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

interface Artist extends Json {
  id: string;
  name: string;
  country: string;
  born: number | null;
  biography?: string;
  movements: string[];
  createdAt: string;
}

interface Artwork extends Json {
  id: number;
  title: string;
  artist: string;
  medium: string;
  year: number | null;
}

interface Result {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

class HttpFailure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const COUNTRIES = ['AT', 'CZ', 'DE', 'ES', 'FR', 'GB', 'IT', 'MX', 'NL', 'US'];
const MEDIA = ['oil', 'watercolour', 'drawing', 'sculpture', 'photograph', 'mixed-media'];
const CREDENTIAL = `Basic ${Buffer.from('curator:paint').toString('base64')}`;

type Rule = (value: unknown) => boolean;
const text =
  (min: number, max: number): Rule =>
  (value) =>
    typeof value === 'string' && [...value].length >= min && [...value].length <= max;
const year: Rule = (value) =>
  value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1000 && value <= 2100);
const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const length: Rule = (value) => typeof value === 'number' && value > 0 && value <= 5000;
const bool: Rule = (value) => typeof value === 'boolean';
const date: Rule = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the known members of a body. A rule with `!` belongs to a required member. */
function validate(body: unknown, rules: Readonly<Record<string, Rule>>, partial = false): Json {
  if (!isObject(body)) throw new HttpFailure(400, 'The body must be an object');
  const result: Json = {};
  for (const [key, rule] of Object.entries(rules)) {
    const name = key.replace('!', '');
    const value = body[name];
    if (value === undefined) {
      if (key.endsWith('!') && !partial) throw new HttpFailure(400, `${name} is required`);
    } else if (!rule(value)) throw new HttpFailure(400, `${name} is invalid`);
    else result[name] = value;
  }
  return result;
}

function createHandler(bug: string | undefined): (request: IncomingMessage, body: string) => Result {
  const has = (name: Bug): boolean => bug === name;
  const artists = new Map<string, Artist>();
  const artworks = new Map<number, Artwork>();
  const loans = new Map<number, Json>();
  const versions = new Map<string, number>();
  let lastArtwork = 0;
  let lastVersion = 0;

  const dimensions =
    (partial: boolean): Rule =>
    (value) => {
      if (!isObject(value)) return false;
      const given = (name: string): boolean => value[name] !== undefined;
      if (!partial && !(given('height') && given('width'))) return false;
      return ['height', 'width', 'depth'].every((name) => !given(name) || length(value[name]));
    };
  const media = has('mixed-media-refused') ? MEDIA.slice(0, -1) : MEDIA;
  const movements: Rule = (value) => Array.isArray(value) && value.length <= 5 && value.every(text(1, 30));
  const artistRules = {
    'name!': text(1, 120),
    'country!': oneOf(COUNTRIES),
    born: year,
    biography: text(0, 400),
    movements,
  };
  const artworkRules = {
    'title!': text(1, 150),
    'artist!': (value: unknown) => typeof value === 'string' && artists.has(value),
    'medium!': oneOf(media),
    year,
    dimensions: dimensions(false),
    onDisplay: bool,
    acquiredOn: date,
  };
  const artworkPatchRules = { ...artworkRules, dimensions: dimensions(true) };

  const touch = (id: string): void => void versions.set(id, ++lastVersion);
  const etagOf = (id: string): string => (has('etag-constant') ? `"${id}"` : `"${id}-${versions.get(id)}"`);
  const newId = (name: string): string => {
    const slug =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')
        .slice(0, 60) || 'artist';
    let id = slug;
    for (let index = 2; artists.has(id); index++) id = `${slug}-${index}`;
    return id;
  };
  const addArtist = (input: Json): Artist => {
    const now = new Date().toISOString();
    const artist = { born: null, movements: [], ...input, id: newId(String(input.name)) } as Json;
    artist.createdAt = has('created-local') ? now.slice(0, 19) : now;
    artists.set(String(artist.id), artist as Artist);
    touch(String(artist.id));
    return artist as Artist;
  };
  const addArtwork = (input: Json): Artwork => {
    const artwork = { year: null, onDisplay: false, ...input, id: ++lastArtwork } as unknown as Artwork;
    if (has('title-truncated')) artwork.title = [...artwork.title].slice(0, 64).join('');
    artworks.set(artwork.id, artwork);
    return artwork;
  };
  for (const [name, country, born] of [
    ['Frida Kahlo', 'MX', 1907],
    ['Egon Schiele', 'AT', 1890],
    ['Toyen', 'CZ', 1902],
    ['Albrecht Dürer', 'DE', 1471],
  ] as const) {
    addArtist({ name, country, born });
  }
  addArtwork({ title: 'The Two Fridas', artist: 'frida-kahlo', medium: 'oil', year: 1939, onDisplay: true });
  addArtwork({ title: 'Young Hare', artist: 'albrecht-d-rer', medium: 'watercolour', year: 1502 });
  addArtwork({ title: 'Seated Woman', artist: 'egon-schiele', medium: 'drawing', year: 1917 });

  const showArtist = (artist: Artist, inList = false): Json => ({
    ...artist,
    movements: has('movements-order') ? artist.movements.toSorted() : artist.movements,
    ...(inList && has('list-without-links')
      ? {}
      : {
          _links: {
            self: { href: `/api/artists/${artist.id}` },
            artworks: { href: `/api/artists/${artist.id}/artworks` },
          },
        }),
  });
  const showArtwork = (artwork: Artwork, embed?: string | null): Json => {
    const artist = artists.get(artwork.artist);
    return {
      ...artwork,
      year: artwork.year === null && has('year-unknown') ? 'unknown' : artwork.year,
      _links: {
        self: { href: `/api/artworks/${artwork.id}` },
        artist: { href: `/api/artists/${artwork.artist}` },
      },
      ...(embed === 'artist' && artist !== undefined && !has('embed-ignored')
        ? { _embedded: { artist: showArtist(artist) } }
        : {}),
    };
  };
  const findArtist = (id: string): Artist => {
    const artist = artists.get(id);
    if (artist === undefined) throw new HttpFailure(404, 'There is no such artist');
    return artist;
  };
  const findArtwork = (id: string): Artwork => {
    if (!/^[1-9]\d*$/.test(id)) throw new HttpFailure(404, 'There is no such artwork');
    const artwork = artworks.get(Number(id));
    if (artwork === undefined && has('unknown-artwork-500')) throw new TypeError('artwork is undefined');
    if (artwork === undefined) throw new HttpFailure(404, 'There is no such artwork');
    return artwork;
  };

  const integer = (query: URLSearchParams, name: string, min = -Infinity, max = Infinity): number | undefined => {
    const value = query.get(name);
    if (value === null) return undefined;
    if (!/^-?\d+$/.test(value) || Number(value) < min || Number(value) > max)
      throw new HttpFailure(400, `${name} is invalid`);
    return Number(value);
  };
  const choice = (query: URLSearchParams, name: string, values: readonly string[]): string | undefined => {
    const value = query.get(name);
    if (value === null) return undefined;
    if (!values.includes(value)) throw new HttpFailure(400, `${name} is invalid`);
    return value;
  };
  const pageOf = (items: readonly Json[], name: string, base: string, query: URLSearchParams): Json => {
    const number = integer(query, 'page', 0) ?? 0;
    const size = integer(query, 'size', 1, 50) ?? 20;
    const start = (has('page-one-based') ? Math.max(number - 1, 0) : number) * size;
    const rows = items.slice(start, start + size);
    const pages = items.length / size;
    const linkTo = (target: number): Json => {
      const copy = new URLSearchParams(query);
      copy.set('page', String(target));
      return { href: `/api${base}?${copy}` };
    };
    const hasNext = start + size < items.length || (has('next-forever') && name === 'artworks');
    return {
      _embedded: { [name]: rows },
      _links: {
        self: linkTo(number),
        ...(hasNext ? { next: linkTo(number + 1) } : {}),
        ...(number > 0 ? { prev: linkTo(number - 1) } : {}),
      },
      page: {
        size,
        number,
        totalElements: has('total-elements') ? rows.length : items.length,
        totalPages: has('total-pages') ? Math.floor(pages) : Math.ceil(pages),
      },
    };
  };
  const listArtists = (query: URLSearchParams): Json => {
    const country = choice(query, 'country', COUNTRIES);
    const sort = choice(query, 'sort', ['name,asc', 'name,desc', 'born,asc', 'born,desc']) ?? 'name,asc';
    const [member = 'name', direction] = sort.split(',');
    const sign = direction === 'desc' && !has('sort-ascending') ? -1 : 1;
    const compare = (a: Artist, b: Artist): number => {
      const [one, other] = member === 'born' ? [a.born ?? 0, b.born ?? 0] : [a.name, b.name];
      return one < other ? -sign : one > other ? sign : 0;
    };
    const rows = [...artists.values()]
      .filter((artist) => country === undefined || has('country-ignored') || artist.country === country)
      .toSorted(compare)
      .map((artist) => showArtist(artist, true));
    return pageOf(rows, 'artists', '/artists', query);
  };
  const listArtworks = (query: URLSearchParams): Json => {
    const artist = query.get('artist');
    if (artist !== null && [...artist].length > 80) throw new HttpFailure(400, 'artist is invalid');
    const medium = choice(query, 'medium', MEDIA);
    const shown = choice(query, 'onDisplay', ['true', 'false']);
    const [from, to] = [integer(query, 'yearFrom'), integer(query, 'yearTo')];
    const isShown = has('display-truthy') ? Boolean(shown) : shown === 'true';
    const rows = [...artworks.values()].filter(
      (artwork) =>
        (artist === null || artwork.artist === artist) &&
        (medium === undefined || artwork.medium === medium) &&
        (shown === undefined || artwork.onDisplay === isShown) &&
        (from === undefined ||
          (artwork.year !== null && (has('year-from-exclusive') ? artwork.year > from : artwork.year >= from))) &&
        (to === undefined || (artwork.year !== null && artwork.year <= to)),
    );
    const items = rows.map((artwork) => showArtwork(artwork));
    return pageOf(items, 'artworks', '/artworks', query);
  };

  const parse = (request: IncomingMessage, body: string, mediaType: string): unknown => {
    if ((request.headers['content-type'] ?? '').split(';')[0]?.trim() !== mediaType)
      throw new HttpFailure(415, `Send ${mediaType}`);
    try {
      return JSON.parse(body) as unknown;
    } catch {
      throw new HttpFailure(400, 'The body is no JSON');
    }
  };
  const requireCurator = (request: IncomingMessage): void => {
    if (request.method === 'DELETE' && request.url?.includes('/artworks/') === true && has('delete-open')) return;
    if (request.headers.authorization !== CREDENTIAL) throw new HttpFailure(401, 'Log in as a curator');
  };
  const okArtist = (artist: Artist, status = 200): Result => ({
    status,
    body: showArtist(artist),
    headers: { ETag: etagOf(artist.id) },
  });
  const checkMatch = (request: IncomingMessage, id: string): void => {
    const sent = request.headers['if-match'];
    if (sent === undefined || sent === '*' || has('if-match-ignored')) return;
    if (sent !== etagOf(id)) throw new HttpFailure(412, 'The artist has changed');
  };

  const handleArtists = (request: IncomingMessage, body: string, query: URLSearchParams): Result => {
    if (request.method === 'GET') return { status: 200, body: listArtists(query) };
    requireCurator(request);
    const artist = addArtist(validate(parse(request, body, 'application/json'), artistRules));
    const { body: shown, headers } = okArtist(artist);
    const status = has('artist-created-200') ? 200 : 201;
    return { status, body: shown, headers: { ...headers, Location: `/api/artists/${artist.id}` } };
  };
  const handleArtist = (request: IncomingMessage, body: string, id: string): Result => {
    const { method } = request;
    if (method === 'HEAD' && has('head-missing')) throw new HttpFailure(404, 'There is no such artist');
    if (method === 'GET' || method === 'HEAD') {
      const artist = findArtist(id);
      if (request.headers['if-none-match'] === etagOf(id) && !has('if-none-match-ignored'))
        return { status: 304, headers: { ETag: etagOf(id) } };
      return okArtist(artist);
    }
    requireCurator(request);
    const artist = findArtist(id);
    if (method === 'DELETE') {
      if ([...artworks.values()].some((artwork) => artwork.artist === id))
        throw new HttpFailure(409, 'The artist has artworks');
      artists.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      const input = validate(parse(request, body, 'application/json'), artistRules);
      checkMatch(request, id);
      const { createdAt, biography } = artist;
      const kept = has('put-merges') && biography !== undefined ? { biography } : {};
      artists.set(id, { born: null, movements: [], ...kept, ...input, id, createdAt } as unknown as Artist);
    } else {
      const rules = { ...artistRules, biography: (value: unknown) => value === null || text(0, 400)(value) };
      const patch = validate(parse(request, body, 'application/merge-patch+json'), rules, true);
      checkMatch(request, id);
      const { biography, ...rest } = { ...artist, ...patch } as Json;
      if (biography === null && has('patch-null-kept')) rest.biography = artist.biography;
      else if (biography !== null && biography !== undefined) rest.biography = biography;
      artists.set(id, rest as Artist);
    }
    touch(id);
    return okArtist(findArtist(id));
  };
  const handleArtwork = (request: IncomingMessage, body: string, id: string, query: URLSearchParams): Result => {
    if (request.method === 'GET') {
      const embed = choice(query, 'embed', ['artist']);
      return { status: 200, body: showArtwork(findArtwork(id), embed) };
    }
    requireCurator(request);
    const artwork = findArtwork(id);
    if (request.method === 'DELETE') {
      artworks.delete(artwork.id);
      loans.delete(artwork.id);
      return { status: 204 };
    }
    const patch = validate(parse(request, body, 'application/merge-patch+json'), artworkPatchRules, true);
    const merged = { ...(artwork.dimensions as Json | undefined), ...(patch.dimensions as Json | undefined) };
    const sizes = has('dimensions-lost') && patch.dimensions !== undefined ? (patch.dimensions as Json) : merged;
    if (Object.keys(merged).length > 0) {
      if (merged.height === undefined || merged.width === undefined)
        throw new HttpFailure(400, 'dimensions are incomplete');
      patch.dimensions = sizes;
    }
    delete patch.artist;
    const base = has('patch-replaces')
      ? { title: artwork.title, artist: artwork.artist, medium: artwork.medium, year: null, onDisplay: false }
      : artwork;
    const next = { ...base, ...patch, id: artwork.id } as unknown as Artwork;
    artworks.set(next.id, next);
    return { status: 200, body: showArtwork(next) };
  };
  const handleLoan = (request: IncomingMessage, body: string, id: string): Result => {
    if (request.method !== 'GET') requireCurator(request);
    const artwork = findArtwork(id);
    if (request.method === 'PUT') {
      const rules = {
        'borrower!': text(1, 100),
        'from!': date,
        'until!': has('loan-any-date') ? text(0, 1000) : date,
        insuredFor: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1e9,
      };
      loans.set(artwork.id, validate(parse(request, body, 'application/json'), rules));
    }
    const loan = loans.get(artwork.id);
    if (loan === undefined) throw new HttpFailure(404, 'The artwork is here');
    if (request.method === 'DELETE') {
      if (!has('loan-stays')) loans.delete(artwork.id);
      return { status: 204 };
    }
    return { status: 200, body: loan };
  };

  const allowed = (request: IncomingMessage, methods: readonly string[]): void => {
    if (!methods.includes(request.method ?? '')) throw new HttpFailure(405, methods.join(', '));
  };
  return (request, body) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://museum');
    const [, prefix, collection, id, inner, ...more] = pathname.split('/').map(decodeURIComponent);
    if (prefix !== 'api' || more.length > 0) throw new HttpFailure(404, 'Not found');
    if (collection === 'artists' && id === undefined) {
      allowed(request, ['GET', 'POST']);
      return handleArtists(request, body, query);
    }
    if (collection === 'artists' && id !== undefined && inner === undefined) {
      allowed(request, ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
      return handleArtist(request, body, id);
    }
    if (collection === 'artists' && id !== undefined && inner === 'artworks') {
      allowed(request, ['GET']);
      const artist = findArtist(id);
      const all = [...artworks.values()].filter((artwork) => has('nested-all') || artwork.artist === artist.id);
      const rows = all.map((artwork) => showArtwork(artwork));
      return { status: 200, body: pageOf(rows, 'artworks', `/artists/${id}/artworks`, query) };
    }
    if (collection === 'artworks' && id === undefined) {
      allowed(request, ['GET', 'POST']);
      if (request.method === 'GET') return { status: 200, body: listArtworks(query) };
      requireCurator(request);
      const artwork = addArtwork(validate(parse(request, body, 'application/json'), artworkRules));
      const Location = `/api/${has('location-singular') ? 'artwork' : 'artworks'}/${artwork.id}`;
      return { status: 201, body: showArtwork(artwork), headers: { Location } };
    }
    if (collection === 'artworks' && id !== undefined && inner === undefined) {
      allowed(request, ['GET', 'PATCH', 'DELETE']);
      return handleArtwork(request, body, id, query);
    }
    if (collection === 'artworks' && id !== undefined && inner === 'loan') {
      allowed(request, ['GET', 'PUT', 'DELETE']);
      return handleLoan(request, body, id);
    }
    throw new HttpFailure(404, 'Not found');
  };
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown, asHtml: boolean): void {
  const status = error instanceof HttpFailure ? error.status : error instanceof URIError ? 400 : 500;
  const message = error instanceof Error && status !== 500 ? error.message : 'Something broke';
  if (status === 404 && asHtml) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    return;
  }
  const headers = {
    'content-type': 'application/json',
    ...(status === 405 ? { allow: message } : {}),
    ...(status === 401 ? { 'www-authenticate': 'Basic realm="museum"' } : {}),
  };
  const { pathname } = new URL(request.url ?? '/', 'http://museum');
  const body = { timestamp: new Date().toISOString(), status, error: STATUS_CODES[status], message, path: pathname };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

export const museum: ForeignApi = {
  name: 'museum',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: CREDENTIAL },
  async start(bug) {
    const handle = createHandler(bug);
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      try {
        const { status, body, headers } = handle(request, Buffer.concat(chunks).toString('utf8'));
        const type = body === undefined ? {} : { 'content-type': 'application/hal+json' };
        response.writeHead(status, { ...type, ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      } catch (error) {
        sendFailure(request, response, error, bug === 'html-error');
      }
    });
    return listen(server, '/api');
  },
};
