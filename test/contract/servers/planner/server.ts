import { createServer } from 'node:http';
import path from 'node:path';

import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'page-size-over': 'page_size=51 is accepted',
  'page-size-text': 'page_size=abc means the default',
  'last-page-token': 'A last page that is exactly full has a next_page_token',
  'token-in-order': 'With order_by the second page repeats the last item of the first one',
  'token-skips': 'The second page leaves out one board',
  'total-size-page': 'total_size counts the page',
  'order-desc': 'display_name desc sorts ascending',
  'order-time': 'create_time desc is ignored',
  'color-ignored': 'The filter by color does nothing',
  'deleted-listed': 'Deleted boards are listed without show_deleted',
  'deleted-hidden': 'show_deleted=true leaves out deleted boards',
  'board-id-pattern': 'A board_id of any form is accepted',
  'board-id-ignored': 'board_id is not used',
  'duplicate-500': 'A second board of the same id fails with 500',
  'display-name-utf16': 'The length of display_name counts UTF-16 units',
  'display-name-any': 'A display_name of any length is accepted',
  'color-any': 'Any color is accepted',
  'labels-limit': 'Any number of labels is accepted',
  'description-special': 'Plus signs in a description become spaces',
  'state-removed': 'The state of deleted boards is REMOVED',
  'update-time-stays': 'update_time stays',
  'update-label-lost': 'PATCH of labels is lost',
  'update-clears-color': 'PATCH without a color removes it',
  'delete-answers-only': 'DELETE responds with DELETED, but the board stays active',
  'undelete-lost': 'An undeleted board is still deleted when it is read',
  'undelete-again': 'A board that is not deleted can be undeleted',
  'operation-done-text': 'done of a finished operation is a text',
  'operation-uri': 'The uri of a finished export is null',
  'operation-runs': 'An export never ends',
  'cards-of-all': 'The cards of a board are those of all boards',
  'cards-of-unknown': 'The cards of an unknown board are an empty list',
  'card-of-other': 'A card can be read below any board',
  'points-fraction': 'Fractions of points are accepted',
  'points-default': 'A card without points has 0',
  'min-points-exclusive': 'min_points leaves out cards of exactly these points',
  'assignee-any': 'Assignees need not be addresses',
  'assignees-twice': 'The same assignee twice is accepted',
  'due-date-time': 'due_date is shown with a time',
  'due-date-null': 'due_date: null is ignored by PATCH',
  'card-empty-patch': 'An empty PATCH of a card is accepted',
  'card-stays': 'A deleted card can still be read',
  'finish-lost': 'A finished card is unfinished when it is read',
  'finish-again': 'A card can be finished twice',
  // Only the descriptions tell that these are bugs.
  'mask-ignored': 'PATCH changes members outside of the update_mask',
  'mask-any': 'An unknown member in the update_mask is accepted',
  'etag-frozen': 'The etag stays',
  'etag-ignored': 'PATCH with an outdated etag is accepted',
} as const;

type Bug = keyof typeof BUGS;
type Board = Record<string, unknown> & { name: string; display_name: string; state: string };
type Card = Record<string, unknown> & { name: string; title: string; points: number; finished: boolean };

const CODES = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  FAILED_PRECONDITION: 409,
} as const;

function fail(status: keyof typeof CODES, message: string): never {
  const code = CODES[status];
  throw new HTTPException(code, { res: Response.json({ error: { code, message, status } }, { status: code }) });
}

const chars = (min: number, max: number): z.ZodType<string> =>
  z.string().refine((text) => [...text].length >= min && [...text].length <= max, `has ${min} to ${max} characters`);

function createSchemas(has: (bug: Bug) => boolean) {
  const displayName = has('display-name-utf16')
    ? z.string().min(1).max(60)
    : chars(1, has('display-name-any') ? 1e6 : 60);
  const color = has('color-any') ? z.string() : z.enum(['RED', 'GREEN', 'BLUE']);
  const labels = z
    .record(z.string(), chars(0, 40))
    .refine((all) => has('labels-limit') || Object.keys(all).length <= 5, 'has at most 5 labels');
  const points = has('points-fraction') ? z.number().min(0).max(100) : z.number().int().min(0).max(100);
  const assignees = z
    .array(has('assignee-any') ? z.string() : z.email({ pattern: z.regexes.html5Email }))
    .max(4)
    .refine((all) => has('assignees-twice') || new Set(all).size === all.length, 'has no assignee twice');
  const card = {
    title: chars(1, 80),
    points: points.optional(),
    due_date: z.iso.date().nullable().optional(),
    assignees: assignees.optional(),
  };
  const board = {
    display_name: displayName,
    description: chars(0, 200).optional(),
    color: color.optional(),
    labels: labels.optional(),
  };
  const digits = z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number);
  return {
    board: z.object(board),
    boardUpdate: z.object({ ...board, display_name: displayName.optional(), etag: z.string().optional() }),
    mask: has('mask-any') ? z.string().array() : z.array(z.enum(['display_name', 'description', 'color', 'labels'])),
    boardId: has('board-id-pattern') ? z.string() : z.string().regex(/^[a-z][a-z0-9-]{3,30}$/),
    card: z.object(card),
    cardUpdate: z
      .object({ ...card, title: card.title.optional() })
      .refine((all) => has('card-empty-patch') || Object.keys(all).length > 0, 'has a member'),
    pageSize: (has('page-size-text') ? digits.catch(20) : digits).pipe(
      z
        .number()
        .min(1)
        .max(has('page-size-over') ? 1000 : 50),
    ),
    points: digits.pipe(z.number().min(0).max(100)),
    flag: z.enum(['true', 'false']),
    orderBy: z.enum(['display_name', 'display_name desc', 'create_time', 'create_time desc']),
    color,
    format: z.object({ format: z.enum(['CSV', 'PDF']) }),
  };
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return fail('INVALID_ARGUMENT', `${[what, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
}

function createApp(bug: string | undefined): Hono {
  const has = (name: Bug): boolean => bug === name;
  const schemas = createSchemas(has);
  const boards = new Map<string, Board>();
  const cards = new Map<string, Card>();
  const operations = new Map<string, { readonly name: string; readonly startedAt: number }>();
  let last = 100;
  const nextId = (): string => String((last += 1));
  let lastTime = Date.now();
  const now = (): string => new Date((lastTime = Math.max(Date.now(), lastTime + 1))).toISOString();

  const body = async <Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> => {
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) fail('INVALID_ARGUMENT', 'Send JSON.');
    const text = await context.req.text();
    try {
      return check(schema, JSON.parse(text) as unknown, 'body');
    } catch (error) {
      if (error instanceof HTTPException) throw error;
      return fail('INVALID_ARGUMENT', 'The body is not JSON.');
    }
  };
  const optional = <Schema extends z.ZodType>(
    context: Context,
    name: string,
    schema: Schema,
  ): z.infer<Schema> | undefined => {
    const text = context.req.query(name);
    return text === undefined ? undefined : check(schema, text, name);
  };
  const findBoard = (context: Context, id = context.req.param('board')): Board =>
    boards.get(`boards/${id}`) ?? fail('NOT_FOUND', 'There is no such board.');
  const findCard = (context: Context, id = context.req.param('card') ?? ''): Card => {
    const { name } = findBoard(context);
    const other = [...cards.values()].find((card) => card.name.endsWith(`/cards/${id}`));
    return (
      cards.get(`${name}/cards/${id}`) ??
      (has('card-of-other') ? other : undefined) ??
      fail('NOT_FOUND', 'There is no such card.')
    );
  };
  const show = (board: Board): Board =>
    has('state-removed') && board.state === 'DELETED' ? { ...board, state: 'REMOVED' } : board;
  const touch = (board: Board): void => {
    if (!has('update-time-stays')) board['update_time'] = now();
    if (!has('etag-frozen')) board['etag'] = `W/${nextId()}`;
  };
  const write = (input: { readonly description?: string | undefined }): typeof input =>
    has('description-special') && input.description !== undefined
      ? { ...input, description: input.description.replaceAll('+', ' ') }
      : input;
  const turnPage = <Item>(
    context: Context,
    all: readonly Item[],
  ): { readonly items: readonly Item[]; readonly next?: string } => {
    const size = optional(context, 'page_size', schemas.pageSize) ?? 20;
    const token = context.req.query('page_token');
    let start = token === undefined ? 0 : Number(Buffer.from(token, 'base64url').toString().replace(/^at:/, ''));
    if (Number.isNaN(start) || (token !== undefined && !Buffer.from(token, 'base64url').toString().startsWith('at:')))
      fail('INVALID_ARGUMENT', 'page_token: it comes from no page.');
    if (token !== undefined && has('token-skips')) start += 1;
    if (token !== undefined && has('token-in-order') && context.req.query('order_by') !== undefined) start -= 1;
    const end = start + size;
    const more = has('last-page-token') ? end <= all.length : end < all.length;
    return {
      items: all.slice(start, end),
      ...(more ? { next: Buffer.from(`at:${end}`).toString('base64url') } : {}),
    };
  };

  const app = new Hono().basePath('/v1');
  app.notFound((context) => context.json({ error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } }, 404));
  app.onError((error, context) =>
    error instanceof HTTPException
      ? error.getResponse()
      : context.json({ error: { code: 500, message: 'Internal error', status: 'INTERNAL' } }, 500),
  );

  app.get('/boards', (context) => {
    const order = optional(context, 'order_by', schemas.orderBy) ?? 'create_time';
    const withDeleted = optional(context, 'show_deleted', schemas.flag) === 'true';
    const color = optional(context, 'color', schemas.color);
    const found = [...boards.values()].filter(
      (board) =>
        (board.state === 'ACTIVE' || (withDeleted ? !has('deleted-hidden') : has('deleted-listed'))) &&
        (color === undefined || has('color-ignored') || board['color'] === color),
    );
    const [member = '', direction] = order.split(' ');
    found.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : String(a[member]) > String(b[member]) ? 1 : 0));
    const isReversed = direction === 'desc' && !has(member === 'display_name' ? 'order-desc' : 'order-time');
    const { items, next } = turnPage(context, isReversed ? found.toReversed() : found);
    return context.json({
      boards: items.map(show),
      ...(next === undefined ? {} : { next_page_token: next }),
      total_size: has('total-size-page') ? items.length : found.length,
    });
  });
  app.post('/boards', async (context) => {
    const chosen = optional(context, 'board_id', schemas.boardId);
    const input = await body(context, schemas.board);
    const name = `boards/${chosen === undefined || has('board-id-ignored') ? `b-${nextId()}` : chosen}`;
    if (boards.has(name)) {
      if (has('duplicate-500')) throw new Error('duplicate key');
      fail('ALREADY_EXISTS', 'A board of this id exists already.');
    }
    const time = now();
    const board: Board = {
      ...input,
      ...write(input),
      name,
      display_name: input.display_name,
      state: 'ACTIVE',
      create_time: time,
      update_time: time,
      etag: `W/${nextId()}`,
    };
    boards.set(name, board);
    return context.json(show(board));
  });
  app.get('/boards/:board', (context) => context.json(show(findBoard(context))));
  app.patch('/boards/:board', async (context) => {
    const listed = context.req.query('update_mask');
    const mask =
      listed === undefined || listed === '' ? undefined : check(schemas.mask, listed.split(','), 'update_mask');
    const { etag, ...input } = await body(context, schemas.boardUpdate);
    const board = findBoard(context);
    if (board.state === 'DELETED') fail('FAILED_PRECONDITION', 'The board is deleted.');
    if (etag !== undefined && etag !== board['etag'] && !has('etag-ignored'))
      fail('ABORTED', 'The etag is not the current one.');
    if (has('update-label-lost')) delete input.labels;
    const changes = Object.entries(write(input)).filter(
      ([member]) => mask === undefined || has('mask-ignored') || mask.some((one) => one === member),
    );
    if (has('update-clears-color') && input.color === undefined) delete board['color'];
    Object.assign(board, Object.fromEntries(changes));
    for (const member of mask ?? [])
      if (member !== 'display_name' && !(member in input) && !has('mask-ignored')) delete board[member];
    touch(board);
    return context.json(show(board));
  });
  app.delete('/boards/:board', (context) => {
    const board = findBoard(context);
    if (board.state === 'DELETED') fail('NOT_FOUND', 'The board is deleted already.');
    touch(board);
    const deleted = { ...board, state: 'DELETED', delete_time: now() };
    if (!has('delete-answers-only')) boards.set(board.name, deleted);
    return context.json(show(deleted));
  });
  app.post('/boards/:target', async (context) => {
    const [id = '', verb] = context.req.param('target').split(':');
    if (verb === 'undelete') {
      const board = findBoard(context, id);
      if (board.state === 'ACTIVE' && !has('undelete-again')) fail('FAILED_PRECONDITION', 'The board is not deleted.');
      touch(board);
      const { delete_time: _time, ...rest } = board;
      const restored = { ...rest, name: board.name, display_name: board.display_name, state: 'ACTIVE' };
      if (!has('undelete-lost')) boards.set(board.name, restored);
      return context.json(restored);
    }
    if (verb !== 'export') return fail('NOT_FOUND', 'Not found');
    await body(context, schemas.format);
    findBoard(context, id);
    const operation = { name: `operations/${nextId()}`, startedAt: Date.now() };
    operations.set(operation.name, operation);
    return context.json({ name: operation.name, done: false, progress_percent: 0 });
  });
  app.get('/operations/:operation', (context) => {
    const operation =
      operations.get(`operations/${context.req.param('operation')}`) ??
      fail('NOT_FOUND', 'There is no such operation.');
    if (Date.now() - operation.startedAt < 150 || has('operation-runs'))
      return context.json({ name: operation.name, done: false, progress_percent: 50 });
    return context.json({
      name: operation.name,
      done: has('operation-done-text') ? 'true' : true,
      progress_percent: 100,
      response: { uri: has('operation-uri') ? null : `https://files.example/${operation.name}` },
    });
  });

  app.get('/boards/:board/cards', (context) => {
    const min = optional(context, 'min_points', schemas.points) ?? 0;
    const id = context.req.param('board');
    if (!has('cards-of-unknown')) findBoard(context);
    const found = [...cards.values()].filter(
      ({ name, points }) =>
        (has('cards-of-all') || name.startsWith(`boards/${id}/`)) &&
        (has('min-points-exclusive') && min > 0 ? points > min : points >= min),
    );
    const { items, next } = turnPage(context, found);
    return context.json({ cards: items, ...(next === undefined ? {} : { next_page_token: next }) });
  });
  app.post('/boards/:board/cards', async (context) => {
    const input = await body(context, schemas.card);
    const { name: parent } = findBoard(context);
    const name = `${parent}/cards/${nextId()}`;
    const points = input.points ?? (has('points-default') ? 0 : 1);
    const card: Card = { ...input, points, name, finished: false };
    if (has('due-date-time') && typeof input.due_date === 'string') card['due_date'] = `${input.due_date}T00:00:00Z`;
    cards.set(name, card);
    return context.json(card);
  });
  app.get('/boards/:board/cards/:card', (context) => context.json(findCard(context)));
  app.patch('/boards/:board/cards/:card', async (context) => {
    const input = await body(context, schemas.cardUpdate);
    const card = findCard(context);
    if (has('due-date-null') && input.due_date === null) delete input.due_date;
    Object.assign(card, input);
    return context.json(card);
  });
  app.delete('/boards/:board/cards/:card', (context) => {
    const { name } = findCard(context);
    if (!has('card-stays')) cards.delete(name);
    return context.body(null, 204);
  });
  app.post('/boards/:board/cards/:target', (context) => {
    const [id = '', verb] = context.req.param('target').split(':');
    if (verb !== 'finish') return fail('NOT_FOUND', 'Not found');
    const card = findCard(context, id);
    if (card.finished && !has('finish-again')) fail('FAILED_PRECONDITION', 'The card is finished already.');
    if (!has('finish-lost')) card.finished = true;
    return context.json({ ...card, finished: true });
  });

  const allowed: Readonly<Record<string, string>> = {
    '/boards': 'GET, HEAD, POST',
    '/boards/:board': 'GET, HEAD, PATCH, DELETE',
    '/boards/:board/cards': 'GET, HEAD, POST',
    '/boards/:board/cards/:card': 'GET, HEAD, PATCH, DELETE',
    '/operations/:operation': 'GET, HEAD',
  };
  const error = { code: 405, message: 'Method not allowed', status: 'UNIMPLEMENTED' };
  for (const [route, allow] of Object.entries(allowed))
    app.all(route, (context) =>
      context.json({ error }, 405, { allow: context.req.path.includes(':') ? 'POST' : allow }),
    );
  return app;
}

/** Custom methods, names as ids, field masks, soft deletion, page tokens in several orders, operations that are done later. */
export const planner: ForeignApi = {
  name: 'planner',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  start: (bug) =>
    listen(createServer(getRequestListener(createApp(bug).fetch, { overrideGlobalObjects: false })), '/v1'),
};
