import { getOrInsert } from '../../model/maps.js';
import type { Api, MediaType, Operation } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import { mediaTypeEssence } from '../../runtime/media-type.js';
import { applicableParts } from '../../schema/facts/parts.js';

/** The direction of a message. */
export type MessageSide = 'request' | 'response';

/** Which headers, fields and members of an API carry credentials: the only list, for journals, recordings and reports. */
export interface SecretNames {
  readonly hasHeader: (name: string) => boolean;
  /** A parameter of a query or a fragment, a cookie, or a field of a form. */
  readonly hasField: (name: string) => boolean;
  /** The members of bodies; without a known operation those of all operations. */
  readonly membersOf: (operationId: string | undefined, side: MessageSide) => SecretMembers;
}

export interface SecretMembers {
  readonly has: (name: string) => boolean;
  /** Whether a body of this `Content-Type` is secret as a whole. */
  readonly isWhole: (contentType: string) => boolean;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authentication-info',
  'proxy-authentication-info',
  'x-forwarded-client-cert',
  'x-client-cert',
  'ssl-client-cert',
  'x-amz-credential',
]);
/** `X-Auth-Token`, `Ocp-Apim-Subscription-Key`, `Set-Cookie`, `X-Forwarded-Access-Token`. */
const SECRET_WORDS =
  /(?:^|[-_])(?:auth|authorization|cookie|token|secret|password|passwd|credentials?|jwt|api-?key|(?:access|private|secret|subscription|session|master|account|client)-key|session(?:-?id)?)$/;
/** Tokens that say where a list or a stream goes on, or what was sent before. */
const HARMLESS_WORDS = /(?:page|next|continuation|sync|cursor|resume|upload)-token$|(?:^|-)www-auth/;

/** OAuth 2.0 (RFC 6749, 6750, 7009, 7521, 7636, 8628), log-ins, and the signed URLs of object stores; see {@link plain}. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'sessiontoken',
  'bearertoken',
  'securitytoken',
  'idtokenhint',
  'clientsecret',
  'clientassertion',
  'assertion',
  'subjecttoken',
  'actortoken',
  'codeverifier',
  'devicecode',
  'password',
  'passwd',
  'newpassword',
  'oldpassword',
  'currentpassword',
  'apikey',
  'xapikey',
  'privatekey',
  'secretkey',
  'secretaccesskey',
  'jwt',
  'xamzsignature',
  'xamzsecuritytoken',
  'xamzcredential',
  'xgoogsignature',
  'xgoogcredential',
]);
/** Too common among members of JSON, but a credential in a query or a form (RFC 7009, section 2.1; shared access signatures). */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([...SECRET_FIELDS, 'token', 'sig', 'signature']);

/** Whether a header carries a credential by its name alone. */
function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_HEADERS.has(lower) || (SECRET_WORDS.test(lower) && !HARMLESS_WORDS.test(lower));
}

/** Whether a parameter or a field of a form carries a credential by its name alone. */
export function isSecretField(name: string): boolean {
  return SECRET_PARAMETERS.has(plain(name));
}

/** Knows the usual names, those that the security schemes of the API give, and what its schemas mark as `format: password`. */
export function findSecretNames(api: Api): SecretNames {
  const keys = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme] : []));
  const headers = new Set(keys.flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : [])));
  const fields = new Set(keys.flatMap(({ in: place, name }) => (place === 'header' ? [] : [name.toLowerCase()])));
  for (const { parameters } of api.operations)
    for (const { name, in: place, schema } of parameters)
      if (typeof schema === 'object' && schema.format === 'password')
        (place === 'header' ? headers : fields).add(name.toLowerCase());
  return {
    hasHeader: (name) => headers.has(name.toLowerCase()) || isSecretHeader(name),
    // Spelt in another case it is no credential to the API, but still a secret.
    hasField: (name) => fields.has(name.toLowerCase()) || isSecretField(name),
    membersOf: rememberMembers(api),
  };
}

/** Names differ in case and in what is between their words: `access_token`, `accessToken`. */
function plain(name: string): string {
  return name.replaceAll(/[-_.]/g, '').toLowerCase();
}

/** Schemas are read when the first body of an operation is shown. */
function rememberMembers(api: Api): SecretNames['membersOf'] {
  const known = new Map<string, SecretMembers>();
  const operations = new Map(api.operations.map((operation) => [operation.id, operation]));
  return (operationId, side) => {
    const operation = operations.get(operationId ?? '');
    const key = `${side} ${operation?.id ?? ''}`;
    return getOrInsert(known, key, () => findMembers(api, operation, side));
  };
}

function findMembers(api: Api, operation: Operation | undefined, side: MessageSide): SecretMembers {
  const contents = (operation === undefined ? api.operations : [operation]).flatMap((one) => contentsOf(one, side));
  const messages = (operation === undefined ? api.operations : [operation]).flatMap(
    (one) => findMessageSchema(api, one, side === 'request' ? 'client' : 'server') ?? [],
  );
  const names = findPasswordMembers([...contents.flatMap(schemasOf), ...messages], api);
  const whole =
    operation === undefined
      ? []
      : contents.filter((one) => schemasOf(one).some((schema) => holdsPassword(schema, api)));
  const types = new Set(whole.map(({ mediaType }) => mediaTypeEssence(mediaType)));
  return {
    has: (name) => names.has(name) || SECRET_FIELDS.has(plain(name)),
    isWhole: (contentType) => types.has(mediaTypeEssence(contentType)),
  };
}

function contentsOf({ body, responses }: Operation, side: MessageSide): readonly MediaType[] {
  return side === 'request' ? (body?.content ?? []) : responses.flatMap(({ content }) => content);
}

function schemasOf({ schema, sequence }: MediaType): Schema[] {
  return [schema, sequence?.schema].filter((one) => one !== undefined);
}

/**
 * The names of the members that hold what schemas mark as `format: password`, wherever in a body they are. Names are
 * enough, and also apply to a body that does not match its schema or is cut off.
 */
function findPasswordMembers(schemas: readonly Schema[], api: Api): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<SchemaObject>();
  const open: Schema[] = [...schemas];
  while (open.length > 0) {
    for (const part of applicableParts(open.pop() ?? true, api)) {
      if (seen.has(part)) continue;
      seen.add(part);
      for (const [name, member] of Object.entries(part.properties ?? {})) {
        if (holdsPassword(member, api)) names.add(name);
        open.push(member);
      }
      open.push(...unnamedChildren(part));
    }
  }
  return names;
}

/** Whether a value is a password, or a list or map of them, without the name of a member. */
function holdsPassword(schema: Schema, api: Api): boolean {
  const seen = new Set<SchemaObject>();
  const open: Schema[] = [schema];
  while (open.length > 0) {
    for (const part of applicableParts(open.pop() ?? true, api)) {
      if (part.format === 'password') return true;
      if (!seen.has(part)) open.push(...unnamedChildren(part));
      seen.add(part);
    }
  }
  return false;
}

/** The schemas of items, and of members whose names a schema does not give. */
function unnamedChildren({ items, prefixItems, additionalProperties, patternProperties }: SchemaObject): Schema[] {
  const named = Object.values(patternProperties ?? {});
  return [items, ...(prefixItems ?? []), additionalProperties, ...named].filter((child) => child !== undefined);
}
