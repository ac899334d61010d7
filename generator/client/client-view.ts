import type { Api } from '../../model/api.js';
import { toCommentText, toStringLiteral } from '../../model/identifiers.js';
import type { EmitOptions } from '../emitter.js';
import { isItemStream } from '../media-kind.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { importValidators } from '../split-output.js';
import { clientTypeName, schemaTypeNames } from '../type-names.js';
import { type CredentialView, listCredentials } from './credential-views.js';
import type { ClientPlan, OperationGroup } from './group-operations.js';
import { printGroupTypes } from './print-groups.js';
import { viewServer } from './server-view.js';

/** Errors that the output exports, unless a schema has the same name. */
const PUBLIC_CLASSES = ['ApiError', 'MalformedBodyError', 'NetworkError', 'TimeoutError', 'safely'];

/** Types that the output exports, unless a schema has the same name. */
const PUBLIC_TYPES = ['Call', 'CallOptions', 'Middleware', 'RetryPolicy'];

/** Middleware that the output exports for calls without a client. */
const PUBLIC_MIDDLEWARE = ['attemptTimeouts', 'downloads', 'progress', 'renewals', 'retries'];

export function clientModules(api: Api, options: EmitOptions): string[] {
  return [
    'client',
    'context',
    'errors',
    'middleware',
    ...(usesTokens(api) ? ['oauth'] : []),
    ...(options.emitters.has('validators') ? ['validation'] : []),
  ];
}

function usesTokens({ securitySchemes }: Api): boolean {
  return [...securitySchemes.values()].some(({ type }) => type === 'oauth2' || type === 'openIdConnect');
}

/** The errors of helpers and streams, which users may catch. */
const ERRORS = [
  { name: 'BrokenStreamError', module: 'event-stream', isOf: ['event-stream', 'items'] },
  { name: 'PagingError', module: 'paging', isOf: ['paging'] },
  { name: 'SessionClosedError', module: 'live-session', isOf: ['live-session'] },
  { name: 'UploadError', module: 'upload-protocol', isOf: ['upload'] },
];

/** The errors that the client exports, with their modules, unless a schema has the same name. */
function thrownErrors({ methods, scope }: Helpers, api: Api): { readonly name: string; readonly module: string }[] {
  const hasItems = api.operations.some(({ responses }) => responses.some(({ content }) => content.some(isItemStream)));
  const modules = new Set([
    ...(methods.length === 0 ? [] : scope.imports.all.map(({ module }) => module)),
    ...(hasItems ? ['items'] : []),
  ]);
  return ERRORS.filter(({ name, isOf }) => isOf.some((one) => modules.has(one)) && !api.schemas.has(name));
}

/** The view of `client.ts`. */
export function viewClient(api: Api, options: EmitOptions, { helpers, groups }: ClientPlan): object {
  const name = clientTypeName(options.apiName);
  const [credential] = listCredentials(api);
  const server = viewServer(api, options.apiName);
  const taken = new Set([...schemaTypeNames(api), ...api.operations.map((operation) => operation.name)]);
  const isFree = (own: string): boolean => !taken.has(own);
  return {
    name,
    title: toCommentText(api.title).replaceAll(/\s+/g, ' ').trim() || name,
    validators: options.emitters.has('validators') ? importValidators(api) : undefined,
    ...viewGroups(groups, { api, name, helpers }),
    helpers: helpers.methods.map(({ name: helper }) => helper),
    helperNames: helpers.methods.map(({ name: helper }) => toStringLiteral(helper)).join(' | '),
    limits: helpers.limits,
    helperErrors: thrownErrors(helpers, api),
    classes: PUBLIC_CLASSES.filter(isFree).join(', '),
    types: PUBLIC_TYPES.filter(isFree).join(', '),
    middleware: PUBLIC_MIDDLEWARE.filter(isFree).join(', '),
    tokens: usesTokens(api) ? ['oauth2', 'OAuth2Error'].filter(isFree).join(', ') : '',
    server,
    serverVariables: server?.hasVariables ?? false,
    // These two are printed in comments, where a literal may still be unsafe.
    example: [
      ...(server === undefined ? ['baseUrl'] : []),
      ...(credential === undefined
        ? []
        : [toCommentText(`credentials: { ${credential.key}: ${EXAMPLES[credential.type]} }`)]),
    ].join(', '),
    operation: toCommentText(toStringLiteral(api.operations[0]?.name ?? '')),
  };
}

const EXAMPLES: Readonly<Record<CredentialView['type'], string>> = {
  BasicCredentials: '{ username, password }',
  SubAccountCredentials: '{ key, secret }',
  Secret: 'token',
};

/** The members of a grouped client: its groups, and the functions outside all groups. */
function viewGroups(
  groups: readonly OperationGroup[],
  { api, name, helpers }: { readonly api: Api; readonly name: string; readonly helpers: Helpers },
): object {
  const grouped = new Set(groups.flatMap(({ members }) => members.map(({ functionName }) => functionName)));
  const isLoose = (one: { readonly name: string }): boolean => !grouped.has(one.name);
  const loose = api.operations.filter((operation) => isLoose(operation) && !helpers.replaced.has(operation.name));
  return {
    groups: groups.map((group) => ({ ...group, types: printGroupTypes(group, `${name}Operations`) })),
    usesOperations: groups.length === 0 || loose.length > 0,
    hasHelpers: helpers.limits !== undefined || helpers.methods.some(isLoose),
    loose: loose.map((operation) => operation.name),
    looseNames: loose.map((operation) => toStringLiteral(operation.name)).join(' | '),
    looseHelpers: helpers.methods.filter(isLoose).map((helper) => helper.name),
    looseHelperNames: helpers.methods
      .filter(isLoose)
      .map((helper) => toStringLiteral(helper.name))
      .join(' | '),
  };
}
