import type { OAuthFlow, SecurityRequirement, SecurityScheme } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { mapRecord, textsIn } from '../document/records.js';
import { type OpenApiReader, definedMembers } from './reader.js';

type KeyLocation = 'query' | 'header' | 'cookie';
const KEY_LOCATIONS: ReadonlySet<unknown> = new Set<KeyLocation>(['query', 'header', 'cookie']);

/** Reads the declared security schemes of any version. */
export function readSecuritySchemes(reader: OpenApiReader): Map<string, SecurityScheme> {
  const owner =
    reader.version === '2.0'
      ? reader.root.at('securityDefinitions')
      : reader.root.at('components').at('securitySchemes');
  const schemes = new Map<string, SecurityScheme>();
  for (const [name, raw] of owner.entries()) {
    const scheme = readScheme(name, raw.deref());
    if (scheme !== undefined) schemes.set(name, scheme);
  }
  return schemes;
}

function readScheme(id: string, cursor: Cursor): SecurityScheme | undefined {
  if (!cursor.exists) return undefined;
  const base = {
    id,
    ...definedMembers({ description: cursor.string('description') }),
    deprecated: cursor.boolean('deprecated') ?? false,
    extensions: cursor.extensions,
    source: cursor.source,
  };
  switch (cursor.string('type')) {
    case 'basic':
      return { ...base, type: 'http', scheme: 'basic' };
    case 'http':
      return {
        ...base,
        type: 'http',
        scheme: (cursor.string('scheme') ?? 'basic').toLowerCase(),
        ...definedMembers({ bearerFormat: cursor.string('bearerFormat') }),
      };
    case 'apiKey': {
      const place = cursor.string('in');
      if (KEY_LOCATIONS.has(place))
        return { ...base, type: 'apiKey', in: place as KeyLocation, name: cursor.string('name') ?? id };
      cursor.report('document-shape', 'An apiKey scheme must be in query, header or cookie.');
      return undefined;
    }
    case 'oauth2':
      return {
        ...base,
        type: 'oauth2',
        flows: readFlows(cursor),
        ...definedMembers({ metadataUrl: cursor.string('oauth2MetadataUrl') }),
      };
    case 'openIdConnect':
      return { ...base, type: 'openIdConnect', openIdConnectUrl: cursor.string('openIdConnectUrl') ?? '' };
    case 'mutualTLS':
      return { ...base, type: 'mutualTLS' };
    default:
      cursor.report(
        'document-shape',
        'The type of a security scheme must be apiKey, http, oauth2, openIdConnect or mutualTLS.',
      );
      return undefined;
  }
}

const OLD_FLOWS: Readonly<Record<string, string>> = {
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

function readFlows(cursor: Cursor): Record<string, OAuthFlow> {
  const oldFlow = cursor.string('flow');
  if (oldFlow !== undefined) return { [OLD_FLOWS[oldFlow] ?? oldFlow]: readFlow(cursor) };
  return Object.fromEntries(
    cursor
      .at('flows')
      .members()
      .map(([name, flow]) => [name, readFlow(flow)]),
  );
}

function readFlow(cursor: Cursor): OAuthFlow {
  return {
    ...definedMembers({
      authorizationUrl: cursor.string('authorizationUrl'),
      tokenUrl: cursor.string('tokenUrl'),
      refreshUrl: cursor.string('refreshUrl'),
      deviceAuthorizationUrl: cursor.string('deviceAuthorizationUrl'),
    }),
    scopes: mapRecord(cursor.at('scopes').record, (text) => (typeof text === 'string' ? text : '')),
  };
}

/** Reads `security`; `undefined` where it is not given, so that the document's own applies. */
export function readSecurity(
  owner: Cursor,
  schemes: ReadonlyMap<string, SecurityScheme>,
): SecurityRequirement[] | undefined {
  if (!owner.has('security')) return undefined;
  return owner.itemsAt('security').map((alternative) => {
    for (const [name, cursor] of alternative.entries()) {
      if (!schemes.has(name))
        cursor.report('security-unknown', `The security scheme ${JSON.stringify(name)} is not declared.`);
    }
    return mapRecord(alternative.record, textsIn);
  });
}
