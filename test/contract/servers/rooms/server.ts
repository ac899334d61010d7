import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Server } from 'node:http';
import { z } from 'zod';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'created-200': 'POST of a room responds 200',
  'total-with-deleted': 'The total counts deleted rooms, too',
  'page-overlap': 'A page begins with the last room of the page before',
  'per-page-ignored': 'per_page does nothing',
  'last-page-wrong': 'last_page is one too many if the page is full',
  'q-case': 'The search for rooms depends on the case',
  'q-ignored': 'The search for rooms does nothing',
  'floor-ignored': 'The filter by floor does nothing',
  'floor-zero': 'floor=0 lists the rooms of all floors',
  'capacity-exclusive': 'min_capacity leaves rooms of that capacity out',
  'capacity-as-text': 'order_by=capacity sorts the numbers as text',
  'order-reverse': 'order_by=-name sorts upwards',
  'deleted-listed': 'Deleted rooms are still listed',
  'deleted-readable': 'A deleted room can still be read',
  'deleted-changeable': 'A deleted room can still be changed',
  'restore-lost': 'A restored room is shown, but stays deleted',
  'equipment-dropped': 'PATCH of a room removes the equipment that is not sent',
  'notes-null': 'PATCH with notes null keeps the notes',
  'put-keeps-notes': 'PUT of a room keeps the notes that were left out',
  'capacity-zero': 'A capacity of 0 is accepted',
  'capacity-maximum': 'A capacity of 500 is refused',
  'extra-members': 'Members that the spec forbids are accepted',
  'empty-patch': 'PATCH {} of a room fails with 500',
  'deleted-at-missing': 'deleted_at is left out instead of null',
  'id-writable': 'created_at can be set by the client',
  'bulk-unchecked': 'The rooms of a bulk creation are not validated',
  'bulk-first': 'A bulk creation stores only the first room',
  'room-of-others': 'A booking can be read below each workspace',
  'workspace-open': 'Rooms can be listed with the key of another workspace',
  'attendees-one': 'Only the first attendee is kept',
  'ends-at-local': 'ends_at has no time zone',
  'room-ignored': 'The filter of bookings by room does nothing',
  'status-ignored': 'The filter of bookings by status does nothing',
  'from-exclusive': 'from leaves out bookings that start at that time',
  'confirm-lost': 'A booking is shown as confirmed, but stays tentative',
  'cancel-again': 'Cancelling again fails with 500',
  'settings-lost': 'PUT of the settings is not stored',
  'settings-patch': 'PATCH of the settings removes what was not sent',
  'settings-open': 'The settings can be read without a key',
  'export-unfinished': 'A finished export has no download_url',
  'minutes-any': 'Any number of minutes is accepted',
  'issues-text': 'The issues of an error are a text',
} as const;

type Bug = keyof typeof BUGS;

const KEYS: Readonly<Record<string, string>> = { 'key-acme-1': 'acme', 'key-globex-2': 'globex' };
const EQUIPMENT = ['screen', 'whiteboard', 'phone', 'video'] as const;

interface Room {
  id: string;
  workspace_id: string;
  name: string;
  capacity: number;
  floor: number;
  equipment: readonly string[];
  notes: string | null;
  created_at: string;
  deleted_at: string | null;
}

interface Booking {
  id: string;
  workspace: string;
  room_id: string;
  title: string;
  starts_at: string;
  minutes: number;
  attendees: readonly string[];
  status: 'tentative' | 'confirmed' | 'cancelled';
  cancelled_at?: string;
}

interface Export {
  id: string;
  workspace: string;
  reads: number;
}

const codePoints = (min: number, max: number) =>
  z.string().refine((text) => [...text].length >= min && [...text].length <= max, `${min} to ${max} characters`);
const digits = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const uuid = z.guid();
const time = z.iso.datetime({ offset: true });

function fail(status: 400 | 401 | 404 | 405 | 409 | 422, code: string, message: string, issues?: unknown): never {
  const body = JSON.stringify({ code, message, issues });
  throw new HTTPException(status, {
    res: new Response(body, { status, headers: { 'content-type': 'application/json' } }),
  });
}

function createSchemas(has: (bug: Bug) => boolean) {
  const capacity = z
    .number()
    .int()
    .min(has('capacity-zero') ? 0 : 1)
    .max(has('capacity-maximum') ? 499 : 500);
  const equipment = z.array(z.enum(EQUIPMENT)).refine((all) => new Set(all).size === all.length, 'must be unique');
  const roomFields = {
    name: codePoints(1, 60),
    capacity,
    floor: z.number().int().min(-5).max(200).default(0),
    equipment: equipment.default([]),
    notes: codePoints(0, 300).nullable().default(null),
    ...(has('id-writable') ? { created_at: z.string().optional() } : {}),
  };
  const object = has('extra-members') ? z.object : z.strictObject;
  const timezone = z.enum(['UTC', 'Europe/Prague', 'America/New_York']);
  const [opens, closes] = [z.number().int().min(0).max(12), z.number().int().min(13).max(24)];
  const notice = codePoints(0, 200).nullable();
  const reminders = z.strictObject({
    email: z.boolean().optional(),
    minutes: z.number().int().min(0).max(120).optional(),
  });
  const page = {
    page: digits.pipe(z.number().min(1)).default(1),
    per_page: digits.pipe(z.number().min(1).max(50)).default(25),
  };
  const orders = ['name', '-name', 'capacity', '-capacity', 'created_at', '-created_at'] as const;
  return {
    room: object(roomFields),
    roomPatch: object({
      name: codePoints(1, 60).optional(),
      capacity: capacity.optional(),
      floor: z.number().int().min(-5).max(200).optional(),
      equipment: equipment.optional(),
      notes: codePoints(0, 300).nullable().optional(),
    }),
    booking: z.strictObject({
      room_id: uuid,
      title: codePoints(1, 80),
      starts_at: time,
      minutes: has('minutes-any') ? z.number() : z.number().int().min(15).max(480).multipleOf(15),
      attendees: z.array(z.email()).max(10).default([]),
    }),
    bookingPatch: z.strictObject({
      title: codePoints(1, 80).optional(),
      attendees: z.array(z.email()).max(10).optional(),
    }),
    settings: z.strictObject({
      timezone,
      opens,
      closes,
      notice: notice.optional(),
      reminders: reminders.optional(),
    }),
    settingsPatch: z.strictObject({
      timezone: timezone.optional(),
      opens: opens.optional(),
      closes: closes.optional(),
      notice: notice.optional(),
    }),
    roomQuery: z.object({
      q: codePoints(0, 50).optional(),
      floor: digits.optional(),
      min_capacity: digits.pipe(z.number().min(1)).optional(),
      equipment: z.enum(EQUIPMENT).optional(),
      include_deleted: flag.default(false),
      order_by: z.enum(orders).default('created_at'),
      ...page,
    }),
    bookingQuery: z.object({
      room_id: uuid.optional(),
      status: z.enum(['tentative', 'confirmed', 'cancelled']).optional(),
      from: time.optional(),
      ...page,
    }),
    export: z.strictObject({ format: z.enum(['csv', 'ical']) }),
  };
}

function createApp(bug: string | undefined): Hono {
  const has = (name: Bug): boolean => bug === name;
  const schemas = createSchemas(has);
  const rooms: Room[] = [];
  const bookings: Booking[] = [];
  const exports: Export[] = [];
  const settings = new Map<string, z.infer<typeof schemas.settings>>();

  const check = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const issues = result.error.issues.map(({ path, message }) => ({ path, message }));
    return fail(422, 'invalid', 'The input is invalid', has('issues-text') ? JSON.stringify(issues) : issues);
  };
  const readJson = async (context: Context): Promise<unknown> => {
    if (context.req.header('content-type')?.split(';')[0]?.trim() !== 'application/json')
      fail(422, 'media_type', 'Send application/json');
    try {
      return (await context.req.json()) as unknown;
    } catch {
      return fail(422, 'json', 'The body is no JSON');
    }
  };
  const newRoom = (workspace: string, input: z.infer<typeof schemas.room>): Room => {
    const { name, capacity, floor, equipment, notes, created_at } = input as typeof input & { created_at?: string };
    return {
      id: randomUUID(),
      workspace_id: workspace,
      name,
      capacity,
      floor,
      equipment,
      notes,
      created_at: created_at ?? new Date().toISOString(),
      deleted_at: null,
    };
  };
  for (const [workspace, name, capacity, floor] of [
    ['acme', 'Oak', 4, 0],
    ['acme', 'Elm', 12, 1],
    ['acme', 'Ash', 100, 1],
    ['globex', 'Moon', 6, 3],
  ] as const) {
    rooms.push(newRoom(workspace, { name, capacity, floor, equipment: ['screen'], notes: null }));
    settings.set(workspace, { timezone: 'UTC', opens: 8, closes: 18 });
  }
  bookings.push({
    id: randomUUID(),
    workspace: 'acme',
    room_id: rooms[0]?.id ?? '',
    title: 'Stand-up',
    starts_at: '2025-03-03T09:00:00Z',
    minutes: 15,
    attendees: ['ana@acme.test', 'bo@acme.test'],
    status: 'tentative',
  });

  const workspaceOf = (context: Context): string => {
    const id = context.req.param('workspace') ?? '';
    const own = KEYS[context.req.header('x-api-key') ?? ''];
    const isList = context.req.method === 'GET' && context.req.path.endsWith('/rooms');
    // Without a key only what the bug settings-open lets pass gets here.
    const isOwn = own === id || own === undefined || (isList && has('workspace-open'));
    if (!settings.has(id) || !isOwn) fail(404, 'not_found', 'There is no such workspace');
    return id;
  };
  const checkName = (workspace: string, name: string, self?: string): void => {
    const taken = rooms.some((room) => room.workspace_id === workspace && room.name === name && room.id !== self);
    if (taken) fail(409, 'taken', 'The name is taken');
  };
  const findRoom = (context: Context, withDeleted = false): Room => {
    const workspace = workspaceOf(context);
    const id = check(uuid, context.req.param('room'));
    const room = rooms.find((one) => one.id === id && one.workspace_id === workspace);
    if (room === undefined || (room.deleted_at !== null && !withDeleted)) fail(404, 'not_found', 'No such room');
    return room;
  };
  const findBooking = (context: Context): Booking => {
    const workspace = workspaceOf(context);
    const id = check(uuid, context.req.param('booking'));
    const booking = bookings.find((one) => one.id === id && (one.workspace === workspace || has('room-of-others')));
    return booking ?? fail(404, 'not_found', 'No such booking');
  };
  const showRoom = ({ deleted_at, ...room }: Room) =>
    has('deleted-at-missing') && deleted_at === null ? room : { ...room, deleted_at };
  const showBooking = (stored: Booking) => {
    const booking: Partial<Booking> & Pick<Booking, 'starts_at' | 'minutes'> = { ...stored };
    delete booking.workspace;
    const end = new Date(Date.parse(booking.starts_at) + booking.minutes * 60_000).toISOString();
    return { ...booking, ends_at: has('ends-at-local') ? end.slice(0, 19) : end };
  };
  const paginate = <Item>(items: readonly Item[], query: { page: number; per_page: number }, extra = 0) => {
    const { page, per_page } = query;
    const start = (page - 1) * per_page;
    const from = has('page-overlap') ? Math.max(0, start - 1) : start;
    const last = has('last-page-wrong') ? Math.floor(items.length / per_page) + 1 : Math.ceil(items.length / per_page);
    return {
      items: has('per-page-ignored') ? items.slice(0, 25) : items.slice(from, start + per_page),
      pagination: { page, per_page, total: items.length + extra, last_page: Math.max(1, last) },
    };
  };

  const app = new Hono({ strict: true });
  app.use('*', async (context, next) => {
    const isOpen = has('settings-open') && context.req.method === 'GET' && context.req.path.endsWith('/settings');
    if (KEYS[context.req.header('x-api-key') ?? ''] === undefined && !isOpen)
      fail(401, 'unauthorized', 'Send X-Api-Key');
    await next();
  });
  app.get('/workspaces', (context) => {
    const id = KEYS[context.req.header('x-api-key') ?? ''];
    return context.json({ items: [{ id, name: id?.toUpperCase() }] });
  });

  app.get('/workspaces/:workspace/settings', (context) => context.json(settings.get(workspaceOf(context))));
  app.put('/workspaces/:workspace/settings', async (context) => {
    const id = workspaceOf(context);
    const next = check(schemas.settings, await readJson(context));
    if (!has('settings-lost')) settings.set(id, next);
    return context.json(next);
  });
  app.patch('/workspaces/:workspace/settings', async (context) => {
    const id = workspaceOf(context);
    const patch = check(schemas.settingsPatch, await readJson(context));
    const { notice: _, reminders: __, ...rest } = settings.get(id) ?? { timezone: 'UTC', opens: 8, closes: 18 };
    const base = has('settings-patch') ? rest : settings.get(id);
    const next = { ...base, ...patch } as z.infer<typeof schemas.settings>;
    settings.set(id, next);
    return context.json(next);
  });

  app.get('/workspaces/:workspace/rooms', (context) => {
    const workspace = workspaceOf(context);
    const query = check(schemas.roomQuery, context.req.query());
    const { q, floor, min_capacity: least, equipment, order_by: order } = query;
    const all = rooms.filter((room) => room.workspace_id === workspace);
    const matches = (name: string): boolean =>
      q === undefined ||
      has('q-ignored') ||
      (has('q-case') ? name.includes(q) : name.toLowerCase().includes(q.toLowerCase()));
    const found = all.filter(
      (room) =>
        (room.deleted_at === null || query.include_deleted || has('deleted-listed')) &&
        matches(room.name) &&
        (floor === undefined || has('floor-ignored') || (has('floor-zero') && floor === 0) || room.floor === floor) &&
        (least === undefined || (has('capacity-exclusive') ? room.capacity > least : room.capacity >= least)) &&
        (equipment === undefined || room.equipment.includes(equipment)),
    );
    const member = order.replace('-', '') as 'name' | 'capacity' | 'created_at';
    const sign = order.startsWith('-') && !has('order-reverse') ? -1 : 1;
    const valueOf = (room: Room): string | number =>
      has('capacity-as-text') && member === 'capacity' ? String(room.capacity) : room[member];
    found.sort((a, b) => (valueOf(a) < valueOf(b) ? -sign : valueOf(a) > valueOf(b) ? sign : 0));
    const extra = has('total-with-deleted') ? all.filter((room) => room.deleted_at !== null).length : 0;
    return context.json(paginate(found.map(showRoom), query, query.include_deleted ? 0 : extra));
  });
  app.post('/workspaces/:workspace/rooms', async (context) => {
    const workspace = workspaceOf(context);
    const input = check(schemas.room, await readJson(context));
    checkName(workspace, input.name);
    const room = newRoom(workspace, input);
    rooms.push(room);
    return context.json(showRoom(room), has('created-200') ? 200 : 201);
  });
  app.post('/workspaces/:workspace/rooms/bulk', async (context) => {
    const workspace = workspaceOf(context);
    const list = z.object({
      rooms: z
        .array(has('bulk-unchecked') ? z.any() : schemas.room)
        .min(1)
        .max(20),
    });
    const body = check(list, await readJson(context));
    const names = body.rooms.map(({ name }) => name);
    if (new Set(names).size < names.length) fail(409, 'taken', 'The names must differ');
    for (const name of names) checkName(workspace, name);
    const created = body.rooms.map((input) => newRoom(workspace, input));
    rooms.push(...(has('bulk-first') ? created.slice(0, 1) : created));
    return context.json({ items: created.map(showRoom) }, 201);
  });
  app.get('/workspaces/:workspace/rooms/:room', (context) =>
    context.json(showRoom(findRoom(context, has('deleted-readable')))),
  );
  app.put('/workspaces/:workspace/rooms/:room', async (context) => {
    const room = findRoom(context);
    const body = await readJson(context);
    const input = check(schemas.room, body);
    checkName(room.workspace_id, input.name, room.id);
    const { notes } = room;
    Object.assign(room, input);
    if (has('put-keeps-notes') && (body as { notes?: unknown }).notes === undefined) room.notes = notes;
    return context.json(showRoom(room));
  });
  app.patch('/workspaces/:workspace/rooms/:room', async (context) => {
    const room = findRoom(context, has('deleted-changeable'));
    const patch = check(schemas.roomPatch, await readJson(context));
    if (Object.keys(patch).length === 0 && has('empty-patch')) throw new TypeError('Nothing to set');
    if (patch.name !== undefined) checkName(room.workspace_id, patch.name, room.id);
    if (has('equipment-dropped')) room.equipment = [];
    if (has('notes-null') && patch.notes === null) delete patch.notes;
    return context.json(showRoom(Object.assign(room, patch)));
  });
  app.delete('/workspaces/:workspace/rooms/:room', (context) => {
    findRoom(context).deleted_at = new Date().toISOString();
    return context.body(null, 204);
  });
  app.post('/workspaces/:workspace/rooms/:room/restore', (context) => {
    const room = findRoom(context, true);
    if (room.deleted_at === null) fail(409, 'not_deleted', 'The room is not deleted');
    if (has('restore-lost')) return context.json(showRoom({ ...room, deleted_at: null }));
    room.deleted_at = null;
    return context.json(showRoom(room));
  });

  app.get('/workspaces/:workspace/bookings', (context) => {
    const workspace = workspaceOf(context);
    const query = check(schemas.bookingQuery, context.req.query());
    const { room_id: room, status, from } = query;
    const first = from === undefined ? -Infinity : Date.parse(from);
    const found = bookings.filter(
      (booking) =>
        booking.workspace === workspace &&
        (room === undefined || has('room-ignored') || booking.room_id === room) &&
        (status === undefined || has('status-ignored') || booking.status === status) &&
        (has('from-exclusive') ? Date.parse(booking.starts_at) > first : Date.parse(booking.starts_at) >= first),
    );
    return context.json(paginate(found.map(showBooking), query));
  });
  app.post('/workspaces/:workspace/bookings', async (context) => {
    const workspace = workspaceOf(context);
    const input = check(schemas.booking, await readJson(context));
    const room = rooms.find((one) => one.id === input.room_id && one.workspace_id === workspace);
    if (room === undefined || room.deleted_at !== null) fail(422, 'unknown_room', 'There is no such room');
    const start = Date.parse(input.starts_at);
    const isTaken = bookings.some((other) => {
      const begin = Date.parse(other.starts_at);
      const isSame = other.room_id === input.room_id && other.status !== 'cancelled';
      return isSame && begin < start + input.minutes * 60_000 && start < begin + other.minutes * 60_000;
    });
    if (isTaken) fail(409, 'occupied', 'The room is occupied at that time');
    const attendees = has('attendees-one') ? input.attendees.slice(0, 1) : input.attendees;
    const booking: Booking = { id: randomUUID(), workspace, status: 'tentative', ...input, attendees };
    bookings.push(booking);
    context.header('Location', `/workspaces/${workspace}/bookings/${booking.id}`);
    return context.json(showBooking(booking), 201);
  });
  app.get('/workspaces/:workspace/bookings/:booking', (context) => context.json(showBooking(findBooking(context))));
  app.patch('/workspaces/:workspace/bookings/:booking', async (context) => {
    const booking = findBooking(context);
    const patch = check(schemas.bookingPatch, await readJson(context));
    if (booking.status === 'cancelled') fail(409, 'cancelled', 'The booking is cancelled');
    return context.json(showBooking(Object.assign(booking, patch)));
  });
  app.post('/workspaces/:workspace/bookings/:booking/confirm', (context) => {
    const booking = findBooking(context);
    if (booking.status !== 'tentative') fail(409, 'not_tentative', 'Only tentative bookings can be confirmed');
    if (has('confirm-lost')) return context.json(showBooking({ ...booking, status: 'confirmed' }));
    booking.status = 'confirmed';
    return context.json(showBooking(booking));
  });
  app.post('/workspaces/:workspace/bookings/:booking/cancel', (context) => {
    const booking = findBooking(context);
    if (booking.status === 'cancelled' && has('cancel-again')) throw new TypeError('Already cancelled');
    if (booking.status === 'cancelled') fail(409, 'cancelled', 'The booking is cancelled');
    booking.status = 'cancelled';
    booking.cancelled_at = new Date().toISOString();
    return context.json(showBooking(booking));
  });

  app.post('/workspaces/:workspace/exports', async (context) => {
    const workspace = workspaceOf(context);
    check(schemas.export, await readJson(context));
    const job = { id: randomUUID(), workspace, reads: 0 };
    exports.push(job);
    context.header('Location', `/workspaces/${workspace}/exports/${job.id}`);
    return context.json({ id: job.id, state: 'queued' }, 202);
  });
  app.get('/workspaces/:workspace/exports/:export', (context) => {
    const workspace = workspaceOf(context);
    const id = check(uuid, context.req.param('export'));
    const job = exports.find((one) => one.id === id && one.workspace === workspace);
    if (job === undefined) fail(404, 'not_found', 'No such export');
    job.reads++;
    if (job.reads < 3) return context.json({ id, state: 'running' });
    const rows = bookings.filter((booking) => booking.workspace === workspace).length;
    const url = `/files/${id}.csv`;
    return context.json({ id, state: 'done', rows, ...(has('export-unfinished') ? {} : { download_url: url }) });
  });

  app.notFound((context) => context.json({ code: 'not_found', message: 'Not found' }, 404));
  app.onError((error, context) =>
    error instanceof HTTPException
      ? error.getResponse()
      : context.json({ code: 'internal', message: 'Something broke' }, 500),
  );
  return app;
}

export const rooms: ForeignApi = {
  name: 'rooms',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { 'x-api-key': 'key-acme-1' },
  otherHeaders: { 'x-api-key': 'key-globex-2' },
  start: (bug) => listen(createAdaptorServer({ fetch: createApp(bug).fetch, overrideGlobalObjects: false }) as Server),
};
