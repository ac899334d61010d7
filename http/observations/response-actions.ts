import type { Api, Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { getOrInsert } from '../../model/maps.js';
import { isSuccess } from '../messages.js';
import { reasonPhrase } from '../errors/status-names.js';
import { isUndescribedSuccess, mayStatusHaveBody } from '../response/response-violations.js';
import { findMediaType, parseMediaType } from '../../runtime/parsed-media-type.js';
import { countOf, describeDays, nameOperation } from './describe-observation.js';
import { type ObservationLog, showsOperation } from './observation-log.js';
import type { HeaderTally, MediaTally, OverlayAction, ResponseTally } from './observation.js';
import { ProducedTypes } from './produced-types.js';
import { schemaFromShape } from './schema-from-shape.js';
import { toJsonPath } from './spec-path.js';

/** Fewer calls than this may be a fault of the server. */
const ENOUGH_CALLS = 2;

/** Headers that tell something of an API. Others belong to HTTP, to servers and to what is between. */
const OWN_HEADERS =
  /^(?:x-(?!powered-by$|content-type-options$|frame-options$|xss-protection$|envoy|forwarded|served|cache|runtime|aspnet|amz-cf)|ratelimit|location$|link$|etag$|last-modified$|retry-after$|deprecation$|sunset$)/;

export interface FoundActions {
  readonly at: SourceLocation;
  readonly actions: OverlayAction[];
  readonly uncertain: number;
}

/** The actions that add statuses, media types and headers, and that remove bodies which never come. */
export function responseActions({ api, reached }: ObservationLog, tallies: readonly ResponseTally[]): FoundActions[] {
  const general = generalHeaders(tallies);
  const produced = new ProducedTypes(api);
  return tallies.flatMap((tally) => {
    if (tally.spec === undefined) return [addStatus(tally, { api, produced }, reached)];
    return [...bodyActions(tally, { api, produced }), ...missingHeaders(tally), ...addedHeaders(tally, api, general)];
  });
}

interface BodyContext {
  readonly api: Api;
  readonly produced: ProducedTypes;
}

/** Headers that most operations send: a server or gateway adds them, and no operation needs to list them. */
function generalHeaders(tallies: readonly ResponseTally[]): ReadonlySet<string> {
  const operations = new Set(tallies.map(({ operation }) => operation));
  const senders = new Map<string, Set<Operation>>();
  for (const { operation, headers } of tallies)
    for (const name of headers.keys()) getOrInsert(senders, name, () => new Set<Operation>()).add(operation);
  const isGeneral = (count: number): boolean => count > 1 && count * 2 > operations.size;
  return new Set([...senders].filter(([, { size }]) => isGeneral(size)).map(([name]) => name));
}

function addStatus(tally: ResponseTally, { api, produced }: BodyContext, reached: ReadonlySet<string>): FoundActions {
  const { operation, status, calls, media } = tally;
  const at = operation.source;
  const isOpen = status === 304 || isUndescribedSuccess(operation, status);
  if (isOpen) return { at, actions: [], uncertain: 0 };
  if (!showsOperation(status) && !reached.has(operation.id)) return { at, actions: [], uncertain: 1 };
  const example = [...media.values()][0]?.example;
  const shown = example === undefined || example === '' ? '' : ` Example of a body: ${example}`;
  const description = `${nameOperation(operation)} responds with ${status} ${reasonPhrase(status)}, which the spec does not document: ${countOf(calls, 'call')} ${describeDays(tally)}.${shown}`;
  const response = { description: reasonPhrase(status), ...writeBodies(tally, api) };
  const types = api.dialect === 'openapi-2.0' && mayStatusHaveBody(status) ? [...media.keys()] : [];
  const note = `${nameOperation(operation)} has the media type of the response that the action before adds.`;
  return {
    at,
    actions: [
      { target: toJsonPath(at.pointer), description, update: { responses: { [status]: response } } },
      ...types.flatMap((type) => produced.add(operation, type, note)),
    ],
    uncertain: 0,
  };
}

/** The bodies of a new response: a media type and its schema, or in OpenAPI 2.0 the schema alone. */
function writeBodies({ status, media }: ResponseTally, { dialect }: Api): Readonly<Record<string, unknown>> {
  const bodies = mayStatusHaveBody(status) ? [...media.values()] : [];
  const [first] = bodies;
  if (first === undefined) return {};
  // One schema has to describe all media types.
  if (dialect === 'openapi-2.0') return { schema: bodies.length > 1 ? {} : schemaFromShape(first.shape, dialect) };
  return { content: writeContent(bodies, dialect) };
}

function writeContent(bodies: readonly MediaTally[], dialect: Api['dialect']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    bodies.map(({ mediaType, shape }) => [mediaType, { schema: schemaFromShape(shape, dialect) }]),
  );
}

function bodyActions(tally: ResponseTally, { api, produced }: BodyContext): FoundActions[] {
  const { operation, status, spec, calls, empty, media } = tally;
  if (spec === undefined || !mayStatusHaveBody(status) || operation.method === 'head') return [];
  const { response } = spec;
  const at = response.source;
  const target = toJsonPath(at.pointer);
  const place = `${nameOperation(operation)} (${status})`;
  const documented = spec.media.map(({ parsed }) => ({ parsed }));
  const added = [...media.values()].filter(({ mediaType }) => {
    const parsed = parseMediaType(mediaType);
    return parsed !== undefined && findMediaType(documented, parsed) === undefined;
  });
  if (response.content.length > 0 && empty === calls)
    return [emptyBody({ at, place, tally, member: api.dialect === 'openapi-2.0' ? 'schema' : 'content' })];
  return added.map((one) => {
    if (one.calls < ENOUGH_CALLS) return { at, actions: [], uncertain: 1 };
    const what = response.content.length === 0 ? 'a body' : `a body of type ${one.mediaType}`;
    const description = `${place} has ${what}, which the spec does not document: ${countOf(one.calls, 'call', calls)} ${describeDays(tally)}. Example: ${one.example}`;
    if (api.dialect !== 'openapi-2.0')
      return {
        at,
        actions: [{ target, description, update: { content: writeContent([one], api.dialect) } }],
        uncertain: 0,
      };
    const schema = response.content.length > 0 ? [] : [{ target, description, update: writeBodies(tally, api) }];
    return { at, actions: [...schema, ...produced.add(operation, one.mediaType, description)], uncertain: 0 };
  });
}

interface EmptyBody {
  readonly at: SourceLocation;
  readonly place: string;
  readonly tally: ResponseTally;
  readonly member: 'content' | 'schema';
}

function emptyBody({ at, place, tally, member }: EmptyBody): FoundActions {
  const { calls } = tally;
  if (calls < ENOUGH_CALLS) return { at, actions: [], uncertain: 1 };
  const description = `${place} has no body, although the spec documents one: ${countOf(calls, 'call')} ${describeDays(tally)}.`;
  return { at, actions: [{ target: `${toJsonPath(at.pointer)}.${member}`, description, remove: true }], uncertain: 0 };
}

function missingHeaders(tally: ResponseTally): FoundActions[] {
  const { operation, status, spec, calls, headers } = tally;
  if (spec === undefined) return [];
  const place = `${nameOperation(operation)} (${status})`;
  return spec.headers.flatMap(({ header, name, required }): FoundActions[] => {
    const lacking = calls - (headers.get(name)?.calls ?? 0);
    if (!required || lacking === 0) return [];
    if (lacking < ENOUGH_CALLS) return [{ at: header.source, actions: [], uncertain: 1 }];
    const description = `${place} may lack the header ${header.name}: ${countOf(lacking, 'call', calls)} ${describeDays(tally)}.`;
    const target = toJsonPath(header.source.pointer);
    return [{ at: header.source, actions: [{ target, description, update: { required: false } }], uncertain: 0 }];
  });
}

/** Headers of the API's own that each response has. */
function addedHeaders(tally: ResponseTally, api: Api, general: ReadonlySet<string>): FoundActions[] {
  const { operation, status, spec, calls, headers } = tally;
  if (spec === undefined || calls < ENOUGH_CALLS || !isSuccess({ status })) return [];
  const known = new Set(spec.headers.map(({ name }) => name));
  const added = [...headers.values()].filter(
    (one) => one.calls === calls && !known.has(one.name) && !general.has(one.name) && OWN_HEADERS.test(one.name),
  );
  if (added.length === 0) return [];
  const at = spec.response.source;
  const names = added.map(({ name }) => name).join(', ');
  const description = `${nameOperation(operation)} (${status}) has the header${added.length === 1 ? '' : 's'} ${names}, which the spec does not document: ${countOf(calls, 'call', calls)} ${describeDays(tally)}.`;
  const update = { headers: Object.fromEntries(added.map((one) => [one.name, writeHeader(one, api)])) };
  return [{ at, actions: [{ target: toJsonPath(at.pointer), description, update }], uncertain: 0 }];
}

function writeHeader({ shape }: HeaderTally, { dialect }: Api): Readonly<Record<string, unknown>> {
  const schema = schemaFromShape(shape, dialect);
  return dialect === 'openapi-2.0' ? schema : { schema };
}
