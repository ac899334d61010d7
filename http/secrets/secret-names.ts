import { getOrInsert } from '../../model/maps.js';
import type { Api, MediaType, Operation } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import { mediaTypeEssence } from '../../runtime/media-type.js';
import { applicableParts } from '../../schema/facts/parts.js';

/** The direction of a message. */
export type MessageSide = 'request' | 'response';

/** The headers, fields and members of an API that carry credentials. Shared by journals, recordings and reports. */
export interface SecretNames {
  readonly hasHeader: (name: string) => boolean;
  /** Whether a parameter of a query or fragment, a cookie, or a form field carries a credential. */
  readonly hasField: (name: string) => boolean;
  /** Whether the API has a parameter or field `code` of its own. */
  readonly usesCode: boolean;
  /** The paths with parameters that are credentials, as segments: the secret ones are `undefined`, other parameters `{}`. */
  readonly secretPaths: readonly SecretPath[];
  /** Returns the secret members of bodies; without a known operation, those of all operations. */
  readonly membersOf: (operationId: string | undefined, side: MessageSide) => SecretMembers;
}

/** The segments of a path: a text, `{}` for any, or `undefined` for a credential. */
export type SecretPath = readonly (string | undefined)[];

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
  'dpop',
  'x-amzn-oidc-data',
  'x-amzn-oidc-accesstoken',
  'x-ms-client-principal',
]);
/** Matches headers such as `X-Auth-Token`, `Ocp-Apim-Subscription-Key`, `Set-Cookie` and `X-Forwarded-Access-Token`. */
const SECRET_WORDS =
  /(?:^|[-_])(?:auth|authorization|cookie|token|secret|password|passwd|pwd|passphrase|passcode|pin|otp|assertion|credentials?|jwt|api-?key|(?:access|private|secret|subscription|session|master|account|client)-key|session(?:-?id)?)$/;
/** Tokens that are not credentials: they continue a list, a stream or an upload. */
const HARMLESS_WORDS = /(?:page|next|continuation|sync|cursor|resume|upload)-token$|(?:^|-)www-auth/;

/** Names, as in {@link plain}, of OAuth 2.0 (RFC 6749, 6750, 7009, 7521, 7636, 8628), logins, and signed URLs. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'sessiontoken',
  'bearertoken',
  'securitytoken',
  'idtokenhint',
  'logouttoken',
  'registrationaccesstoken',
  'personalaccesstoken',
  'clientsecret',
  'clientassertion',
  'assertion',
  'samlresponse',
  'subjecttoken',
  'actortoken',
  'codeverifier',
  'devicecode',
  'usercode',
  'authorization',
  'proxyauthorization',
  'password',
  'passwd',
  'passphrase',
  'newpassword',
  'oldpassword',
  'currentpassword',
  'passcode',
  'pin',
  'otp',
  'totp',
  'dpop',
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
/** Names that credentials share with words of a tokenizer, flags and ids. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(['token', 'secret']);
/** Adds names that are common in JSON, but credentials in a query or form (RFC 7009, section 2.1; signed URLs). */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([...SECRET_FIELDS, ...SHARED_FIELDS, 'sig', 'signature']);

/** Whether the text of a member must show if it is a credential, because its name does not. */
export function hasSharedName(name: string): boolean {
  return SHARED_FIELDS.has(plain(name));
}

/** Whether a text is as long as a credential, and is not a sentence or a line. */
export function isOpaque(text: string): boolean {
  return text.length >= 16 && !/\s/.test(text) && /[\p{L}\d]/u.test(text);
}

/** Whether the name of a header shows that it carries a credential. */
function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_HEADERS.has(lower) || (SECRET_WORDS.test(lower) && !isHarmless(lower));
}

function isHarmless(words: string): boolean {
  return HARMLESS_WORDS.test(words.toLowerCase());
}

/** Whether the name of a parameter or form field shows that it carries a credential. */
export function isSecretField(name: string): boolean {
  return SECRET_PARAMETERS.has(plain(name));
}

/** Collects the usual names, those of the API's security schemes, and members with `format: password`. */
export function findSecretNames(api: Api): SecretNames {
  const keys = [...api.securitySchemes.values()].flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme] : []));
  const headers = new Set(keys.flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : [])));
  const fields = new Set(keys.flatMap(({ in: place, name }) => (place === 'header' ? [] : [name.toLowerCase()])));
  for (const { parameters, responses } of api.operations) {
    for (const { name, in: place, schema } of parameters) {
      // The members of an object may be parameters of their own.
      const inner = [...findPasswordMembers([schema], api)].map((member) => member.toLowerCase());
      if (inner.length === 0 && !holdsPassword(schema, api)) continue;
      for (const one of [name.toLowerCase(), ...inner]) (place === 'header' ? headers : fields).add(one);
    }
    for (const header of responses.flatMap((response) => response.headers))
      if (holdsPassword(header.schema, api)) headers.add(header.name.toLowerCase());
  }
  // Ignores letter case: a misspelt name is not a credential to the API, but its value is still secret.
  const hasOwn = (name: string): boolean => fields.has(name.toLowerCase());
  return {
    hasHeader: (name) => headers.has(name.toLowerCase()) || isSecretHeader(name),
    hasField: (name) => {
      if (hasOwn(name) || isSecretField(name)) return true;
      // The members of an object, as in `filter[password]`.
      const words = name.split(/[[\].]+/).filter((word) => word !== '');
      const [first = '', last = ''] = [words[0], words.at(-1)];
      return (
        words.length > 1 && (hasOwn(first) || hasOwn(last) || (isSecretField(last) && !isHarmless(words.join('-'))))
      );
    },
    usesCode: api.operations.some((operation) => hasCode(operation, api)),
    secretPaths: findSecretPaths(api),
    membersOf: rememberMembers(api),
  };
}

function hasCode({ parameters, body }: Operation, api: Api): boolean {
  const forms = (body?.content ?? []).filter(({ mediaType }) => /form/.test(mediaType)).flatMap(schemasOf);
  return (
    parameters.some(({ name }) => name === 'code') ||
    forms.some((schema) => applicableParts(schema, api).some((part) => Object.hasOwn(part.properties ?? {}, 'code')))
  );
}

function findSecretPaths(api: Api): SecretPath[] {
  return api.operations.flatMap(({ path, parameters }) => {
    const secret = parameters.filter(({ in: place, schema }) => place === 'path' && holdsPassword(schema, api));
    if (secret.length === 0) return [];
    const isSecret = (part: string): boolean => secret.some(({ name }) => part.includes(`{${name}}`));
    const parts = path.split('/').filter((part) => part !== '');
    return [parts.map((part) => (isSecret(part) ? undefined : part.includes('{') ? '{}' : part.toLowerCase()))];
  });
}

/** Removes differences in case and separators: `access_token`, `accessToken`. */
function plain(name: string): string {
  return name.replaceAll(/[-_.\s]/g, '').toLowerCase();
}

/** Reads the schemas of an operation when its first body is shown. */
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
  // A response may show what a request has sent, whatever its schema says.
  const both = (operation === undefined ? api.operations : [operation]).flatMap((one) => [
    ...contentsOf(one, 'request'),
    ...contentsOf(one, 'response'),
  ]);
  const names = findPasswordMembers([...both.flatMap(schemasOf), ...messages], api);
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
 * Finds the names of members with `format: password`, at any depth. Redacting by name also works for bodies that do not
 * match their schema or are cut off.
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
        if (holdsPassword(member, api)) for (const one of [name, ...xmlNames(member, api)]) names.add(one);
        open.push(member);
      }
      open.push(...unnamedChildren(part));
    }
  }
  return names;
}

/** The names of a member, and of the items of a list, in XML. */
function xmlNames(schema: Schema, api: Api): string[] {
  return applicableParts(schema, api).flatMap(({ xml, items }) => [
    ...(xml?.name === undefined ? [] : [xml.name]),
    ...(items === undefined ? [] : applicableParts(items, api).flatMap((part) => part.xml?.name ?? [])),
  ]);
}

/** Whether a value is a password, or a list or map of passwords. */
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

/** Returns the schemas of items, and of members that are not described by name. */
function unnamedChildren({ items, prefixItems, additionalProperties, patternProperties }: SchemaObject): Schema[] {
  const named = Object.values(patternProperties ?? {});
  return [items, ...(prefixItems ?? []), additionalProperties, ...named].filter((child) => child !== undefined);
}
