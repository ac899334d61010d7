import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'head-404': 'HEAD of an artist is 404',
  'head-length': 'HEAD of a track has another Content-Length than GET',
  'tracks-of-unknown': 'The tracks of an unknown artist are an empty list',
  'track-added-to-unknown': 'A track can be added to an unknown artist',
  'tracks-of-all': 'The tracks are those of all artists',
  'track-of-other': 'A track can be read below another artist',
  'track-edit-of-other': 'A track can be changed below another artist',
  'track-remove-of-other': 'A track can be removed below another artist',
  'take-of-other': 'A take can be read below another artist',
  'take-remove-of-other': 'A take can be removed below another artist',
  'takes-of-all': 'The takes are those of all tracks',
  'plays-of-all': 'The plays are those of all artists',
  'revision-stays': 'The revision stays',
  'revision-ignored': 'A change with an outdated revision is accepted',
  'etag-stays': 'The ETag of an artist stays',
  'modified-stays': 'modified_on stays',
  'fields-ignored': 'PATCH changes members that fields leaves out',
  'handle-pattern': 'A handle of any form is accepted',
  'handle-ignored': 'A chosen handle is not used',
  'handle-taken-500': 'A handle that is taken fails with 500',
  'code-taken-forever': 'The stage code of a removed artist stays taken',
  'code-twice': 'Two artists may have the same stage code',
  'code-twice-at-once': 'Two equal artists at the same time are both added',
  'genre-ignored': 'The filter by genre does nothing',
  'genre-first': 'The filter by genre looks at the first genre alone',
  'prefix-ignored': 'name_prefix does nothing',
  'prefix-anywhere': 'name_prefix finds the text anywhere',
  'retired-ignored': 'The filter by retirement does nothing',
  'label-ignored': 'The filter by label does nothing',
  'sort-name-ignored': 'sort=name does nothing',
  'sort-down-ignored': 'sort=-joined does nothing',
  'page-in-order': 'With an order the second page starts one too early',
  'next-loses-genre': 'rel="next" loses the genre',
  'last-too-far': 'rel="last" is an empty page',
  'next-on-full': 'A last page that is exactly full has rel="next"',
  'retire-lost': 'A retired artist is not retired when it is read',
  'unretire-lost': 'An artist stays retired',
  'star-lost': 'A starred track is not starred when it is read',
  'unstar-lost': 'A track stays starred',
  'star-of-unknown': 'An unknown track can be starred',
  'audio-size': 'size counts characters',
  'audio-sha-old': 'sha256 is that of the audio before',
  'audio-range': 'A range has one byte too many',
  'audio-range-behind': 'A range behind the end is 206',
  'audio-truncated': 'Audio is cut after 20 bytes',
  'name-plus': 'Plus signs in a name become spaces',
  'name-emoji': 'The length of a name counts UTF-16 units',
  'bio-brackets-500': 'A bracket in a bio fails with 500',
  'track-labels-kept': 'PATCH of labels adds to the old ones',
  'key-other-body': 'The same key with another body is accepted',
  'key-creates-again': 'The same key starts another mix',
  'mix-never-done': 'A mix never ends',
  'mix-url-null': 'The url of a finished mix is null',
} as const;

type Bug = keyof typeof BUGS;

interface Artist {
  handle: string;
  name: string;
  stage_code: string;
  genres: string[];
  bio?: string;
  retired: boolean;
  joined: string;
  modified_on: string;
  revision: number;
  readonly plays: { title: string; at: string }[];
}
interface Track {
  readonly artist: Artist;
  readonly no: number;
  title: string;
  labels: string[];
  tempo?: number;
  starred: boolean;
  audio?: Buffer;
  sha256: string | null;
}
interface Take {
  readonly track: Track;
  readonly take_id: number;
  readonly remark: string;
}
type Json = Record<string, unknown>;
interface Call {
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly ids: readonly string[];
}
interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Buffer;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

const GENRES: ReadonlySet<unknown> = new Set(['jazz', 'punk', 'folk', 'dub']);
const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Studio {
  readonly #bug: string | undefined;
  readonly #artists = new Map<string, Artist>();
  readonly #tracks: Track[] = [];
  #takes: Take[] = [];
  readonly #codes = new Set<string>();
  readonly #mixes = new Map<string, { mix_id: string; title: string; at: number }>();
  readonly #keys = new Map<string, { text: string; mix: string }>();
  #count = 40;
  #time = Date.now();

  constructor(bug: string | undefined) {
    this.#bug = bug;
  }

  #has(bug: Bug): boolean {
    return this.#bug === bug;
  }

  #next(): number {
    return (this.#count += 1);
  }

  #now(): string {
    this.#time = Math.max(Date.now(), this.#time + 1);
    return new Date(this.#time).toISOString();
  }

  readonly #routes: readonly (readonly [RegExp, Readonly<Record<string, (call: Call) => Reply | Promise<Reply>>>])[] = [
    [/^\/artists$/, { GET: (call) => this.#listArtists(call), POST: (call) => this.#addArtist(call) }],
    [
      /^\/artists\/([^/]+)$/,
      {
        GET: (call) => this.#shown(this.#artist(call)),
        PATCH: (call) => this.#editArtist(call),
        DELETE: (call) => this.#removeArtist(call),
      },
    ],
    [
      /^\/artists\/([^/]+)\/retirement$/,
      { PUT: (call) => this.#retire(call, true), DELETE: (call) => this.#retire(call, false) },
    ],
    [/^\/artists\/([^/]+)\/plays$/, { GET: (call) => this.#plays(call) }],
    [/^\/artists\/([^/]+)\/tracks$/, { GET: (call) => this.#listTracks(call), POST: (call) => this.#addTrack(call) }],
    [
      /^\/artists\/([^/]+)\/tracks\/([^/]+)$/,
      {
        GET: (call) => ({ status: 200, json: this.#showTrack(this.#track(call, 'track-of-other')) }),
        PATCH: (call) => this.#editTrack(call),
        DELETE: (call) => this.#removeTrack(call),
      },
    ],
    [
      /^\/artists\/([^/]+)\/tracks\/([^/]+)\/star$/,
      { PUT: (call) => this.#star(call, true), DELETE: (call) => this.#star(call, false) },
    ],
    [
      /^\/artists\/([^/]+)\/tracks\/([^/]+)\/audio$/,
      { GET: (call) => this.#getAudio(call), PUT: (call) => this.#putAudio(call) },
    ],
    [
      /^\/artists\/([^/]+)\/tracks\/([^/]+)\/takes$/,
      { GET: (call) => this.#listTakes(call), POST: (call) => this.#addTake(call) },
    ],
    [
      /^\/artists\/([^/]+)\/takes\/([^/]+)$/,
      {
        GET: (call) => ({ status: 200, json: showTake(this.#take(call, 'take-of-other')) }),
        DELETE: (call) => this.#removeTake(call),
      },
    ],
    [/^\/mixes$/, { POST: (call) => this.#addMix(call) }],
    [/^\/mixes\/([^/]+)$/, { GET: (call) => this.#showMix(call) }],
  ];

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    let reply: Reply;
    try {
      reply = await this.#route(request, bytes);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      const allow = status === 405 ? { allow: (error as Error).message } : {};
      reply = { status, headers: allow, json: { reason: error instanceof Refusal ? error.message : 'Failed' } };
    }
    const body = reply.bytes ?? (reply.json === undefined ? undefined : Buffer.from(JSON.stringify(reply.json)));
    const isWrong = this.#has('head-length') && request.method === 'HEAD' && /tracks\/\d+$/.test(request.url ?? '');
    response.writeHead(reply.status, {
      ...(reply.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': String(isWrong ? 0 : body.length) }),
      ...reply.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #route(request: IncomingMessage, bytes: Buffer): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://studio.example');
    const found = this.#routes.find(([pattern]) => pattern.test(url.pathname));
    if (found === undefined) throw new Refusal(404, 'There is no such path.');
    if (request.method === 'HEAD' && this.#has('head-404') && /^\/artists\/[^/]+$/.test(url.pathname))
      throw new Refusal(404, 'There is no such path.');
    const method = request.method === 'HEAD' && found[1]['GET'] !== undefined ? 'GET' : (request.method ?? 'GET');
    const handler = found[1][method];
    const has = Object.keys(found[1]);
    if (handler === undefined) throw new Refusal(405, [...has, ...(has.includes('GET') ? ['HEAD'] : [])].join(', '));
    let ids: string[];
    try {
      ids = (found[0].exec(url.pathname)?.slice(1) ?? []).map(decodeURIComponent);
    } catch {
      throw new Refusal(404, 'There is no such thing.');
    }
    return handler({ query: url.searchParams, headers: request.headers, bytes, ids });
  }

  #json(call: Call): Json {
    if (!/^application\/json\b/i.test(call.headers['content-type'] ?? '')) throw new Refusal(400, 'Send JSON.');
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(call.bytes));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
    } catch {
      // Refused below.
    }
    throw new Refusal(400, 'The body is no object.');
  }

  #text(input: Json, name: string, [min, max]: readonly [number, number]): string | undefined {
    const value = input[name];
    if (value === undefined) return undefined;
    const length =
      typeof value !== 'string' ? -1 : name === 'name' && this.#has('name-emoji') ? value.length : [...value].length;
    if (typeof value !== 'string' || length < min || length > max)
      throw new Refusal(400, `${name} must be a text of ${min} to ${max} characters.`);
    return value;
  }

  #list(input: Json, name: string, fits: (one: string) => boolean, isSet = false): string[] | undefined {
    const value = input[name];
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length > 3 || !value.every((one) => typeof one === 'string' && fits(one)))
      throw new Refusal(400, `${name} must be a list of at most 3 texts.`);
    if (isSet && new Set(value).size < value.length) throw new Refusal(400, `${name} has an entry twice.`);
    return value as string[];
  }

  #artist({ ids: [id = ''] }: Call): Artist {
    const artist = this.#artists.get(id);
    if (artist === undefined) throw new Refusal(404, 'There is no such artist.');
    return artist;
  }

  #track(call: Call, bug?: Bug): Track {
    const artist = this.#artist(call);
    const isOther = bug !== undefined && this.#has(bug);
    const track = this.#tracks.find((one) => String(one.no) === call.ids[1] && (isOther || one.artist === artist));
    if (track === undefined) throw new Refusal(404, 'There is no such track.');
    return track;
  }

  #take(call: Call, bug: Bug): Take {
    const artist = this.#artist(call);
    const take = this.#takes.find(
      (one) => String(one.take_id) === call.ids[1] && (this.#has(bug) || one.track.artist === artist),
    );
    if (take === undefined) throw new Refusal(404, 'There is no such take.');
    return take;
  }

  #show({ plays: _plays, revision, ...artist }: Artist): Json {
    return { ...artist, revision: `r${revision}` };
  }

  #shown(artist: Artist): Reply {
    const json = this.#show(artist);
    const tag = createHash('md5')
      .update(this.#has('etag-stays') ? artist.handle : JSON.stringify(json))
      .digest('hex');
    return { status: 200, headers: { etag: `"${tag}"` }, json };
  }

  #showTrack({ artist: _artist, audio, labels, ...track }: Track): Json {
    const size = this.#has('audio-size') ? (audio?.toString().length ?? 0) : (audio?.length ?? 0);
    return { ...track, labels: labels.map((name) => ({ name })), size };
  }

  #touch(artist: Artist): void {
    if (!this.#has('revision-stays')) artist.revision = this.#next();
    if (!this.#has('modified-stays')) artist.modified_on = this.#now();
  }

  #page(call: Call, all: readonly unknown[]): Reply {
    const { query } = call;
    const number = (name: string, otherwise: number, max: number): number => {
      const text = query.get(name);
      if (text === null) return otherwise;
      if (!/^[1-9]\d{0,8}$/.test(text) || Number(text) > max) throw new Refusal(400, `${name} is out of its bounds.`);
      return Number(text);
    };
    const page = number('page', 1, 1e9);
    const size = number('per_page', 10, 50);
    const start = (page - 1) * size - (this.#has('page-in-order') && page > 1 && query.has('sort') ? 1 : 0);
    const items = all.slice(start, start + size);
    const last = Math.max(1, Math.ceil(all.length / size)) + (this.#has('last-too-far') ? 1 : 0);
    const link = (rel: string, to: number): string => {
      const target = new URLSearchParams(query);
      if (rel === 'next' && this.#has('next-loses-genre')) target.delete('genre');
      target.set('page', String(to));
      target.set('per_page', String(size));
      return `<${call.ids.length > 0 ? `/artists/${call.ids[0]}/tracks` : '/artists'}?${target}>; rel="${rel}"`;
    };
    const isMore = this.#has('next-on-full') ? page * size <= all.length : page * size < all.length;
    const links = [
      link('first', 1),
      ...(page > 1 ? [link('prev', page - 1)] : []),
      ...(isMore ? [link('next', page + 1)] : []),
      link('last', last),
    ];
    return { status: 200, headers: { link: links.join(', ') }, json: items };
  }

  #listArtists(call: Call): Reply {
    const { query } = call;
    const [sort, genre, prefix, retired] = ['sort', 'genre', 'name_prefix', 'retired'].map((name) => query.get(name));
    if (sort && !/^-?(?:name|joined)$/.test(sort)) throw new Refusal(400, 'sort is unknown.');
    if (sort === '') throw new Refusal(400, 'sort is unknown.');
    if (typeof genre === 'string' && !GENRES.has(genre)) throw new Refusal(400, 'genre is unknown.');
    if (typeof prefix === 'string' && (prefix === '' || [...prefix].length > 30))
      throw new Refusal(400, 'name_prefix has 1 to 30 characters.');
    if (typeof retired === 'string' && !['true', 'false'].includes(retired))
      throw new Refusal(400, 'retired is true or false.');
    const found = [...this.#artists.values()].filter((one) => {
      const genres = this.#has('genre-first') ? one.genres.slice(0, 1) : one.genres;
      if (typeof genre === 'string' && !this.#has('genre-ignored') && !genres.includes(genre)) return false;
      if (typeof retired === 'string' && !this.#has('retired-ignored') && String(one.retired) !== retired) return false;
      if (typeof prefix !== 'string' || this.#has('prefix-ignored')) return true;
      return this.#has('prefix-anywhere') ? one.name.includes(prefix) : one.name.startsWith(prefix);
    });
    const member = sort?.replace('-', '') === 'name' ? 'name' : 'joined';
    if (
      sort &&
      !(this.#has('sort-name-ignored') && sort === 'name') &&
      !(this.#has('sort-down-ignored') && sort === '-joined')
    ) {
      found.sort((one, other) => (one[member] < other[member] ? -1 : one[member] > other[member] ? 1 : 0));
      if (sort.startsWith('-')) found.reverse();
    }
    return this.#page(
      call,
      found.map((one) => this.#show(one)),
    );
  }

  async #addArtist(call: Call): Promise<Reply> {
    const chosen = call.query.get('handle');
    if (chosen !== null && !/^[a-z]{4,12}$/.test(chosen) && !this.#has('handle-pattern'))
      throw new Refusal(400, 'handle has 4 to 12 letters.');
    const input = this.#json(call);
    const code = this.#text(input, 'stage_code', [7, 7]);
    const name = this.#text(input, 'name', [1, 30]);
    if (name === undefined || code === undefined || !/^[A-Z]{3}\d{4}$/.test(code))
      throw new Refusal(400, 'name and stage_code are required.');
    const artist = this.#newArtist(input, { name, code, chosen });
    if (this.#artists.has(artist.handle)) {
      if (this.#has('handle-taken-500')) throw new Error('duplicate key');
      throw new Refusal(409, 'The handle is taken.');
    }
    if (this.#codes.has(code) && !this.#has('code-twice')) throw new Refusal(409, 'The stage code is taken.');
    if (this.#has('code-twice-at-once')) await pause(30);
    this.#codes.add(code);
    this.#artists.set(artist.handle, artist);
    return { status: 201, headers: { location: `/artists/${artist.handle}` }, json: this.#show(artist) };
  }

  #newArtist(input: Json, { name, code, chosen }: { name: string; code: string; chosen: string | null }): Artist {
    const genres = this.#list(input, 'genres', (one) => GENRES.has(one), true) ?? [];
    const bio = this.#text(input, 'bio', [0, 60]);
    if (this.#has('bio-brackets-500') && bio?.includes('[') === true) throw new Error('Unterminated character class');
    const time = this.#now();
    return {
      handle: chosen === null || this.#has('handle-ignored') ? `auto${this.#next()}` : chosen,
      name: this.#has('name-plus') ? name.replaceAll('+', ' ') : name,
      stage_code: code,
      genres,
      ...(bio === undefined ? {} : { bio }),
      retired: false,
      joined: time,
      modified_on: time,
      revision: this.#next(),
      plays: [],
    };
  }

  #editArtist(call: Call): Reply {
    const artist = this.#artist(call);
    const listed = call.query.get('fields')?.split(',');
    if (listed?.some((one) => !['name', 'genres', 'bio'].includes(one)) === true)
      throw new Refusal(400, 'fields has an unknown member.');
    const input = this.#json(call);
    const { revision } = input;
    if (revision !== undefined && typeof revision !== 'string') throw new Refusal(400, 'revision must be a text.');
    const name = this.#text(input, 'name', [1, 30]);
    const genres = this.#list(input, 'genres', (one) => GENRES.has(one), true);
    const bio = this.#text(input, 'bio', [0, 60]);
    if (revision !== undefined && revision !== `r${artist.revision}` && !this.#has('revision-ignored'))
      throw new Refusal(409, 'The revision is not the current one.');
    const takes = (member: string): boolean =>
      listed === undefined || this.#has('fields-ignored') || listed.includes(member);
    if (name !== undefined && takes('name')) artist.name = this.#has('name-plus') ? name.replaceAll('+', ' ') : name;
    if (genres !== undefined && takes('genres')) artist.genres = genres;
    if (bio !== undefined && takes('bio')) artist.bio = bio;
    this.#touch(artist);
    return { status: 200, json: this.#show(artist) };
  }

  #removeArtist(call: Call): Reply {
    const artist = this.#artist(call);
    this.#artists.delete(artist.handle);
    if (!this.#has('code-taken-forever')) this.#codes.delete(artist.stage_code);
    return { status: 204 };
  }

  #retire(call: Call, isRetired: boolean): Reply {
    const artist = this.#artist(call);
    if (this.#has(isRetired ? 'retire-lost' : 'unretire-lost')) return { status: 204 };
    artist.retired = isRetired;
    this.#touch(artist);
    return { status: 204 };
  }

  #plays(call: Call): Reply {
    const { plays } = this.#artist(call);
    return {
      status: 200,
      json: this.#has('plays-of-all') ? [...this.#artists.values()].flatMap((one) => one.plays) : plays,
    };
  }

  #listTracks(call: Call): Reply {
    const isKnown = this.#artists.has(call.ids[0] ?? '');
    if (!isKnown && !this.#has('tracks-of-unknown')) throw new Refusal(404, 'There is no such artist.');
    const label = call.query.get('label');
    if (label !== null && [...label].length > 20) throw new Refusal(400, 'label has at most 20 characters.');
    const found = this.#tracks.filter(
      ({ artist, labels }) =>
        (this.#has('tracks-of-all') || artist.handle === call.ids[0]) &&
        (label === null || this.#has('label-ignored') || labels.includes(label)),
    );
    return this.#page(
      call,
      found.map((one) => this.#showTrack(one)),
    );
  }

  #readTrack(call: Call): { title: string; labels?: string[]; tempo?: number } {
    const input = this.#json(call);
    const title = this.#text(input, 'title', [1, 50]);
    const labels = this.#list(input, 'labels', (one) => one !== '' && [...one].length <= 20);
    const { tempo } = input;
    if (title === undefined) throw new Refusal(400, 'title is required.');
    if (tempo !== undefined && !(Number.isInteger(tempo) && Number(tempo) >= 20 && Number(tempo) <= 300))
      throw new Refusal(400, 'tempo must be 20 to 300.');
    return {
      title,
      ...(labels === undefined ? {} : { labels }),
      ...(tempo === undefined ? {} : { tempo: Number(tempo) }),
    };
  }

  #addTrack(call: Call): Reply {
    const ghost: Artist = {
      handle: call.ids[0] ?? '',
      name: '',
      stage_code: '',
      genres: [],
      retired: false,
      joined: '',
      modified_on: '',
      revision: 0,
      plays: [],
    };
    const isAny = this.#has('track-added-to-unknown') && !this.#artists.has(ghost.handle);
    const artist = isAny ? ghost : this.#artist(call);
    const input = this.#readTrack(call);
    const track: Track = { labels: [], ...input, artist, no: this.#next(), starred: false, sha256: null };
    this.#tracks.push(track);
    artist.plays.push({ title: track.title, at: this.#now() });
    return { status: 201, json: this.#showTrack(track) };
  }

  #editTrack(call: Call): Reply {
    const track = this.#track(call, 'track-edit-of-other');
    const input = this.#readTrack(call);
    if (this.#has('track-labels-kept') && input.labels !== undefined) input.labels = [...track.labels, ...input.labels];
    Object.assign(track, input);
    return { status: 200, json: this.#showTrack(track) };
  }

  #removeTrack(call: Call): Reply {
    this.#tracks.splice(this.#tracks.indexOf(this.#track(call, 'track-remove-of-other')), 1);
    return { status: 204 };
  }

  #star(call: Call, isStarred: boolean): Reply {
    if (this.#has('star-of-unknown') && !this.#tracks.some(({ no }) => String(no) === call.ids[1]))
      return { status: 204 };
    const track = this.#track(call);
    if (!this.#has(isStarred ? 'star-lost' : 'unstar-lost')) track.starred = isStarred;
    return { status: 204 };
  }

  #putAudio(call: Call): Reply {
    const track = this.#track(call);
    if (!/^audio\/wav\b/i.test(call.headers['content-type'] ?? '')) throw new Refusal(415, 'Send audio/wav.');
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const before = track.audio;
    track.audio = this.#has('audio-truncated') ? call.bytes.subarray(0, 20) : call.bytes;
    track.sha256 = this.#has('audio-sha-old') ? (before === undefined ? null : hash(before)) : hash(track.audio);
    return { status: 204 };
  }

  #getAudio(call: Call): Reply {
    const { audio } = this.#track(call);
    if (audio === undefined) throw new Refusal(404, 'The track has no audio.');
    const headers = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' };
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range ?? '') ?? [];
    if (from === '' && to === '') return { status: 200, headers, bytes: audio };
    const start = from === '' ? Math.max(0, audio.length - Number(to)) : Number(from);
    const end = from === '' || to === '' ? audio.length : Math.min(audio.length, Number(to) + 1);
    if (start >= audio.length || end <= start) {
      if (this.#has('audio-range-behind')) return { status: 206, headers, bytes: Buffer.alloc(0) };
      return { status: 416, headers: { 'content-range': `bytes */${audio.length}` } };
    }
    const bytes = audio.subarray(start, this.#has('audio-range') ? end + 1 : end);
    return {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${audio.length}` },
      bytes,
    };
  }

  #listTakes(call: Call): Reply {
    const track = this.#track(call);
    return {
      status: 200,
      json: this.#takes.filter((one) => this.#has('takes-of-all') || one.track === track).map(showTake),
    };
  }

  #addTake(call: Call): Reply {
    const track = this.#track(call);
    const remark = this.#text(this.#json(call), 'remark', [1, 40]);
    if (remark === undefined) throw new Refusal(400, 'remark is required.');
    const take = { track, take_id: this.#next(), remark };
    this.#takes.push(take);
    return { status: 201, json: showTake(take) };
  }

  #removeTake(call: Call): Reply {
    const take = this.#take(call, 'take-remove-of-other');
    this.#takes = this.#takes.filter((one) => one !== take);
    return { status: 204 };
  }

  #addMix(call: Call): Reply {
    const key = call.headers['idempotency-key']?.toString();
    const title = this.#text(this.#json(call), 'title', [1, 40]);
    if (title === undefined) throw new Refusal(400, 'title is required.');
    if (key !== undefined && [...key].length > 60) throw new Refusal(400, 'The key has at most 60 characters.');
    const known = key === undefined || this.#has('key-creates-again') ? undefined : this.#keys.get(key);
    if (known !== undefined && known.text !== title && !this.#has('key-other-body'))
      throw new Refusal(422, 'The key was used for another body.');
    const mix = this.#mixes.get(known?.mix ?? '') ?? { mix_id: `mix-${this.#next()}`, title, at: Date.now() };
    this.#mixes.set(mix.mix_id, mix);
    if (key !== undefined) this.#keys.set(key, { text: title, mix: mix.mix_id });
    return { status: 202, json: { mix_id: mix.mix_id, title: mix.title, state: 'queued' } };
  }

  #showMix({ ids: [id = ''] }: Call): Reply {
    const mix = this.#mixes.get(id);
    if (mix === undefined) throw new Refusal(404, 'There is no such mix.');
    const { at, ...shown } = mix;
    if (Date.now() - at < 120 || this.#has('mix-never-done'))
      return { status: 200, json: { ...shown, state: 'queued' } };
    const url = this.#has('mix-url-null') ? null : `https://mixes.example/${id}`;
    return { status: 200, json: { ...shown, state: 'finished', url } };
  }
}

const showTake = ({ take_id, remark }: Take): Json => ({ take_id, remark });

/** Ids chosen in the query, revisions in bodies, masks of members, links of pages with filters, actions by PUT and DELETE. */
export const studio: ForeignApi = {
  name: 'studio',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  start: (bug) => {
    const app = new Studio(bug);
    return listen(createServer((request, response) => void app.handle(request, response)));
  },
};
