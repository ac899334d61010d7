import type { Api, Operation, Parameter, SecurityScheme } from '../../model/api.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { printRequestCodec } from '../client/call-codecs.js';
import { printRecord } from '../client/print-record.js';
import { printValue } from '../fixtures/print-value.js';
import { importValidators } from '../split-output.js';
import { allOperations } from '../type-names.js';
import { followRefs } from '../../schema/facts/parts.js';
import { nameValidators } from '../validators/name-validators.js';
import type { HelperFunction, HelperScope } from './helper-scope.js';

/** The webhooks and callbacks of an API: the requests that it sends. */
function listWebhooks(api: Api): Operation[] {
  const own = new Set(api.operations);
  return allOperations(api).filter((operation) => !own.has(operation));
}

/** The function that reads incoming webhooks, if the API sends any. */
export function planWebhooks(scope: HelperScope): HelperFunction | undefined {
  const { api, options } = scope;
  if (listWebhooks(api).length === 0) return undefined;
  const codecs = printCodecs(scope);
  const read = scope.use(codecs === undefined ? 'readWebhook' : 'readTypedWebhook');
  const name = scope.names.take('parseWebhook');
  const mapType = `${scope.namespace}.${scope.clientName}Webhooks`;
  const plans = printPlans(api, options.emitters?.has('validators') === true ? options.apiName : undefined);
  return {
    name,
    doc: 'Reads an incoming webhook: checks its signature, parses and validates it.\n\n@throws WebhookError if it is not signed with the secret, cannot be parsed or is invalid; TypeError without a secret, if the API description has a signature.',
    usage: `\`${name}(name, request, { secret? })\`: checks the signature of an incoming webhook, parses and validates it`,
    typeParameters: [`Name extends keyof ${mapType}`],
    parameters: [
      { name: 'name', type: 'Name' },
      { name: 'request', type: 'Request' },
      { name: 'options', type: scope.use('WebhookOptions'), isOptional: true },
    ],
    returnType: `Promise<${mapType}[Name]>`,
    code: `${read}(name, {\n${plans}  }, { request, options }${codecs === undefined ? '' : `, ${codecs}`})`,
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
    const loads = validator === undefined ? '' : `validator: async () => (await ${importValidators(api)}).${validator}`;
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
