import type { Api, Operation, Parameter, SecurityScheme } from '../../model/api.js';
import { type NameAllocator, toPropertyKey } from '../../model/identifiers.js';
import { printRequestCodec } from '../client/call-codecs.js';
import { printRecord } from '../client/print-record.js';
import { printValue } from '../fixtures/print-value.js';
import { allOperations } from '../type-names.js';
import { followRefs } from '../../schema/facts/parts.js';
import { nameValidators } from '../validators/name-validators.js';
import type { HelperScope } from './helper-scope.js';

/** The function that reads incoming webhooks. */
export interface WebhookView {
  readonly name: string;
  /** Local name of the type of its options. */
  readonly optionsType: string;
  /** The type of the requests by name, as a member of the namespace of types. */
  readonly mapType: string;
  /** The expression that it returns, with or without validation. */
  readonly code: (validates: boolean) => string;
}

/** The webhooks and callbacks of an API: the requests that it sends. */
function listWebhooks(api: Api): Operation[] {
  const own = new Set(api.operations);
  return allOperations(api).filter((operation) => !own.has(operation));
}

export function readWebhooks(scope: HelperScope, names: NameAllocator, apiName: string): WebhookView | undefined {
  const { api, imports } = scope;
  if (listWebhooks(api).length === 0) return undefined;
  const codecs = printCodecs(scope);
  const read = imports.use(codecs === undefined ? 'readWebhook' : 'readTypedWebhook');
  return {
    name: names.take('parseWebhook'),
    optionsType: imports.use('WebhookOptions'),
    mapType: `${scope.namespace}.${scope.clientName}Webhooks`,
    code: (validates) =>
      `${read}(name, {\n${printPlans(api, validates ? apiName : undefined)}  }, { request, options }${codecs === undefined ? '' : `, ${codecs}`})`,
  };
}

/** How the values of webhooks are converted, if some are. */
function printCodecs({ api, codecs, imports }: HelperScope): string | undefined {
  if (codecs === undefined) return undefined;
  const own = listWebhooks(api).flatMap((webhook) => {
    const code = printRequestCodec(webhook, codecs);
    return code === undefined ? [] : [[webhook.name, code] as const];
  });
  const record = printRecord(own, '    ');
  if (record === undefined) return undefined;
  return `{ codecs: ${record}${codecs.types.int64 === 'number' ? '' : `, parse: ${imports.use('parseExactJson')}`} }`;
}

/** Prints the plan of each webhook, by name. `apiName` is the API of the validators; `undefined` for no validators. */
function printPlans(api: Api, apiName: string | undefined): string {
  const validators = apiName === undefined ? undefined : nameValidators(api, apiName).operations;
  const plans = listWebhooks(api).map((webhook) => {
    const validator = validators?.get(webhook)?.request;
    const loads =
      validator === undefined ? '' : `validator: async () => (await import('./validators.js')).${validator}`;
    const plan = printValue(planOf(webhook, api), '    ');
    const members = [plan.slice(1, -1).trim().replace(/,$/, ''), loads].filter((text) => text !== '').join(', ');
    return `    ${toPropertyKey(webhook.name)}: { ${members} },\n`;
  });
  return plans.join('');
}

/** The plan that the runtime needs for a webhook: see `WebhookPlan` in runtime/helpers.ts. */
function planOf(webhook: Operation, api: Api): object {
  const signature = findSignature(webhook, api);
  const kinds = (place: string): object =>
    Object.fromEntries(webhook.parameters.filter((one) => one.in === place).map((one) => [one.name, kindOf(one, api)]));
  const [headers, query] = [kinds('header'), kinds('query')];
  return {
    ...(signature === undefined ? {} : { signature }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
  };
}

/** The signature header: the header of an API key in the security of the webhook. */
function findSignature({ security }: Operation, { securitySchemes }: Api): string | undefined {
  const isHeader = (scheme: SecurityScheme | undefined): scheme is SecurityScheme & { readonly name: string } =>
    scheme?.type === 'apiKey' && scheme.in === 'header';
  const schemes = security.flatMap((one) => Object.keys(one)).map((id) => securitySchemes.get(id));
  return schemes.find(isHeader)?.name;
}

function kindOf({ schema }: Parameter, api: Api): 'string' | 'number' | 'boolean' {
  const type = followRefs(schema, api)?.type;
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** The members of the type of webhooks by name. */
export function printWebhookMap(api: Api, client: string, typeOf: (webhook: Operation) => string | undefined): string {
  const webhooks = listWebhooks(api);
  if (webhooks.length === 0) return '';
  const members = webhooks.map((one) => `  ${toPropertyKey(one.name)}: ${typeOf(one) ?? 'object'};\n`);
  return `/** The requests that the API sends, by the name of the webhook or callback. */\nexport type ${client}Webhooks = {\n${members.join('')}};\n`;
}
