import type { Api } from '../../model/api.js';
import { toCommentText, toStringLiteral } from '../../model/identifiers.js';
import type { EmitOptions } from '../emitter.js';
import { helperErrors } from '../helpers/emit-helpers.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { clientTypeName } from '../type-names.js';
import { type CredentialView, listCredentials } from './credential-views.js';

/** Errors that the output exports, unless a schema has the same name. */
const PUBLIC_CLASSES = ['ApiError', 'MalformedBodyError', 'NetworkError', 'TimeoutError'];

/** The runtime modules of every client. */
export function clientModules(options: EmitOptions): string[] {
  return ['client', 'context', 'errors', ...(options.emitters.has('validators') ? ['validation'] : [])];
}

/** The view of `client.ts`. */
export function viewClient(api: Api, options: EmitOptions, helpers: Helpers): object {
  const name = clientTypeName(options.apiName);
  const [credential] = listCredentials(api);
  return {
    name,
    title: toCommentText(api.title).replaceAll(/\s+/g, ' ').trim() || name,
    validates: options.emitters.has('validators'),
    hasHelpers: helpers.functions.length > 0 || helpers.limits !== undefined,
    helpers: helpers.functions.map(({ name: helper }) => helper),
    helperNames: helpers.functions.map(({ name: helper }) => toStringLiteral(helper)).join(' | '),
    limits: helpers.limits?.name,
    helperErrors: helperErrors(helpers, api),
    classes: PUBLIC_CLASSES.filter((own) => !api.schemas.has(own)).join(', '),
    // These two are printed in comments, where a literal is not safe yet.
    example:
      credential === undefined
        ? ''
        : toCommentText(`, credentials: { ${credential.key}: ${EXAMPLES[credential.type]} }`),
    operation: toCommentText(toStringLiteral(api.operations[0]?.name ?? '')),
  };
}

const EXAMPLES: Readonly<Record<CredentialView['type'], string>> = {
  BasicCredentials: '{ username, password }',
  SubAccountCredentials: '{ key, secret }',
  Secret: 'token',
};
