import type { Api, SecurityScheme } from '../../model/api.js';
import { toCommentText, toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import type { EmitOptions } from '../emitter.js';
import { helperErrors } from '../helpers/emit-helpers.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { clientTypeName } from '../type-names.js';
import { printDocComment } from '../types/doc-comment.js';
import { credentialType } from './security-writers.js';

/** What the output exports for its users from the runtime, if no schema of the API has that name. */
const PUBLIC_CLASSES = ['ApiError', 'MalformedBodyError', 'NetworkError', 'TimeoutError'];

/** The runtime modules that `client.ts` and `context.ts` import. */
export function clientModules(api: Api, options: EmitOptions): string[] {
  const credentials = listCredentials(api).map(({ module }) => module);
  return [
    'bind-operations',
    'context',
    'errors',
    ...credentials,
    ...(options.emitters.has('validators') ? ['check-answer'] : []),
  ];
}

/** What `client.ts` says: the client, and what tells its errors apart. */
export function viewClient(api: Api, options: EmitOptions, helpers: Helpers): object {
  const name = clientTypeName(options.apiName);
  const [credential] = listCredentials(api);
  return {
    name,
    title: toCommentText(api.title).replaceAll(/\s+/g, ' ').trim() || name,
    validates: options.emitters.has('validators'),
    helpers: helpers.functions.length > 0,
    limits: helpers.limits?.name,
    helperErrors: helperErrors(helpers, api),
    classes: PUBLIC_CLASSES.filter((own) => !api.schemas.has(own)).join(', '),
    // These two stand in comments, where a literal is not safe yet.
    example:
      credential === undefined
        ? ''
        : toCommentText(`, credentials: { ${credential.key}: ${EXAMPLES[credential.type]} }`),
    operation: toCommentText(toStringLiteral(api.operations[0]?.name ?? '')),
  };
}

/** What `context.ts` says: the credentials of the API, and what its functions are called with. */
export function viewContext(api: Api, options: EmitOptions): object {
  const credentials = listCredentials(api);
  const imports = new Map(
    credentials.map(({ module }) => [
      module,
      credentials.filter((other) => other.module === module).map(({ type }) => type),
    ]),
  );
  return {
    name: clientTypeName(options.apiName),
    credentials,
    imports: [...imports].map(([module, types]) => ({ module, types: [...new Set(types)].toSorted().join(', ') })),
  };
}

interface CredentialView {
  readonly key: string;
  readonly type: CredentialType;
  /** The runtime module of the type. */
  readonly module: string;
  readonly doc: string;
}

type CredentialType = NonNullable<ReturnType<typeof credentialType>>;

const EXAMPLES: Readonly<Record<CredentialType, string>> = {
  BasicCredentials: '{ username, password }',
  SubAccountCredentials: '{ key, secret }',
  Secret: 'token',
};

function listCredentials(api: Api): CredentialView[] {
  return [...api.securitySchemes].flatMap(([id, scheme]) => {
    const type = credentialType(scheme);
    if (type === undefined) return [];
    const module = type === 'Secret' ? 'credentials-secret' : 'credentials-basic';
    return [
      {
        key: toPropertyKey(id),
        type,
        module,
        doc: printDocComment([scheme.description, describeScheme(scheme)], '  '),
      },
    ];
  });
}

function describeScheme(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey') return `Sent as \`${scheme.name.replaceAll('`', "'")}\` (${scheme.in}).`;
  if (scheme.type === 'http' && credentialType(scheme) === 'Secret') return 'Sent as `Authorization`.';
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
    ? 'An access token, sent as `Authorization: Bearer`.'
    : undefined;
}
