import { hasNumber } from '../schema/facts/members.js';
import type { Api, Operation, Parameter, Server } from '../model/api.js';
import {
  lowerFirst,
  toLiteral,
  toMarkdownText,
  toMemberAccess,
  toPropertyKey,
  toStringLiteral,
} from '../model/identifiers.js';
import { groupParameters, mustBeGiven } from './request-values.js';
import { defaultServer, fillVariables } from './client/server-view.js';
import { credentialType } from './client/security-writers.js';
import type { EmitOptions, GeneratedFile } from './emitter.js';
import type { Helpers } from './helpers/read-helpers.js';
import { isLarge } from './split-output.js';
import { renderFile } from './templates.js';
import { baseUrlName, clientTypeName } from './type-names.js';

/** Emits `README.md`: how to use the output, with names of this API. */
export function emitReadme(api: Api, options: EmitOptions, helpers: Helpers): GeneratedFile {
  return renderFile('README.md', 'readme', readmeView(api, options, helpers));
}

function readmeView(api: Api, { apiName, emitters }: EmitOptions, { functions }: Helpers): object {
  const title = toMarkdownText(api.title) || apiName;
  const version = api.version === '' ? '' : `, version ${toMarkdownText(api.version)}`;
  const schema = exampleSchema(api);
  const operation = exampleOperation(api);
  const usages = functions.flatMap(({ usage }) => usage ?? []);
  return {
    title,
    apiName: ` ${apiName}`,
    intro: `TypeScript for ${title}${version}: ${describeParts(emitters)}. It needs nothing but the platform.`,
    client: emitters.has('client') && operation !== undefined ? clientView(api, apiName, operation) : undefined,
    helpers: emitters.has('client') && usages.length > 0 ? { lines: usages } : undefined,
    dataModules: isLarge(api)
      ? { validators: './validators.js', fixtures: './fixtures.js' }
      : { validators: './index.js', fixtures: './index.js' },
    validator:
      emitters.has('validators') && schema !== undefined
        ? { validate: `validate${schema}`, is: `is${schema}`, assert: `assert${schema}`, module: './validators.js' }
        : undefined,
    fixture: emitters.has('fixtures') && schema !== undefined ? { make: `${lowerFirst(schema)}Fixture` } : undefined,
  };
}

function describeParts(emitters: ReadonlySet<string>): string {
  const parts = [...emitters].map((name) => toMarkdownText(name));
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function clientView(api: Api, apiName: string, operation: Operation): object {
  const name = clientTypeName(apiName);
  const request = requestLiteral(operation);
  return {
    create: `create${name}Client`,
    construct: `const client = create${name}Client(${clientOptions(api, operation)});`,
    server: serverLines(api, apiName),
    call: `const { status, data } = await client${toMemberAccess(operation.name)}(${request});`,
    isError: `is${name}Error`,
    operation: toStringLiteral(operation.name),
  };
}

function clientOptions(api: Api, operation: Operation): string {
  const server = operation.servers[0] ?? api.servers[0];
  const isDefault = server !== undefined && server === defaultServer(api);
  const credentials = Object.keys(operation.security[0] ?? {}).flatMap((id) => {
    const literal = credentialLiteral(api, id);
    return literal === undefined ? [] : [`${toPropertyKey(id)}: ${literal}`];
  });
  const parts = isDefault ? [] : [`baseUrl: ${toStringLiteral(usualAddress(server))}`];
  if (credentials.length > 0) parts.push(`credentials: { ${credentials.join(', ')} }`);
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

const EXAMPLE_HOST = 'https://api.example.com';

/** The address of a server with the defaults of its variables; that of a relative server is on the example host. */
function usualAddress(server: Server | undefined): string {
  const url = server === undefined ? EXAMPLE_HOST : fillVariables(server);
  if (isAbsolute(url)) return url;
  return /[{}]/.test(url) || !URL.canParse(url, EXAMPLE_HOST) ? EXAMPLE_HOST : new URL(url, EXAMPLE_HOST).href;
}

function isAbsolute(url: string): boolean {
  return /^[a-z]+:/i.test(url);
}

/** Describes how to choose the server. */
function serverLines(api: Api, apiName: string): string {
  const server = defaultServer(api);
  if (server === undefined) return `${describeMissing(api.servers[0])}, so the option \`baseUrl\` is required.`;
  const [first] = Object.entries(server.variables);
  const variables =
    first === undefined
      ? ''
      : ` Its variables are the option \`server\`: \`{ server: { ${toPropertyKey(first[0])}: ${toStringLiteral(first[1].default)} } }\`.`;
  const address = usualAddress(server).replaceAll('`', '');
  return `Calls go to \`${address}\` (\`${baseUrlName(apiName)}\`).${variables} Another server: \`{ baseUrl: '${EXAMPLE_HOST}' }\`.`;
}

/** Says why there is no default server. Shows no unusable address, because it may contain credentials. */
function describeMissing(first: Server | undefined): string {
  // The model has this server where the document has none, as OpenAPI defines.
  if (first === undefined || first.url === '/') return 'The API description names no server';
  if (isAbsolute(first.url)) return 'A client cannot call the server of the API description';
  const path = first.url.replaceAll(/[`\s]+/g, ' ');
  return `The server of the API description is relative (\`${path}\`)`;
}

function credentialLiteral(api: Api, id: string): string | undefined {
  const scheme = api.securitySchemes.get(id);
  const type = scheme === undefined ? undefined : credentialType(scheme);
  return type === undefined ? undefined : CREDENTIAL_LITERALS[type];
}

const CREDENTIAL_LITERALS = {
  BasicCredentials: `{ username: 'me', password: 'my-password' }`,
  SubAccountCredentials: `{ key: 'my-key', secret: 'my-secret' }`,
  Secret: `'my-token'`,
} as const;

/** The operation whose call is shortest: one without a body if the API has one, with the fewest values. */
function exampleOperation(api: Api): Operation | undefined {
  const cost = (operation: Operation): number =>
    (operation.deprecated ? 100 : 0) +
    (operation.method === 'get' ? 0 : 5) +
    (operation.body?.required === true ? 50 : 0) +
    requiredParameters(operation).length;
  return api.operations.toSorted((a, b) => cost(a) - cost(b))[0];
}

function requestLiteral(operation: Operation): string {
  const groups = groupParameters({ parameters: requiredParameters(operation) }).map(([group, members]) => {
    const values = members.map((parameter) => `${toPropertyKey(parameter.name)}: ${valueLiteral(parameter)}`);
    return `${group}: { ${values.join(', ')} }`;
  });
  if (operation.body?.required === true) groups.push('body');
  return groups.length === 0 ? '' : `{ ${groups.join(', ')} }`;
}

function requiredParameters(operation: Operation): readonly Parameter[] {
  return operation.parameters.filter(mustBeGiven);
}

function valueLiteral({ schema, examples }: Parameter): string {
  const given = examples.find(({ value }) => value !== undefined)?.value;
  if (given !== undefined) return toLiteral(given);
  if (typeof schema === 'boolean') return `'value'`;
  const known = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (known !== undefined) return toLiteral(known);
  const types = new Set([schema.type ?? []].flat());
  if (hasNumber(types)) return String(schema.minimum ?? 1);
  return types.has('boolean') ? 'true' : `'value'`;
}

/** The schema for the example: the root, else the first object schema that is not named like an error. */
function exampleSchema(api: Api): string | undefined {
  if (api.rootSchema !== undefined) return api.rootSchema;
  const objects = [...api.schemas.values()].filter(
    ({ schema }) => typeof schema === 'object' && (schema.properties !== undefined || schema.type === 'object'),
  );
  return (objects.find(({ name }) => !/Error|Violation|Problem/.test(name)) ?? objects[0])?.name;
}
