import type { EmitterApi, EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import { credentialType } from './print-security.js';

interface HeadScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit;
  readonly isImplemented: (operation: EmitterOperation) => boolean;
}

/** Prints the types of handlers and replies. */
export function printHead(scope: HeadScope, isStrict: boolean): string {
  const { api, kit, isImplemented } = scope;
  const { api: name } = kit.names;
  const operations = api.operations.filter(isImplemented);
  return [
    `import type { ${name}Operations } from './types.js';\n`,
    "export { ServerError } from '" + kit.runtime('server') + "';\n",
    `type Op = keyof ${name}Operations & string;\n`,
    `/** What the handler of an operation returns: a documented status with its body and headers. */
export type ${name}Reply<Name extends Op> = rt.Reply<${name}Operations[Name]>;\n`,
    ...api.operations.map((operation) => printRequest(operation, kit)),
    `/** The handlers of the API. \`Env\` is what the context of each has, such as \`{ identity: User }\`. */
export interface ${name}Handlers<Env = unknown> {
${operations.map((operation) => printHandler(operation, kit)).join('')}}\n`,
    ...(isStrict
      ? []
      : [
          `/** The handlers of some operations; all others answer 501. */
export type ${name}SomeHandlers<Env = unknown> = {
  readonly [Name in keyof ${name}Handlers]?: ${name}Handlers<Env>[Name];
};\n`,
        ]),
    `/** Makes replies: \`reply.getOrder(404, { … })\`. */
export const reply: { readonly [Name in Op]: rt.MakeReply<${name}Reply<Name>> } = /* @__PURE__ */ rt.makeReplies(${kit.print.literal(api.operations.map((one) => one.name))});\n`,
    ...printAuthentication(operations, scope),
  ].join('\n');
}

function requestType(operation: EmitterOperation, { names }: EmitterKit): string {
  return names.operation(operation).prefixed('', 'ServerRequest');
}

function printRequest(operation: EmitterOperation, kit: EmitterKit): string {
  const comment = kit.print.comment(`The request of \`${operation.name}\`, as its handler receives it.`);
  const { api } = kit.names;
  // A client may fill in a required header, such as an idempotency key.
  const headers = operation.parameters.filter((one) => one.in === 'header' && one.required);
  const given =
    headers.length === 0 ? '' : ` & rt.GivenHeaders<${headers.map((one) => kit.print.literal(one.name)).join(' | ')}>`;
  return `${comment}export type ${requestType(operation, kit)} = rt.ServerRequest<${api}Operations['${operation.name}']['request']>${given};\n`;
}

function printHandler(operation: EmitterOperation, kit: EmitterKit): string {
  const { names, print } = kit;
  const { name, summary, method, path } = operation;
  const comment = print.comment(summary, `\`${method.toUpperCase()} ${path}\``).replace(/^(?=.)/gm, '  ');
  const env = isOpen(operation) ? 'rt.MaybeIdentity<Env>' : 'Env';
  const result = `${names.api}Reply<'${name}'>`;
  return `${comment}  readonly ${name}: (request: ${requestType(operation, kit)}, context: rt.ServerContext & ${env}) => ${result} | Promise<${result}>;\n`;
}

/** Whether an operation can be called without a credential. */
function isOpen({ security }: EmitterOperation): boolean {
  return security.length === 0 || security.some((one) => Object.keys(one).length === 0);
}

function printAuthentication(operations: readonly EmitterOperation[], { api, kit }: HeadScope): string[] {
  const { names, print } = kit;
  const used = new Set(operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one))));
  const options = `${names.api}ServerOptions`;
  if (used.size === 0)
    return [
      `/** The options of the server. */\nexport type ${options}<Identity = unknown> = rt.ServerOptions & { readonly authenticate?: Readonly<Record<string, rt.Authenticate<never, Identity>>> };\n`,
    ];
  const members = [...used].map((scheme) => {
    const comment = print.comment(api.securitySchemes.get(scheme)?.description).replace(/^(?=.)/gm, '  ');
    return `${comment}  readonly ${print.key(scheme)}: rt.Authenticate<${credentialType(api.securitySchemes.get(scheme))}, Identity>;\n`;
  });
  return [
    `/** Checks credentials, by name of the security scheme: returns whose they are, or \`undefined\`. */
export interface ${names.api}Authenticate<Identity = unknown> {
${members.join('')}}\n`,
    `/** The options of the server. */
export type ${options}<Identity = unknown> = rt.ServerOptions & { readonly authenticate: ${names.api}Authenticate<Identity> };\n`,
  ];
}
