import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'class-ce-refused': 'The license class CE is refused',
  'tags-repeated': 'A driver can have the same tag twice',
  'patch-empty-accepted': 'PATCH of a driver with no member at all is accepted',
  'plate-unanchored': 'A plate with more text around it is accepted',
  'odometer-negative': 'A negative odometer is accepted',
  'page-offset': 'Each page after the first skips one item',
  'total-of-page': 'The total counts the items of the page',
  'pages-floor': 'The number of pages is rounded down',
  'list-as-text': 'The list of vehicles has the content type text/plain',
  'delete-without-key': 'DELETE needs no key',
  'json-broken-500': 'Broken JSON fails with 500',
  'name-trimmed': 'The name of a new driver is cut to 30 characters',
  'location-next': 'Location of a new driver has the id after its own',
  'class-prefix': 'The filter by license class C also finds CE',
  'sort-descending': 'Sorting in descending order sorts in ascending order',
  'born-on-missing': 'A driver without a date of birth has no member born_on',
  'patch-clears-tags': 'PATCH of a driver without tags removes the tags',
  'born-on-kept': 'PATCH does not change the date of birth',
  'created-at-writable': 'PATCH with created_at changes it',
  'odometer-default': 'The odometer of a new vehicle is 1 by default',
  'seats-exclusive': 'min_seats finds only vehicles with more seats',
  'seats-text': 'A vehicle that is read has its seats as text',
  'put-merges': 'PUT of a vehicle without a note keeps the old one',
  'assign-unknown': 'An unknown driver can be assigned to a vehicle',
  'assign-other-vehicle': 'The response to an assignment has the id of another vehicle',
  'reassign-lost': 'A second driver is not stored although the response shows the driver',
  'unassign-lost': 'DELETE of an assignment does nothing',
  'started-at-text': 'A trip starts at a time that is no date-time',
  'trips-of-all': 'The trips of all vehicles are listed below each',
  'purpose-ignored': 'The filter by purpose does nothing',
  'cursor-repeats': 'Each page of trips starts with the last trip of the page before',
  'cursor-endless': 'The last page of trips has a cursor, which leads to an empty page',
  'finish-zero': 'A trip of 0 km is accepted',
  'finish-twice': 'A trip can be finished twice',
  'finish-open': 'A finished trip is still open',
  'km-rounded': 'The kilometres of a trip are rounded',
  // Only the descriptions tell that these are bugs.
  'email-taken-twice': 'Two drivers can have the same email',
  'q-prefix': 'The search finds only names that start with the text',
  'delete-assigned': 'A driver who is assigned to a vehicle can be deleted',
  'updated-at-frozen': 'PATCH does not change updated_at',
  'trips-stay': 'The trips of a deleted vehicle can still be read',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;
type Errors = Record<string, string[]>;

interface Driver extends Json {
  id: number;
  name: string;
  email: string;
  license_class: string;
  born_on: string | null;
  tags: string[];
  created_at: string;
  updated_at: string;
}

interface Vehicle extends Json {
  id: string;
  plate: string;
  model: string;
  seats: number;
  odometer: number;
  note: string | null;
}

interface Assignment extends Json {
  vehicle_id: string;
  driver_id: number;
  since: string;
}

interface Trip extends Json {
  id: string;
  vehicle_id: string;
  purpose: string;
  state: string;
}

interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Record<string, string>;
}

interface Call {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly json: () => unknown;
}

class Failure extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

const LICENSE_CLASSES = ['A', 'B', 'C', 'CE'];
const PURPOSES = ['business', 'private', 'commute'];
const SORTS = ['name', '-name', 'created_at', '-created_at'];

const fail = (status: number, error: string, headers: Record<string, string> = {}): never => {
  throw new Failure({ status, body: { error }, headers });
};
const refuse = (errors: Errors): void => {
  if (Object.keys(errors).length > 0) throw new Failure({ status: 422, body: { errors } });
};
const now = (): string => new Date().toISOString();
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

/** What is wrong with a text, counted in code points. */
function textProblem(value: unknown, min: number, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const { length } = [...value];
  if (length < min) return 'is too short';
  return length > max ? 'is too long' : undefined;
}

/** The envelope `{ driver: { … } }` of a request body. */
function unwrap(body: unknown, key: string): Json {
  const value = isObject(body) ? body[key] : undefined;
  if (!isObject(value)) throw new Failure({ status: 422, body: { errors: { [key]: ["can't be blank"] } } });
  return value;
}

function createFleet(bug: string | undefined): (call: Call, parts: readonly string[]) => Reply {
  const has = (name: Bug): boolean => bug === name;
  const drivers = new Map<number, Driver>();
  const vehicles = new Map<string, Vehicle>();
  const assignments = new Map<string, Assignment>();
  const trips = new Map<string, Trip>();
  let lastDriver = 0;
  let lastTrip = 100;

  const allow = ({ method }: Call, ...methods: string[]): void => {
    if (!methods.includes(method)) fail(405, 'method not allowed', { allow: methods.join(', ') });
  };
  const choice = (errors: Errors, key: string, value: unknown, choices: readonly string[]): void => {
    if (!choices.includes(value as string)) errors[key] = ['is not included in the list'];
  };
  const integer = (query: URLSearchParams, key: string, max = Number.MAX_SAFE_INTEGER): number | undefined => {
    const value = query.get(key);
    if (value === null) return undefined;
    if (!/^-?\d+$/.test(value) || Number(value) < 1 || Number(value) > max) refuse({ [key]: ['is invalid'] });
    return Number(value);
  };
  const pageOf = (all: readonly Json[], query: URLSearchParams, key: string): Json => {
    const page = integer(query, 'page') ?? 1;
    const size = integer(query, 'per_page', 50) ?? 20;
    const start = (page - 1) * size + (has('page-offset') && page > 1 ? 1 : 0);
    const items = all.slice(start, start + size);
    const pages = has('pages-floor') ? Math.floor(all.length / size) : Math.ceil(all.length / size);
    const total = has('total-of-page') ? items.length : all.length;
    return { [key]: items, meta: { page, per_page: size, total, pages } };
  };

  function checkDriver(input: Json, isPatch: boolean): void {
    const errors: Errors = {};
    const isGiven = (key: string): boolean => !isPatch || input[key] !== undefined;
    const nameProblem = isGiven('name') ? textProblem(input['name'], 1, 60) : undefined;
    if (nameProblem !== undefined) errors['name'] = [nameProblem];
    if (!isPatch) checkEmail(errors, input['email']);
    const classes = has('class-ce-refused') ? ['A', 'B', 'C'] : LICENSE_CLASSES;
    if (isGiven('license_class')) choice(errors, 'license_class', input['license_class'], classes);
    const bornOn = input['born_on'] ?? null;
    if (bornOn !== null && !isDate(bornOn)) errors['born_on'] = ['is not a date'];
    if (input['tags'] !== undefined) checkTags(errors, input['tags']);
    if (isPatch && Object.keys(input).length === 0 && !has('patch-empty-accepted')) errors['base'] = ['is empty'];
    refuse(errors);
  }
  function checkEmail(errors: Errors, email: unknown): void {
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) errors['email'] = ['is invalid'];
    else if (!has('email-taken-twice') && [...drivers.values()].some((driver) => driver.email === email))
      errors['email'] = ['has already been taken'];
  }
  function checkTags(errors: Errors, tags: unknown): void {
    if (!Array.isArray(tags) || tags.some((tag) => textProblem(tag, 1, 20) !== undefined))
      errors['tags'] = ['is invalid'];
    else if (tags.length > 5) errors['tags'] = ['is too long'];
    else if (new Set(tags).size < tags.length && !has('tags-repeated')) errors['tags'] = ['has duplicates'];
  }
  function checkVehicle(input: Json, current?: Vehicle): void {
    const errors: Errors = {};
    const { plate, model, seats, odometer, note } = input;
    const pattern = has('plate-unanchored') ? /[A-Z]{2}-[0-9]{4}/ : /^[A-Z]{2}-[0-9]{4}$/;
    if (typeof plate !== 'string' || !pattern.test(plate)) errors['plate'] = ['is invalid'];
    else if ([...vehicles.values()].some((other) => other.plate === plate && other !== current))
      errors['plate'] = ['has already been taken'];
    const modelProblem = textProblem(model, 1, 40);
    if (modelProblem !== undefined) errors['model'] = [modelProblem];
    if (!Number.isInteger(seats) || Number(seats) < 1 || Number(seats) > 9) errors['seats'] = ['must be 1 to 9'];
    const isNegative = Number(odometer) < 0 && !has('odometer-negative');
    if (odometer !== undefined && (!Number.isInteger(odometer) || isNegative)) errors['odometer'] = ['is invalid'];
    if ((note ?? null) !== null && textProblem(note, 0, 200) !== undefined) errors['note'] = ['is invalid'];
    refuse(errors);
  }

  function listDrivers({ query }: Call): Reply {
    const errors: Errors = {};
    const licenseClass = query.get('license_class');
    const text = query.get('q');
    const sort = query.get('sort') ?? 'created_at';
    if (licenseClass !== null) choice(errors, 'license_class', licenseClass, LICENSE_CLASSES);
    if (text !== null && textProblem(text, 0, 60) !== undefined) errors['q'] = ['is too long'];
    choice(errors, 'sort', sort, SORTS);
    refuse(errors);
    const found = [...drivers.values()].filter((driver) => {
      const hasText = has('q-prefix') ? driver.name.startsWith(text ?? '') : driver.name.includes(text ?? '');
      if (licenseClass === null) return hasText;
      if (has('class-prefix')) return hasText && driver.license_class.startsWith(licenseClass);
      return hasText && driver.license_class === licenseClass;
    });
    if (sort.endsWith('name')) found.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
    if (sort.startsWith('-') && !has('sort-descending')) found.reverse();
    return { status: 200, body: pageOf(found, query, 'drivers') };
  }
  function createDriver({ json }: Call): Reply {
    const input = unwrap(json(), 'driver');
    checkDriver(input, false);
    lastDriver += 1;
    const time = now();
    const driver = {
      id: lastDriver,
      name: has('name-trimmed') ? String(input['name']).slice(0, 30) : String(input['name']),
      email: String(input['email']),
      license_class: String(input['license_class']),
      born_on: (input['born_on'] ?? null) as string | null,
      tags: (input['tags'] ?? []) as string[],
      created_at: time,
      updated_at: time,
    };
    drivers.set(driver.id, driver);
    const location = `/api/drivers/${has('location-next') ? driver.id + 1 : driver.id}`;
    return { status: 201, body: { driver: show(driver) }, headers: { location } };
  }
  function show(driver: Driver): Json {
    if (!has('born-on-missing') || driver.born_on !== null) return driver;
    const { born_on: _bornOn, ...others } = driver;
    return others;
  }
  function updateDriver({ json }: Call, driver: Driver): Reply {
    const input = unwrap(json(), 'driver');
    checkDriver(input, true);
    const members = ['name', 'license_class', 'tags'];
    if (!has('born-on-kept')) members.push('born_on');
    if (has('created-at-writable')) members.push('created_at');
    for (const member of members) if (input[member] !== undefined) (driver as Json)[member] = input[member];
    if (has('patch-clears-tags') && input['tags'] === undefined) driver.tags = [];
    if (!has('updated-at-frozen')) driver.updated_at = now();
    return { status: 200, body: { driver: show(driver) } };
  }
  function callDriver(call: Call, id: string): Reply {
    allow(call, 'GET', 'PATCH', 'DELETE');
    if (!/^\d+$/.test(id) || Number(id) < 1 || Number(id) > 2147483647) refuse({ id: ['is invalid'] });
    const driver = drivers.get(Number(id)) ?? fail(404, 'not found');
    if (call.method === 'GET') return { status: 200, body: { driver: show(driver) } };
    if (call.method === 'PATCH') return updateDriver(call, driver);
    const isAssigned = [...assignments.values()].some(({ driver_id: driverId }) => driverId === driver.id);
    if (isAssigned && !has('delete-assigned')) fail(409, 'is assigned to a vehicle');
    drivers.delete(driver.id);
    return { status: 204 };
  }

  function listVehicles({ query }: Call): Reply {
    const min = integer(query, 'min_seats', 9) ?? 0;
    const found = [...vehicles.values()].filter(({ seats }) => (has('seats-exclusive') ? seats > min : seats >= min));
    const headers = has('list-as-text') ? { 'content-type': 'text/plain' } : {};
    return { status: 200, body: pageOf(found, query, 'vehicles'), headers };
  }
  function storeVehicle(id: string, input: Json, odometer: number, note: string | null): Vehicle {
    const vehicle = {
      id,
      plate: String(input['plate']),
      model: String(input['model']),
      seats: Number(input['seats']),
      odometer: (input['odometer'] ?? odometer) as number,
      note: (input['note'] ?? note) as string | null,
    };
    vehicles.set(id, vehicle);
    return vehicle;
  }
  function callVehicle(call: Call, vehicle: Vehicle): Reply {
    allow(call, 'GET', 'PUT', 'DELETE');
    if (call.method === 'GET')
      return {
        status: 200,
        body: { vehicle: has('seats-text') ? { ...vehicle, seats: `${vehicle.seats}` } : vehicle },
      };
    if (call.method === 'PUT') {
      const input = unwrap(call.json(), 'vehicle');
      checkVehicle(input, vehicle);
      const note = has('put-merges') ? vehicle.note : null;
      return { status: 200, body: { vehicle: storeVehicle(vehicle.id, input, 0, note) } };
    }
    vehicles.delete(vehicle.id);
    assignments.delete(vehicle.id);
    for (const trip of trips.values()) if (trip.vehicle_id === vehicle.id && !has('trips-stay')) trips.delete(trip.id);
    return { status: 204 };
  }
  function callAssignment(call: Call, { id }: Vehicle): Reply {
    allow(call, 'GET', 'PUT', 'DELETE');
    if (call.method === 'PUT') {
      const body = call.json();
      const driverId = isObject(body) ? body['driver_id'] : undefined;
      if (!Number.isInteger(driverId) || Number(driverId) < 1) refuse({ driver_id: ['is invalid'] });
      if (!drivers.has(Number(driverId)) && !has('assign-unknown')) refuse({ driver_id: ['must exist'] });
      const assignment = { vehicle_id: id, driver_id: Number(driverId), since: now() };
      if (!has('reassign-lost') || !assignments.has(id)) assignments.set(id, assignment);
      return {
        status: 200,
        body: has('assign-other-vehicle') ? { ...assignment, vehicle_id: randomUUID() } : assignment,
      };
    }
    const assignment = assignments.get(id) ?? fail(404, 'not found');
    if (call.method === 'GET') return { status: 200, body: assignment };
    if (!has('unassign-lost')) assignments.delete(id);
    return { status: 204 };
  }

  function startTrip({ json }: Call, vehicle: Vehicle): Reply {
    const input = unwrap(json(), 'trip');
    const errors: Errors = {};
    choice(errors, 'purpose', input['purpose'], PURPOSES);
    const to = input['to'] ?? null;
    if (textProblem(input['from'], 1, 80) !== undefined) errors['from'] = ['is invalid'];
    if (to !== null && textProblem(to, 0, 80) !== undefined) errors['to'] = ['is invalid'];
    refuse(errors);
    lastTrip += 1;
    const trip = {
      id: `t${lastTrip}`,
      vehicle_id: vehicle.id,
      purpose: String(input['purpose']),
      from: input['from'],
      to,
      state: 'open',
      started_at: has('started-at-text') ? String(new Date()) : now(),
      finished_at: null,
      km: null,
    };
    trips.set(trip.id, trip);
    return { status: 201, body: { trip } };
  }
  function listTrips({ query }: Call, vehicle: Vehicle): Reply {
    const purpose = query.get('purpose');
    if (purpose !== null && !PURPOSES.includes(purpose)) refuse({ purpose: ['is not included in the list'] });
    const limit = integer(query, 'limit', 100) ?? 10;
    const found = [...trips.values()].filter(
      (trip) =>
        (trip.vehicle_id === vehicle.id || has('trips-of-all')) &&
        (purpose === null || has('purpose-ignored') || trip.purpose === purpose),
    );
    const cursor = query.get('cursor');
    const last = cursor === null ? -1 : found.findIndex(({ id }) => id === cursor);
    if (cursor !== null && last === -1) refuse({ cursor: ['is invalid'] });
    const start = cursor !== null && has('cursor-repeats') ? last : last + 1;
    const items = found.slice(start, start + limit);
    const hasMore = start + limit < found.length || (has('cursor-endless') && items.length > 0);
    return { status: 200, body: { trips: items, next_cursor: hasMore ? (items.at(-1)?.id ?? null) : null } };
  }
  function finishTrip({ json }: Call, trip: Trip): Reply {
    const body = json();
    const km = isObject(body) ? body['km'] : undefined;
    const isLongEnough = has('finish-zero') ? Number(km) >= 0 : Number(km) > 0;
    if (typeof km !== 'number' || !isLongEnough || km > 5000) refuse({ km: ['is invalid'] });
    if (trip.state === 'finished' && !has('finish-twice')) fail(409, 'is finished');
    const state = has('finish-open') ? 'open' : 'finished';
    Object.assign(trip, { state, km: has('km-rounded') ? Math.round(Number(km)) : km, finished_at: now() });
    return { status: 200, body: { trip } };
  }

  return (call, [kind, id, part, ...rest]) => {
    if (rest.length > 0) return fail(404, 'not found');
    if (kind === 'drivers' && id === undefined) {
      allow(call, 'GET', 'POST');
      return call.method === 'GET' ? listDrivers(call) : createDriver(call);
    }
    if (kind === 'drivers' && id !== undefined && part === undefined) return callDriver(call, id);
    if (kind === 'vehicles' && id === undefined) {
      allow(call, 'GET', 'POST');
      if (call.method === 'GET') return listVehicles(call);
      const input = unwrap(call.json(), 'vehicle');
      checkVehicle(input);
      const vehicle = storeVehicle(randomUUID(), input, has('odometer-default') ? 1 : 0, null);
      return { status: 201, body: { vehicle } };
    }
    if (kind === 'vehicles' && id !== undefined) {
      const vehicle = vehicles.get(id) ?? fail(404, 'not found');
      if (part === undefined) return callVehicle(call, vehicle);
      if (part === 'driver') return callAssignment(call, vehicle);
      if (part !== 'trips') return fail(404, 'not found');
      allow(call, 'GET', 'POST');
      return call.method === 'GET' ? listTrips(call, vehicle) : startTrip(call, vehicle);
    }
    if (kind !== 'trips' || id === undefined) return fail(404, 'not found');
    const trip = trips.get(id) ?? fail(404, 'not found');
    if (part !== undefined && part !== 'finish') return fail(404, 'not found');
    allow(call, part === undefined ? 'GET' : 'POST');
    return part === undefined ? { status: 200, body: { trip } } : finishTrip(call, trip);
  };
}

async function respond(
  request: IncomingMessage,
  fleet: ReturnType<typeof createFleet>,
  bug: Bug | undefined,
): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://fleet');
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const json = (): unknown => {
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return fail(415, 'send JSON');
    try {
      return JSON.parse(Buffer.concat(chunks).toString());
    } catch (error) {
      if (bug === 'json-broken-500') throw error;
      return fail(400, 'broken JSON');
    }
  };
  try {
    if (!url.pathname.startsWith('/api/')) return fail(404, 'not found');
    const isOpen = bug === 'delete-without-key' && method === 'DELETE';
    if (request.headers['x-api-key'] !== 'fleet-key' && !isOpen) return fail(401, 'unauthorized');
    const parts = url.pathname.slice('/api/'.length).split('/').map(decodeURIComponent);
    return fleet({ method, query: url.searchParams, json }, parts);
  } catch (error) {
    if (error instanceof Failure) return error.reply;
    if (error instanceof URIError) return { status: 404, body: { error: 'not found' } };
    return { status: 500, body: { error: 'internal error' } };
  }
}

function write(request: IncomingMessage, response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(body === undefined || request.method === 'HEAD' ? undefined : JSON.stringify(body));
}

/** Rails style on node:http: bodies in envelopes, errors by member, an assignment as a singleton below an item. */
export const fleet: ForeignApi = {
  name: 'fleet',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { 'x-api-key': 'fleet-key' },
  start: (bug) => {
    const handle = createFleet(bug);
    const server = createServer((request, response) => {
      void respond(request, handle, bug as Bug | undefined).then((reply) => write(request, response, reply));
    });
    return listen(server, '/api');
  },
};
