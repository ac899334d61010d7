import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';

import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'create-200': 'POST of a show responds 200',
  'filters-or': 'A show has to match only one of the filters',
  'explicit-false-ignored': 'explicit=false lists all shows',
  'offset-as-page': 'offset counts pages',
  'total-with-deleted': 'The total counts deleted shows, too',
  'title-unbounded': 'A title of any length is accepted',
  'language-default': 'A show without a language is in Czech',
  'emoji-lost': 'Emoji are removed from titles',
  'nul-500': 'A title with NUL fails with 500',
  'explicit-as-text': 'explicit is a text in the list of shows',
  'created-at-naive': 'created_at has no time zone',
  'patch-forgets-description': 'PATCH without a description removes it',
  'null-description-kept': 'PATCH with description null keeps the old one',
  'category-frozen': 'PATCH does not change the category',
  'unknown-show-500': 'A show with an id above 2^31 fails with 500',
  'delete-unknown-204': 'DELETE of an unknown show says 204',
  'delete-of-others': 'The shows of other users can be deleted',
  'episodes-of-unknown': 'The episodes of an unknown show are an empty list',
  'status-ignored': 'The filter of episodes by status does nothing',
  'min-seconds-exclusive': 'min_seconds leaves out episodes of exactly this length',
  'total-of-all': 'The total of episodes counts those of all shows',
  'unknown-episode-null': 'GET of an unknown episode is 200 with null',
  'put-keeps-guests': 'PUT of an episode without guests keeps the old ones',
  'put-unpublishes': 'PUT of a published episode makes it a draft again',
  'put-shared-notes': 'PUT of an episode changes the notes of all episodes of the show',
  'guests-first': 'Only the first guest is stored',
  'seconds-float': 'Fractions of seconds are accepted',
  'deleted-episode-listed': 'A deleted episode stays in the list of its show',
  'publish-lost': 'A published episode stays a draft when it is read',
  'kind-ignored': 'The kind of search results does nothing',
  'search-of-others': 'The search finds shows of other users',
  'search-unlimited': 'limit does nothing in the search',
  'upload-title-trimmed': 'Spaces around the title of an upload are removed',
  'upload-without-file': 'An upload without a file is accepted',
  'upload-kind-default': 'An upload without a kind is an audio',
  'upload-stays': 'A deleted upload can still be read',
  'preferences-shared': 'All users have the same preferences',
  'preferences-merged': 'PUT of the preferences keeps what was left out',
  'preferences-speed-text': 'The speed is stored as a text',
  'export-status': 'A running export has the status processing',
  'export-open': 'An export can be read without a token',
  'include-drafts-lost': 'include_drafts is always false',
  'idempotency-ignored': 'Idempotency-Key does nothing',
  'detail-text': 'The detail of a 422 is a text',
  'restore-again': 'A show that is not deleted can be restored',
  'publish-again': 'An episode can be published twice',
  // Only the descriptions tell that these are bugs.
  'deleted-show-episodes': 'The episodes of a deleted show can still be read',
  'restore-empties': 'A restored show has lost its description',
  'number-as-text': 'Episodes are sorted by their number as text',
  'published-at-null': 'published_at of a published episode is null',
  'search-inside': 'The search finds titles that contain the text anywhere',
  'search-case': 'The search depends on upper and lower case',
  'search-deleted': 'The search finds deleted shows',
  'upload-size': 'The size of an upload counts characters instead of bytes',
  'export-stuck': 'An export runs forever',
  'export-without-url': 'A finished export has no download_url',
} as const;

type Bug = keyof typeof BUGS;

interface Show {
  id: number;
  title: string;
  category: string;
  language: string;
  explicit: boolean;
  description: string | null;
  created_at: string;
}

interface Episode {
  id: number;
  show_id: number;
  title: string;
  number: number;
  seconds: number;
  notes: string | null;
  guests: string[];
  status: string;
  published_at: string | null;
}

interface Owned<T> {
  readonly user: string;
  readonly value: T;
  isDeleted: boolean;
}

const USERS = new Map([
  ['Bearer ana-token', 'ana'],
  ['Bearer ben-token', 'ben'],
]);

const codePoints = (min: number, max: number) =>
  z.string().refine((text) => [...text].length >= min && [...text].length <= max, `${min} to ${max} characters`);
const digits = z
  .string()
  .regex(/^-?\d+$/, 'Input should be a valid integer')
  .transform(Number);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const id = digits;
const limit = digits.pipe(z.number().min(1).max(100)).default(20);
const category = z.enum(['news', 'comedy', 'tech', 'history']);
const language = z.string().regex(/^[a-z]{2}$/);

function createSchemas(has: (bug: Bug) => boolean) {
  const title = codePoints(1, has('title-unbounded') ? 1_000_000 : 120);
  const seconds = z.number().min(0).max(86_400);
  const page = { limit, offset: digits.pipe(z.number().min(0)).default(0) };
  return {
    shows: z.object({
      category: category.optional(),
      language: language.optional(),
      explicit: flag.optional(),
      ...page,
    }),
    show: z.object({
      title,
      category,
      language: language.default(has('language-default') ? 'cs' : 'en'),
      explicit: z.boolean().default(false),
      description: codePoints(0, 1000).nullable().default(null),
    }),
    showPatch: z.object({
      title: title.optional(),
      category: category.optional(),
      language: language.optional(),
      explicit: z.boolean().optional(),
      description: codePoints(0, 1000).nullable().optional(),
    }),
    episodes: z.object({
      status: z.enum(['draft', 'published']).optional(),
      min_seconds: digits.pipe(z.number().min(0)).default(0),
      ...page,
    }),
    episode: z.object({
      title,
      number: z.number().int().min(1).max(10_000),
      seconds: (has('seconds-float') ? seconds : seconds.int()).default(0),
      notes: codePoints(0, 4000).nullable().default(null),
      guests: z.array(codePoints(1, 60)).max(10).optional(),
    }),
    search: z.object({ q: codePoints(1, 50), kind: z.enum(['show', 'episode']).optional(), limit }),
    upload: z.object({
      file: has('upload-without-file') ? z.instanceof(File).optional() : z.instanceof(File),
      title: codePoints(1, 80),
      kind: z.enum(['audio', 'cover', 'other']).default(has('upload-kind-default') ? 'audio' : 'other'),
    }),
    preferences: z.object({
      theme: z.enum(['light', 'dark', 'system']).default('system'),
      autoplay: z.boolean().default(true),
      speed: z.number().min(0.5).max(3).default(1),
      signature: codePoints(0, 100).default(''),
    }),
    export: z.object({ format: z.enum(['json', 'opml', 'csv']), include_drafts: z.boolean().default(false) }),
    key: codePoints(1, 64).optional(),
  };
}

function fail(status: 401 | 404 | 405 | 409 | 422, detail: unknown, headers: Record<string, string> = {}): never {
  throw new HTTPException(status, { res: Response.json({ detail }, { status, headers }) });
}

function createApp(bug: string | undefined): Hono {
  const has = (name: Bug): boolean => bug === name;
  const schemas = createSchemas(has);
  const shows = new Map<number, Owned<Show>>();
  const episodes = new Map<number, Owned<Episode>>();
  const uploads = new Map<string, Owned<Record<string, unknown>>>();
  const exports = new Map<string, Owned<Record<string, unknown>> & { readonly startedAt: number }>();
  const keys = new Map<string, string>();
  const preferences = new Map<string, Record<string, unknown>>();
  let lastShow = 0;
  let lastEpisode = 0;

  const check = <Schema extends z.ZodType>(schema: Schema, value: unknown, ...at: string[]): z.infer<Schema> => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const detail = result.error.issues.map(({ path, message, code }) => ({
      loc: [...at, ...path],
      msg: message,
      type: code,
    }));
    return fail(422, has('detail-text') ? 'Validation failed' : detail);
  };
  const query = <Schema extends z.ZodType>(context: Context, schema: Schema): z.infer<Schema> => {
    const all = Object.entries(context.req.queries());
    return check(schema, Object.fromEntries(all.map(([name, texts]) => [name, texts.at(-1)])), 'query');
  };
  const body = async <Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> => {
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
      return check(z.object({}), undefined, 'body') as z.infer<Schema>;
    let value: unknown;
    try {
      value = await context.req.json();
    } catch {
      return fail(422, [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }]);
    }
    if (has('nul-500') && JSON.stringify(value).includes(String.raw`\u0000`)) throw new Error('invalid byte sequence');
    return check(schema, value, 'body');
  };
  const userOf = (context: Context): string => USERS.get(context.req.header('authorization') ?? '') ?? '';
  const own = <T>(context: Context, all: Iterable<Owned<T>>): T[] =>
    [...all].filter(({ user, isDeleted }) => user === userOf(context) && !isDeleted).map(({ value }) => value);
  const now = (): string => new Date().toISOString();

  const findShow = (context: Context): Owned<Show> => {
    const showId = check(id, context.req.param('show_id'), 'path', 'show_id');
    if (has('unknown-show-500') && showId > 2 ** 31) throw new RangeError('integer out of range');
    const show = shows.get(showId);
    if (show === undefined || show.user !== userOf(context)) return fail(404, 'Show not found');
    return show;
  };
  const findLiveShow = (context: Context): Owned<Show> => {
    const show = findShow(context);
    return show.isDeleted ? fail(404, 'Show not found') : show;
  };
  const findEpisode = (context: Context): Owned<Episode> => {
    const episode = episodes.get(check(id, context.req.param('episode_id'), 'path', 'episode_id'));
    const isHidden = shows.get(episode?.value.show_id ?? 0)?.isDeleted === true && !has('deleted-show-episodes');
    if (episode === undefined || episode.user !== userOf(context) || episode.isDeleted || isHidden)
      return fail(404, 'Episode not found');
    return episode;
  };
  const clean = (title: string): string =>
    has('emoji-lost') ? title.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '') : title;
  const display = (show: Show): Show =>
    has('created-at-naive') ? { ...show, created_at: show.created_at.replace('Z', '') } : show;

  const app = new Hono().basePath('/api');
  app.use(async (context, next) => {
    const isOpen = has('export-open') && context.req.method === 'GET' && context.req.path.startsWith('/api/exports/');
    if (userOf(context) === '' && !isOpen) fail(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
    return next();
  });
  app.notFound((context) => context.json({ detail: 'Not Found' }, 404));
  app.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : context.json({ detail: 'Internal Server Error' }, 500),
  );

  app.get('/shows', (context) => {
    const { category, language, explicit, limit, offset } = query(context, schemas.shows);
    const found = own(context, shows.values()).filter((show) => {
      const matches = [
        ...(category === undefined ? [] : [show.category === category]),
        ...(language === undefined ? [] : [show.language === language]),
        ...(explicit === undefined || (!explicit && has('explicit-false-ignored')) ? [] : [show.explicit === explicit]),
      ];
      return matches.length === 0 || (has('filters-or') ? matches.some(Boolean) : matches.every(Boolean));
    });
    const start = has('offset-as-page') ? offset * limit : offset;
    const deleted = [...shows.values()].filter(({ isDeleted }) => isDeleted).length;
    const items = found.slice(start, start + limit).map(display);
    return context.json({
      items: has('explicit-as-text') ? items.map((show) => ({ ...show, explicit: String(show.explicit) })) : items,
      total: found.length + (has('total-with-deleted') ? deleted : 0),
    });
  });
  app.post('/shows', async (context) => {
    const input = await body(context, schemas.show);
    lastShow += 1;
    const show = { id: lastShow, ...input, title: clean(input.title), created_at: now() };
    shows.set(show.id, { user: userOf(context), value: show, isDeleted: false });
    return context.json(display(show), has('create-200') ? 200 : 201);
  });
  app.get('/shows/:show_id', (context) => context.json(display(findLiveShow(context).value)));
  app.patch('/shows/:show_id', async (context) => {
    const input = await body(context, schemas.showPatch);
    const { value: show } = findLiveShow(context);
    const old = { ...show };
    Object.assign(show, input);
    show.title = clean(show.title);
    if (has('patch-forgets-description') && input.description === undefined) show.description = null;
    if (has('null-description-kept')) show.description ??= old.description;
    if (has('category-frozen')) show.category = old.category;
    return context.json(display(show));
  });
  app.delete('/shows/:show_id', (context) => {
    const showId = check(id, context.req.param('show_id'), 'path', 'show_id');
    const known = shows.get(showId);
    if (known === undefined && has('delete-unknown-204')) return context.body(null, 204);
    const show = has('delete-of-others') && known?.isDeleted === false ? known : findLiveShow(context);
    show.isDeleted = true;
    return context.body(null, 204);
  });
  app.post('/shows/:show_id/restore', (context) => {
    const show = findShow(context);
    if (!show.isDeleted && !has('restore-again')) fail(409, 'Show is not deleted');
    show.isDeleted = false;
    if (has('restore-empties')) show.value.description = null;
    return context.json(display(show.value));
  });

  app.get('/shows/:show_id/episodes', (context) => {
    const { status, min_seconds: min, limit, offset } = query(context, schemas.episodes);
    const showId = has('episodes-of-unknown') ? Number(context.req.param('show_id')) : findLiveShow(context).value.id;
    const all = [...episodes.values()].filter(({ isDeleted }) => !isDeleted || has('deleted-episode-listed'));
    const found = all
      .map(({ value }) => value)
      .filter(
        (episode) =>
          episode.show_id === showId &&
          (status === undefined || has('status-ignored') || episode.status === status) &&
          (has('min-seconds-exclusive') && min > 0 ? episode.seconds > min : episode.seconds >= min),
      );
    if (has('number-as-text')) found.sort((one, other) => (String(one.number) < String(other.number) ? -1 : 1));
    else found.sort((one, other) => one.number - other.number || one.id - other.id);
    const total = has('total-of-all') ? all.length : found.length;
    return context.json({ items: found.slice(offset, offset + limit), total });
  });
  const fillEpisode = (input: z.infer<typeof schemas.episode>, guests: string[] = []) => {
    const all = input.guests ?? guests;
    return { ...input, title: clean(input.title), guests: has('guests-first') ? all.slice(0, 1) : all };
  };
  app.post('/shows/:show_id/episodes', async (context) => {
    const input = await body(context, schemas.episode);
    const { value: show } = findLiveShow(context);
    lastEpisode += 1;
    const fresh = { id: lastEpisode, show_id: show.id, status: 'draft', published_at: null };
    const episode = { ...fresh, ...fillEpisode(input) };
    episodes.set(episode.id, { user: userOf(context), value: episode, isDeleted: false });
    return context.json(episode, 201);
  });
  app.get('/episodes/:episode_id', (context) => {
    const episodeId = check(id, context.req.param('episode_id'), 'path', 'episode_id');
    if (has('unknown-episode-null') && !episodes.has(episodeId)) return context.json(null);
    return context.json(findEpisode(context).value);
  });
  app.put('/episodes/:episode_id', async (context) => {
    const input = await body(context, schemas.episode);
    const { value: episode } = findEpisode(context);
    Object.assign(episode, fillEpisode(input, has('put-keeps-guests') ? episode.guests : []));
    if (has('put-unpublishes')) Object.assign(episode, { status: 'draft', published_at: null });
    if (has('put-shared-notes'))
      for (const { value } of episodes.values()) if (value.show_id === episode.show_id) value.notes = input.notes;
    return context.json(episode);
  });
  app.delete('/episodes/:episode_id', (context) => {
    findEpisode(context).isDeleted = true;
    return context.body(null, 204);
  });
  app.post('/episodes/:episode_id/publish', (context) => {
    const { value: episode } = findEpisode(context);
    if (episode.status === 'published' && !has('publish-again')) fail(409, 'Episode is published already');
    const published = { ...episode, status: 'published', published_at: has('published-at-null') ? null : now() };
    if (!has('publish-lost')) Object.assign(episode, published);
    return context.json(published);
  });

  app.get('/search', (context) => {
    const { q, kind, limit } = query(context, schemas.search);
    const fold = (text: string): string => (has('search-case') ? text : text.toLowerCase());
    const liveShows = [...shows.values()].filter(
      ({ user, isDeleted }) =>
        (user === userOf(context) || has('search-of-others')) && (!isDeleted || has('search-deleted')),
    );
    const liveEpisodes = own(context, episodes.values()).filter(
      ({ show_id: showId }) => shows.get(showId)?.isDeleted === false,
    );
    const found = [
      ...liveShows.map(({ value }) => ({ kind: 'show', id: value.id, title: value.title })),
      ...liveEpisodes.map(({ id, title }) => ({ kind: 'episode', id, title })),
    ].filter(
      (hit) =>
        (has('search-inside') ? fold(hit.title).includes(fold(q)) : fold(hit.title).startsWith(fold(q))) &&
        (kind === undefined || has('kind-ignored') || hit.kind === kind),
    );
    return context.json(has('search-unlimited') ? found : found.slice(0, limit));
  });

  app.post('/uploads', async (context) => {
    let form: FormData;
    try {
      form = await context.req.formData();
    } catch {
      return fail(422, [{ loc: ['body'], msg: 'There was an error parsing the body', type: 'multipart' }]);
    }
    const { file, title, kind } = check(schemas.upload, Object.fromEntries(form.entries()), 'body');
    const bytes = has('upload-size') ? ((await file?.text()) ?? '').length : (file?.size ?? 0);
    const upload = {
      id: randomUUID(),
      title: has('upload-title-trimmed') ? title.trim() : title,
      kind,
      filename: file?.name ?? '',
      size: bytes,
      created_at: now(),
    };
    uploads.set(upload.id, { user: userOf(context), value: upload, isDeleted: false });
    return context.json(upload, 201);
  });
  const uuidOf = (context: Context, name: string): string =>
    check(z.guid(), context.req.param(name), 'path', name).toLowerCase();
  const findUpload = (context: Context): Owned<Record<string, unknown>> => {
    const upload = uploads.get(uuidOf(context, 'upload_id'));
    if (upload?.user !== userOf(context)) return fail(404, 'Upload not found');
    const isRead = context.req.method === 'GET' && has('upload-stays');
    return upload.isDeleted && !isRead ? fail(404, 'Upload not found') : upload;
  };
  app.get('/uploads/:upload_id', (context) => context.json(findUpload(context).value));
  app.delete('/uploads/:upload_id', (context) => {
    findUpload(context).isDeleted = true;
    return context.body(null, 204);
  });

  const ownerOf = (context: Context): string => (has('preferences-shared') ? '' : userOf(context));
  const show = (stored: Record<string, unknown>): Record<string, unknown> =>
    has('preferences-speed-text') ? { ...stored, speed: String(stored['speed']) } : stored;
  app.get('/me/preferences', (context) =>
    context.json(show(preferences.get(ownerOf(context)) ?? schemas.preferences.parse({}))),
  );
  app.put('/me/preferences', async (context) => {
    const input = await body(context, schemas.preferences);
    const sent = new Set(Object.keys((await context.req.json()) as object));
    const kept = Object.entries(preferences.get(ownerOf(context)) ?? {}).filter(([name]) => !sent.has(name));
    preferences.set(ownerOf(context), has('preferences-merged') ? { ...input, ...Object.fromEntries(kept) } : input);
    return context.json(show(preferences.get(ownerOf(context)) ?? input));
  });

  const showExport = ({ value, startedAt }: { value: Record<string, unknown>; startedAt: number }) => {
    const age = has('export-stuck') ? Math.min(Date.now() - startedAt, 200) : Date.now() - startedAt;
    if (age < 100) return { ...value, status: 'queued', download_url: null };
    if (age < 300) return { ...value, status: has('export-status') ? 'processing' : 'running', download_url: null };
    const url = has('export-without-url') ? null : `/files/${String(value['id'])}`;
    return { ...value, status: 'done', download_url: url };
  };
  app.post('/exports', async (context) => {
    const key = check(schemas.key, context.req.header('idempotency-key'), 'header', 'Idempotency-Key');
    const input = await body(context, schemas.export);
    const known = key === undefined ? undefined : exports.get(keys.get(`${userOf(context)} ${key}`) ?? '');
    if (known !== undefined && !has('idempotency-ignored')) return context.json(showExport(known), 202);
    const value = { id: randomUUID(), ...input, ...(has('include-drafts-lost') ? { include_drafts: false } : {}) };
    const job = { user: userOf(context), value, isDeleted: false, startedAt: Date.now() };
    exports.set(value.id, job);
    if (key !== undefined) keys.set(`${userOf(context)} ${key}`, value.id);
    return context.json(showExport(job), 202);
  });
  app.get('/exports/:export_id', (context) => {
    const job = exports.get(uuidOf(context, 'export_id'));
    if (job === undefined || (job.user !== userOf(context) && !has('export-open')))
      return fail(404, 'Export not found');
    return context.json(showExport(job));
  });

  const allowed: Readonly<Record<string, string>> = {
    '/shows': 'GET, HEAD, POST',
    '/shows/:show_id': 'GET, HEAD, PATCH, DELETE',
    '/shows/:show_id/restore': 'POST',
    '/shows/:show_id/episodes': 'GET, HEAD, POST',
    '/episodes/:episode_id': 'GET, HEAD, PUT, DELETE',
    '/episodes/:episode_id/publish': 'POST',
    '/search': 'GET, HEAD',
    '/uploads': 'POST',
    '/uploads/:upload_id': 'GET, HEAD, DELETE',
    '/me/preferences': 'GET, HEAD, PUT',
    '/exports': 'POST',
    '/exports/:export_id': 'GET, HEAD',
  };
  for (const [route, allow] of Object.entries(allowed))
    app.all(route, () => fail(405, 'Method Not Allowed', { allow }));
  return app;
}

/** Hono and zod in the style of FastAPI: offsets, soft deletion, a search by prefix, uploads, preferences, export jobs. */
export const podcasts: ForeignApi = {
  name: 'podcasts',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer ana-token' },
  otherHeaders: { authorization: 'Bearer ben-token' },
  start: (bug) =>
    listen(createServer(getRequestListener(createApp(bug).fetch, { overrideGlobalObjects: false })), '/api'),
};
