import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'unknown-ticket-500': 'GET of an unknown ticket fails with 500',
  'delete-unknown-204': 'DELETE of an unknown ticket says 204',
  'unknown-comment-200': 'GET of an unknown comment is 200 with an empty object',
  'cursor-endless': 'The last page has a cursor that leads to itself',
  'cursor-skips': 'Each page skips the ticket after the one before',
  'limit-plus-one': 'A page has one ticket more than limit says',
  'limit-maximum': 'limit=50 is refused',
  'status-ignored': 'The filter by status does nothing',
  'project-prefix': 'The filter by project finds only the first page of tickets, unfiltered',
  'default-low': 'A ticket without priority has priority low',
  'labels-stay': 'PATCH with labels [] keeps the old labels',
  'patch-clears-due': 'PATCH without dueOn forgets the date',
  'null-estimate': 'PATCH with estimate null keeps the old one',
  'patch-not-stored': 'PATCH shows the new title and does not store it',
  'delete-soft': 'A deleted ticket can still be read',
  'comments-of-all': 'The comments of all tickets are listed below each',
  'comment-stays': 'A deleted comment stays in the list of its ticket',
  'settings-lost': 'PUT of the settings responds 200 and stores nothing',
  'event-type': 'An event has no type',
  'transition-any': 'A transition to a status that does not exist is accepted',
  'estimate-negative': 'A negative estimate is accepted',
  'labels-repeated': 'Labels may come twice',
  'due-with-time': 'dueOn comes back with a time',
  'comment-id-race': 'Comments created at the same time have the same id',
  'projects-open': 'Projects are listed without a credential',
} as const;

type Bug = keyof typeof BUGS;

interface Ticket {
  id: string;
  projectKey: string;
  title: string;
  status: string;
  priority: string;
  labels: string[];
  dueOn: string | null;
  estimate: number | null;
  createdAt: string;
}

const STATUS = z.enum(['open', 'doing', 'done']);
const KEY = z.string().regex(/^[A-Z]{2,6}$/);
const PRIORITY = z.enum(['low', 'normal', 'high']);

/** The length that JSON Schema counts: code points. */
const text = (min: number, max: number): z.ZodType<string> =>
  z.string().refine((value) => [...value].length >= min && [...value].length <= max, 'Wrong length');

function createApp(bug: string | undefined): Hono {
  const has = (name: Bug): boolean => bug === name;
  const projects = new Map<string, { key: string; name: string; archived: boolean }>();
  const tickets = new Map<string, Ticket>();
  const removed = new Map<string, Ticket>();
  const comments: { id: number; ticketId: string; text: string }[] = [];
  const events: { type?: string; ticketId: string }[] = [];
  let settings: Record<string, unknown> = { language: 'en', digest: 'weekly' };
  let lastComment = 500;
  projects.set('OPS', { key: 'OPS', name: 'Operations', archived: false });
  for (const title of ['Rotate keys', 'Clean the lab', 'Order chairs'])
    addTicket({ projectKey: 'OPS', title, priority: 'high', labels: ['seed'], dueOn: null, estimate: 3 });

  const labels = z
    .array(text(1, 30))
    .max(8)
    .refine((all) => has('labels-repeated') || new Set(all).size === all.length, 'Labels must differ');
  const changes = z.object({
    title: text(3, 100).optional(),
    priority: PRIORITY.optional(),
    labels: labels.optional(),
    dueOn: z.iso.date().nullable().optional(),
    estimate: z
      .int()
      .min(has('estimate-negative') ? -1000000 : 0)
      .max(100)
      .nullable()
      .optional(),
  });
  const newTicket = changes.extend({ projectKey: KEY, title: text(3, 100) });

  const invalid = (issues: readonly { code: string; path: PropertyKey[]; message: string }[]): HTTPException => {
    const body = { success: false, error: { name: 'ZodError', issues } };
    return new HTTPException(400, { res: Response.json(body, { status: 400 }) });
  };
  const failed = (status: 401 | 404 | 409 | 415, error: string): HTTPException =>
    new HTTPException(status, { res: Response.json({ error }, { status }) });
  const parse = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw invalid(result.error.issues.map(({ code, path: at, message }) => ({ code, path: at, message })));
  };
  const bodyOf = async <T>(context: Context, schema: z.ZodType<T>): Promise<T> => {
    if (!/^application\/json\b/.test(context.req.header('content-type') ?? '')) throw failed(415, 'Send JSON');
    let value: unknown;
    try {
      value = await context.req.json();
    } catch {
      throw invalid([{ code: 'custom', path: [], message: 'Malformed JSON' }]);
    }
    return parse(schema, value);
  };
  const ticketId = (context: Context): string => parse(z.uuid(), context.req.param('ticketId')).toLowerCase();
  const findTicket = (context: Context): Ticket => {
    const id = ticketId(context);
    const ticket = tickets.get(id) ?? (has('delete-soft') ? removed.get(id) : undefined);
    if (ticket !== undefined) return ticket;
    if (has('unknown-ticket-500') && context.req.method === 'GET') throw new TypeError('ticket is undefined');
    throw failed(404, 'No such ticket');
  };
  const show = (ticket: Ticket): Ticket =>
    has('due-with-time') && ticket.dueOn !== null ? { ...ticket, dueOn: `${ticket.dueOn}T00:00:00.000Z` } : ticket;

  function addTicket(input: Omit<Ticket, 'id' | 'status' | 'createdAt'>): Ticket {
    const ticket = { id: randomUUID(), ...input, status: 'open', createdAt: new Date().toISOString() };
    tickets.set(ticket.id, ticket);
    note('created', ticket.id);
    return ticket;
  }
  function note(type: string, id: string): void {
    events.push(has('event-type') ? { ticketId: id } : { type, ticketId: id });
  }

  const app = new Hono().basePath('/v1');
  app.use(async (context, next) => {
    const isOpen = has('projects-open') && context.req.method === 'GET' && context.req.path === '/v1/projects';
    if (context.req.header('authorization') !== 'Bearer tickets-token' && !isOpen)
      return context.json({ error: 'Log in first' }, 401);
    return next();
  });
  app.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : context.json({ error: 'Internal error' }, 500),
  );
  app.notFound((context) => context.json({ error: 'No such route' }, 404));

  app.get('/projects', (context) => context.json([...projects.values()]));
  app.post('/projects', async (context) => {
    const body = await bodyOf(context, z.object({ key: KEY, name: text(1, 60), archived: z.boolean().default(false) }));
    if (projects.has(body.key)) throw failed(409, 'The key is taken');
    projects.set(body.key, body);
    return context.json(body, 201);
  });
  const findProject = (context: Context): { key: string } => {
    const project = projects.get(parse(KEY, context.req.param('key')));
    if (project === undefined) throw failed(404, 'No such project');
    return project;
  };
  app.get('/projects/:key', (context) => context.json(findProject(context)));
  app.delete('/projects/:key', (context) => {
    const { key } = findProject(context);
    if ([...tickets.values()].some((ticket) => ticket.projectKey === key)) throw failed(409, 'It has tickets');
    projects.delete(key);
    return context.body(null, 204);
  });

  const number = (min: number, max: number, fallback: number): z.ZodType<number> =>
    z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max)).default(fallback);
  app.get('/tickets', (context) => {
    const query = parse(
      z.object({
        projectKey: KEY.optional(),
        status: STATUS.optional(),
        limit: number(1, has('limit-maximum') ? 49 : 50, 10),
        cursor: z.string().optional(),
      }),
      context.req.query(),
    );
    const start = query.cursor === undefined ? 0 : Number(Buffer.from(query.cursor, 'base64url').toString());
    if (!Number.isInteger(start) || start < 0)
      throw invalid([{ code: 'custom', path: ['cursor'], message: 'Unknown cursor' }]);
    const found = [...tickets.values()].filter(
      (ticket) =>
        (query.projectKey === undefined || has('project-prefix') || ticket.projectKey === query.projectKey) &&
        (query.status === undefined || has('status-ignored') || ticket.status === query.status),
    );
    const size = query.limit + (has('limit-plus-one') ? 1 : 0);
    const end = start + size + (has('cursor-skips') ? 1 : 0);
    const isLast = end >= found.length;
    const next = Buffer.from(String(isLast ? start : end)).toString('base64url');
    return context.json({
      data: found.slice(start, start + size).map(show),
      next: isLast && !has('cursor-endless') ? null : next,
    });
  });
  app.post('/tickets', async (context) => {
    const body = await bodyOf(context, newTicket);
    if (!projects.has(body.projectKey)) throw failed(404, 'No such project');
    const ticket = addTicket({
      projectKey: body.projectKey,
      title: body.title,
      priority: body.priority ?? (has('default-low') ? 'low' : 'normal'),
      labels: body.labels ?? [],
      dueOn: body.dueOn ?? null,
      estimate: body.estimate ?? null,
    });
    return context.json(show(ticket), 201);
  });
  app.get('/tickets/:ticketId', (context) => context.json(show(findTicket(context))));
  app.patch('/tickets/:ticketId', async (context) => {
    const ticket = findTicket(context);
    const body = await bodyOf(context, changes);
    if (has('patch-not-stored')) return context.json(show({ ...ticket, ...(body as Partial<Ticket>) }));
    const old = { ...ticket };
    Object.assign(ticket, body);
    if (has('labels-stay') && ticket.labels.length === 0) ticket.labels = old.labels;
    if (has('patch-clears-due') && body.dueOn === undefined) ticket.dueOn = null;
    if (has('null-estimate')) ticket.estimate ??= old.estimate;
    note('updated', ticket.id);
    return context.json(show(ticket));
  });
  app.delete('/tickets/:ticketId', (context) => {
    const ticket = tickets.get(ticketId(context));
    if (ticket === undefined && has('delete-unknown-204')) return context.body(null, 204);
    if (ticket === undefined) throw failed(404, 'No such ticket');
    tickets.delete(ticket.id);
    removed.set(ticket.id, ticket);
    note('deleted', ticket.id);
    return context.body(null, 204);
  });
  app.post('/tickets/:ticketId/transitions', async (context) => {
    const ticket = findTicket(context);
    const { to } = await bodyOf(context, z.object({ to: has('transition-any') ? z.string() : STATUS }));
    if (to === ticket.status) throw failed(409, `It is ${to} already`);
    if (STATUS.safeParse(to).success) ticket.status = to;
    note('updated', ticket.id);
    return context.json(show(ticket));
  });

  app.get('/tickets/:ticketId/comments', (context) => {
    const { id } = findTicket(context);
    return context.json(comments.filter((comment) => has('comments-of-all') || comment.ticketId === id));
  });
  const gone = new Set<number>();
  app.post('/tickets/:ticketId/comments', async (context) => {
    const ticket = findTicket(context);
    const body = await bodyOf(context, z.object({ text: text(1, 500) }));
    let id = lastComment + 1;
    if (has('comment-id-race')) await sleep(20);
    else lastComment = id;
    lastComment = Math.max(lastComment, id);
    id = has('comment-id-race') ? id : lastComment;
    const comment = { id, ticketId: ticket.id, text: body.text };
    comments.push(comment);
    context.header('location', `/v1/comments/${id}`);
    return context.json(comment, 201);
  });
  const findComment = (context: Context): { id: number } | undefined => {
    const id = parse(z.string().regex(/^-?\d+$/), context.req.param('commentId'));
    return comments.find((comment) => comment.id === Number(id) && !gone.has(comment.id));
  };
  app.get('/comments/:commentId', (context) => {
    const comment = findComment(context);
    if (comment === undefined && has('unknown-comment-200')) return context.json({});
    if (comment === undefined) throw failed(404, 'No such comment');
    return context.json(comment);
  });
  app.delete('/comments/:commentId', (context) => {
    const comment = findComment(context);
    if (comment === undefined) throw failed(404, 'No such comment');
    gone.add(comment.id);
    if (!has('comment-stays'))
      comments.splice(
        comments.findIndex(({ id }) => id === comment.id),
        1,
      );
    return context.body(null, 204);
  });

  app.get('/events', (context) => {
    const { since } = parse(z.object({ since: number(0, Number.MAX_SAFE_INTEGER, 0) }), context.req.query());
    return streamSSE(context, async (stream) => {
      for (const [index, event] of events.entries())
        if (index >= since) await stream.writeSSE({ id: String(index + 1), data: JSON.stringify(event) });
    });
  });
  app.get('/settings', (context) => context.json(settings));
  app.put('/settings', async (context) => {
    const schema = z.strictObject({
      language: z.enum(['cs', 'en', 'de']),
      digest: z.enum(['never', 'daily', 'weekly']),
      signature: text(0, 200).optional(),
    });
    const body = await bodyOf(context, schema);
    if (!has('settings-lost')) settings = body;
    return context.json(body);
  });
  return app;
}

/** Hono with zod, cursors, server-sent events and a singleton. */
export const tickets: ForeignApi = {
  name: 'tickets',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer tickets-token' },
  start: (bug) =>
    listen(createServer(getRequestListener(createApp(bug).fetch, { overrideGlobalObjects: false })), '/v1'),
};
