import type { OAuthFlow, SecurityRequirement, SecurityScheme } from '../api.js';
import { Cursor } from '../document/cursor.js';
import { splitPointer } from '../document/pointer.js';
import { isRecord, mapRecord, textsIn } from '../document/records.js';
import { type OpenApiReader, definedMembers } from './reader.js';

type KeyLocation = 'query' | 'header' | 'cookie';
const KEY_LOCATIONS: readonly KeyLocation[] = ['query', 'header', 'cookie'];
const OLD_TYPES = ['basic', 'apiKey', 'oauth2'];
const TYPES = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

/** The security schemes of a document: those that it declares, and those that it references by URI. */
export class DocumentSchemes {
  readonly all: Map<string, SecurityScheme> = new Map();
  readonly #version: OpenApiReader['version'];
  readonly #byPlace = new Map<string, string>();

  constructor({ root, version }: OpenApiReader) {
    this.#version = version;
    const owner = version === '2.0' ? root.at('securityDefinitions') : root.at('components').at('securitySchemes');
    for (const [name, raw] of owner.entries()) this.#add(name, raw.deref());
  }

  /** The name of the scheme that a requirement refers to; `undefined` if there is none. */
  find(name: string, cursor: Cursor): string | undefined {
    if (this.all.has(name)) return name;
    return this.#version === '3.2' ? this.#findByUri(name, cursor) : undefined;
  }

  /** The last segment of its URI becomes the name of the scheme, unless another scheme has it. */
  #findByUri(uri: string, { context, file }: Cursor): string | undefined {
    const target = context.resolver.resolve(uri, { file, resourcePointer: '' });
    if (target === undefined || !isRecord(target.value)) return undefined;
    const scheme = new Cursor(context, { file: target.file, above: target.pointer }, target.value).deref();
    const place = `${scheme.file}#${scheme.pointer}`;
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const word = splitPointer(scheme.pointer).at(-1) ?? uri;
    const name = this.all.has(word) ? uri : word;
    return this.#add(name, scheme) ? name : undefined;
  }

  #add(name: string, cursor: Cursor): boolean {
    const scheme = readScheme(name, cursor, this.#version);
    if (scheme === undefined) return false;
    this.all.set(name, scheme);
    this.#byPlace.set(`${cursor.file}#${cursor.pointer}`, name);
    return true;
  }
}

function readScheme(id: string, cursor: Cursor, version: OpenApiReader['version']): SecurityScheme | undefined {
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
      const place = KEY_LOCATIONS.find((one) => one === cursor.string('in'));
      if (place !== undefined) return { ...base, type: 'apiKey', in: place, name: cursor.string('name') ?? id };
      cursor.reportChoice('document-invalid', 'in', KEY_LOCATIONS);
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
      cursor.reportChoice('document-invalid', 'type', version === '2.0' ? OLD_TYPES : TYPES);
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

/** Reads `security`; `undefined` if it is absent, so that the document's own applies. */
export function readSecurity(owner: Cursor, schemes: DocumentSchemes): SecurityRequirement[] | undefined {
  if (!owner.has('security')) return undefined;
  return owner.itemsAt('security').map((alternative) =>
    Object.fromEntries(
      alternative.entries().map(([name, cursor]) => {
        const known = schemes.find(name, cursor);
        // The requirement is kept: a mock must not open an operation that the author protected.
        if (known === undefined)
          cursor.report('security-unknown', `The security scheme ${JSON.stringify(name)} is not declared.`);
        return [known ?? name, textsIn(cursor.value)];
      }),
    ),
  );
}
