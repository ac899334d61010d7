import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';

import busboy from 'busboy';
import Koa, { type Context } from 'koa';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'file-missing': 'An upload without a file is accepted',
  'caption-length': 'A caption of any length can be uploaded',
  'caption-garbled': 'Captions of uploads beyond ASCII are garbled',
  'tags-last': 'Of several tags of an upload only the last is kept',
  'stars-upload': 'Any number of stars can be uploaded',
  'stars-maximum': 'PATCH with 5 stars is refused',
  'stars-zero': 'PATCH with 0 stars keeps the old ones',
  'caption-null': 'PATCH with caption null keeps the old one',
  'tags-empty': 'PATCH with tags [] keeps the old ones',
  'profile-lost': 'PUT of the profile responds 200 and stores nothing',
  'profile-merged': 'PUT of the profile keeps the bio that was left out',
  'theme-default': 'A profile without theme is dark',
  'birthday-any': 'Any text is accepted as a birthday',
  'public-ignored': 'The filter by public does nothing',
  'title-prefix': 'The filter by title ignores everything after the first letter',
  'total-of-page': 'X-Total-Count counts the page alone',
  'offset-ignored': 'The offset does nothing',
  'photos-mixed': 'The photos of all albums are listed below each',
  'photo-count': 'The photoCount of an album stays 0',
  'photos-survive': 'The photos of a deleted album can still be read',
  'unknown-photo-500': 'GET of an unknown photo fails with 500',
  'download-empty': 'The file of an unknown photo is 200 and empty',
  'session-optional': 'Albums are listed without a session',
  'log-out-keeps': 'Logging out without a session is 500',
  'html-error': 'A 404 is an HTML page',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

interface Album {
  id: string;
  title: string;
  description?: string;
  public: boolean;
}

interface Photo {
  id: string;
  albumId: string;
  caption: string | null;
  tags: string[];
  stars?: number;
  bytes: Buffer;
}

const size = (value: string): number => [...value].length;
const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && size(value) >= min && size(value) <= max;
const isTags = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 4 && value.every((tag) => isText(tag, 1, 20));
const isStars = (value: unknown, max = 5): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
const isDate = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

function require(condition: boolean, context: Context, field: string): asserts condition {
  if (!condition) context.throw(400, `The field ${field} is invalid`, { field });
}

async function readText(context: Context, mediaType: string): Promise<string> {
  const sent = (context.get('content-type').split(';')[0] ?? '').trim();
  if (sent !== mediaType) context.throw(415, `Send ${mediaType}`);
  const chunks: Buffer[] = [];
  for await (const chunk of context.req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function readJson(context: Context): Promise<Json> {
  const text = await readText(context, 'application/json');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.throw(400, 'The body is no JSON');
  }
  require(typeof value === 'object' && value !== null && !Array.isArray(value), context, 'body');
  return value as Json;
}

interface Upload {
  file?: Buffer;
  fields: [string, string][];
}

async function readUpload(context: Context, charset: BufferEncoding): Promise<Upload> {
  if (!context.is('multipart/form-data')) context.throw(415, 'Send multipart/form-data');
  const upload: Upload = { fields: [] };
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({ headers: context.req.headers, defParamCharset: 'utf8' });
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (name === 'file') upload.file = Buffer.concat(chunks);
        else upload.fields.push([name, Buffer.concat(chunks).toString(charset)]);
      });
    });
    parser.on('field', (name, value) => upload.fields.push([name, Buffer.from(value, 'utf8').toString(charset)]));
    parser.on('error', reject);
    parser.on('close', resolve);
    context.req.pipe(parser);
  }).catch(() => context.throw(400, 'The form is broken'));
  return upload;
}

type Handler = (context: Context, id: string) => void | Promise<void>;

function createApp(bug: string | undefined): Koa {
  const has = (name: Bug): boolean => bug === name;
  const sessions = new Set<string>();
  const albums = new Map<string, Album>();
  const photos = new Map<string, Photo>();
  let profile: Json = { displayName: 'Jana', bio: 'Likes light.', theme: 'light' };
  albums.set('a1', { id: 'a1', title: 'Tatras', public: true });
  albums.set('a2', { id: 'a2', title: 'Garden', public: false });

  const showAlbum = (album: Album): Json => {
    const count = [...photos.values()].filter((photo) => photo.albumId === album.id).length;
    return { ...album, photoCount: has('photo-count') ? 0 : count };
  };
  const showPhoto = ({ bytes, ...photo }: Photo): Json => ({
    ...photo,
    size: bytes.length,
    url: `/photos/${photo.id}/file`,
  });
  const findAlbum = (context: Context, id: string): Album =>
    albums.get(id) ?? context.throw(404, 'There is no such album');
  const findPhoto = (context: Context, id: string): Photo => {
    const photo = photos.get(id);
    if (photo === undefined && has('unknown-photo-500') && context.method === 'GET')
      throw new TypeError('photo is undefined');
    return photo ?? context.throw(404, 'There is no such photo');
  };
  const readAlbum = async (context: Context): Promise<Omit<Album, 'id'>> => {
    const body = await readJson(context);
    require(isText(body.title, 1, 80), context, 'title');
    require(body.description === undefined || isText(body.description, 0, 500), context, 'description');
    require(body.public === undefined || typeof body.public === 'boolean', context, 'public');
    const description = body.description;
    return { title: body.title, ...(description === undefined ? {} : { description }), public: body.public === true };
  };
  const pageOf = (context: Context): { limit: number; offset: number } => {
    const number = (name: string, fallback: number, min: number, max: number): number => {
      const text = context.query[name];
      if (text === undefined) return fallback;
      const value = Number(text);
      require(typeof text === 'string' && /^-?\d+$/.test(text) && value >= min && value <= max, context, name);
      return value;
    };
    return { limit: number('limit', 50, 1, 100), offset: number('offset', 0, 0, Number.MAX_VALUE) };
  };

  const routes: Readonly<Record<string, Handler>> = {
    'POST /session': async (context) => {
      const form = new URLSearchParams(await readText(context, 'application/x-www-form-urlencoded'));
      const [username, password] = [form.get('username'), form.get('password')];
      require(isText(username, 1, 40), context, 'username');
      require(isText(password, 1, 40), context, 'password');
      if (username !== 'jana' || password !== 'secret') context.throw(401, 'Wrong name or password');
      const sid = randomBytes(12).toString('hex');
      sessions.add(sid);
      context.set('set-cookie', `sid=${sid}; HttpOnly; Path=/`);
      context.status = 204;
    },
    'DELETE /session': (context) => {
      sessions.delete(context.cookies.get('sid') ?? '');
      context.status = 204;
    },
    'GET /me': (context) => void (context.body = profile),
    'PUT /me': async (context) => {
      const { displayName, bio, birthday, theme } = await readJson(context);
      require(isText(displayName, 1, 50), context, 'displayName');
      require(bio === undefined || isText(bio, 0, 300), context, 'bio');
      require(birthday === undefined ||
        (has('birthday-any') ? typeof birthday === 'string' : isDate(birthday)), context, 'birthday');
      require(theme === undefined || theme === 'light' || theme === 'dark', context, 'theme');
      const kept = has('profile-merged') ? { bio: profile.bio } : {};
      const next = {
        displayName,
        ...(bio === undefined ? kept : { bio }),
        ...(birthday === undefined ? {} : { birthday }),
        theme: theme ?? (has('theme-default') ? 'dark' : 'light'),
      };
      if (!has('profile-lost')) profile = next;
      context.body = next;
    },
    'GET /albums': (context) => {
      const { limit, offset } = pageOf(context);
      const { public: isPublic, title } = context.query;
      require(isPublic === undefined || isPublic === 'true' || isPublic === 'false', context, 'public');
      require(title === undefined || isText(title, 0, 80), context, 'title');
      const wanted = has('title-prefix') ? title?.slice(0, 1) : title;
      const found = [...albums.values()].filter(
        (album) =>
          (isPublic === undefined || has('public-ignored') || String(album.public) === isPublic) &&
          (wanted === undefined || (has('title-prefix') ? album.title.startsWith(wanted) : album.title === wanted)),
      );
      const page = found.slice(has('offset-ignored') ? 0 : offset).slice(0, limit);
      context.set('x-total-count', String(has('total-of-page') ? page.length : found.length));
      context.body = page.map(showAlbum);
    },
    'POST /albums': async (context) => {
      const album = { id: `a${randomBytes(5).toString('hex')}`, ...(await readAlbum(context)) };
      albums.set(album.id, album);
      context.status = 201;
      context.set('location', `/albums/${album.id}`);
      context.body = showAlbum(album);
    },
    'GET /albums/:id': (context, id) => void (context.body = showAlbum(findAlbum(context, id))),
    'PUT /albums/:id': async (context, id) => {
      findAlbum(context, id);
      const album = { id, ...(await readAlbum(context)) };
      albums.set(id, album);
      context.body = showAlbum(album);
    },
    'DELETE /albums/:id': (context, id) => {
      findAlbum(context, id);
      albums.delete(id);
      if (!has('photos-survive'))
        for (const photo of photos.values()) if (photo.albumId === id) photos.delete(photo.id);
      context.status = 204;
    },
    'GET /albums/:id/photos': (context, id) => {
      findAlbum(context, id);
      context.body = [...photos.values()].filter((photo) => has('photos-mixed') || photo.albumId === id).map(showPhoto);
    },
    'POST /albums/:id/photos': async (context, id) => {
      findAlbum(context, id);
      const { file, fields } = await readUpload(context, has('caption-garbled') ? 'latin1' : 'utf8');
      require(file !== undefined || has('file-missing'), context, 'file');
      const last = (name: string): string | undefined => fields.findLast(([key]) => key === name)?.[1];
      const caption = last('caption');
      require(caption === undefined || has('caption-length') || isText(caption, 0, 140), context, 'caption');
      const all = fields.filter(([key]) => key === 'tags').map(([, value]) => value);
      require(isTags(all), context, 'tags');
      const stars = last('stars');
      require(stars === undefined ||
        (/^-?\d+$/.test(stars) && (has('stars-upload') || isStars(Number(stars)))), context, 'stars');
      const photo: Photo = {
        id: randomBytes(5).toString('hex'),
        albumId: id,
        caption: caption ?? null,
        tags: has('tags-last') ? all.slice(-1) : all,
        ...(stars === undefined ? {} : { stars: Number(stars) }),
        bytes: file ?? Buffer.alloc(0),
      };
      photos.set(photo.id, photo);
      context.status = 201;
      context.body = showPhoto(photo);
    },
    'GET /photos/:id': (context, id) => void (context.body = showPhoto(findPhoto(context, id))),
    'PATCH /photos/:id': async (context, id) => {
      const photo = findPhoto(context, id);
      const { caption, tags, stars } = await readJson(context);
      require(caption === undefined || caption === null || isText(caption, 0, 140), context, 'caption');
      require(tags === undefined || isTags(tags), context, 'tags');
      require(stars === undefined || isStars(stars, has('stars-maximum') ? 4 : 5), context, 'stars');
      if (caption !== undefined && !(has('caption-null') && caption === null)) photo.caption = caption;
      if (tags !== undefined && !(has('tags-empty') && tags.length === 0)) photo.tags = tags;
      if (stars !== undefined && !(has('stars-zero') && stars === 0)) photo.stars = stars;
      context.body = showPhoto(photo);
    },
    'DELETE /photos/:id': (context, id) => {
      findPhoto(context, id);
      photos.delete(id);
      context.status = 204;
    },
    'GET /photos/:id/file': (context, id) => {
      const photo = photos.get(id);
      if (photo === undefined && !has('download-empty')) context.throw(404, 'There is no such photo');
      context.type = 'application/octet-stream';
      context.body = photo?.bytes ?? Buffer.alloc(0);
    },
  };

  const app = new Koa();
  app.silent = true;
  app.use(async (context, next) => {
    try {
      await next();
      if (context.status === 404 && context.body === undefined) context.throw(404, 'There is no such page');
    } catch (error) {
      const {
        status = 500,
        expose = false,
        message,
        field,
      } = error as { status?: number; expose?: boolean; message: string; field?: string };
      context.status = status;
      if (status === 404 && has('html-error')) context.body = '<h1>Not found</h1>';
      else context.body = { error: expose ? message : 'Internal error', ...(field === undefined ? {} : { field }) };
    }
  });
  app.use(async (context) => {
    const parts = context.path.split('/').slice(1);
    const pattern = `/${parts.map((part, index) => (index === 1 ? ':id' : part)).join('/')}`;
    const handler = routes[`${context.method} ${pattern}`];
    const isOpen = pattern === '/session' && context.method === 'POST';
    const isLoggedIn = sessions.has(context.cookies.get('sid') ?? '');
    if (handler !== undefined && !isOpen && !isLoggedIn) {
      if (pattern === '/session' && has('log-out-keeps')) throw new TypeError('session is undefined');
      if (!(has('session-optional') && context.method === 'GET' && pattern === '/albums'))
        context.throw(401, 'Log in first');
    }
    const allowed = Object.keys(routes).filter((key) => key.endsWith(` ${pattern}`));
    if (handler === undefined && allowed.length > 0) {
      context.set('allow', allowed.map((key) => key.split(' ')[0]).join(', '));
      context.throw(405, 'The method is not allowed');
    }
    await handler?.(context, decodeURIComponent(parts[1] ?? ''));
  });
  return app;
}

/** Koa with multipart uploads, a cookie session and a profile. */
export const album: ForeignApi = {
  name: 'album',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  logIn: async (url) => {
    const body = new URLSearchParams({ username: 'jana', password: 'secret' });
    const response = await fetch(`${url}/session`, { method: 'POST', body });
    return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  },
  start: (bug) => listen(createServer(createApp(bug).callback())),
};
