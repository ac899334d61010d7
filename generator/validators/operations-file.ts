import type { ApiResponse, Operation } from '../../model/api.js';
import { toStringLiteral, toValueName } from '../../model/identifiers.js';
import { type Schema, refName } from '../../model/schema-types.js';
import type { PreparedUnit } from '../../schema/to-ajv.js';
import { requestView, responseView } from '../../schema/variants.js';
import { hashContent } from '../content-hash.js';
import type { GeneratedFile } from '../emitter.js';
import { checkName } from './check-printer.js';
import { FileScope } from './file-scope.js';
import { dataSchema, headersSchema, requestSchema } from './operation-schemas.js';
import { printHeader } from './print-header.js';
import { type ValidatorScope, preparePart } from './validator-scope.js';

/** The operations of one file. */
export interface OperationsPart {
  /** Path without ending below `validators/`: `operations`, or `operations/issues`. */
  readonly path: string;
  readonly operations: readonly Operation[];
}

/** A check that is called: that of a named view, or one in the same file. */
type CheckUse = { readonly view: string } | { readonly unit: PreparedUnit };

interface AnswerView {
  readonly status: string;
  readonly content: readonly (readonly [string, CheckUse | undefined])[];
  readonly headers: CheckUse | undefined;
}

interface OperationView {
  readonly names: { readonly requestType: string; readonly request: string; readonly response: string; readonly rules: string };
  readonly request: CheckUse;
  readonly answers: readonly AnswerView[];
}

/** The constant that holds what is checked of the answers of an operation. */
export function rulesName({ name }: Operation): string {
  return toValueName(`${name}Rules`);
}

/** A file with the validators of requests and responses. */
export function emitOperationsFile({ path, operations }: OperationsPart, scope: ValidatorScope): GeneratedFile {
  const views = operations.flatMap((operation) => viewOperation(operation, scope));
  const content = JSON.stringify(views, (_key, value: unknown) => (value instanceof Map ? [...value] : value instanceof Set ? [...value].map((ref) => [ref, scope.fileOf(String(ref))]) : value));
  return { path: `validators/${path}.ts`, key: hashContent(content), contents: () => printOperations(views, path.includes('/') ? '../' : './', scope) };
}

function viewOperation(operation: Operation, scope: ValidatorScope): OperationView[] {
  const names = scope.names.operations.get(operation);
  if (names === undefined) return [];
  const request = preparePart(requestView(requestSchema(operation), scope.api), operation, scope);
  const answers = operation.responses.map((response) => viewAnswer(response, operation, scope));
  return [{ names: { ...names, rules: rulesName(operation) }, request: { unit: request }, answers }];
}

function viewAnswer(response: ApiResponse, operation: Operation, scope: ValidatorScope): AnswerView {
  const use = (schema: Schema | undefined): CheckUse | undefined => (schema === undefined || schema === true ? undefined : viewCheck(responseView(schema, scope.api), operation, scope));
  return {
    status: response.status,
    content: response.content.map((media) => [media.mediaType, use(dataSchema(media))] as const),
    headers: use(headersSchema(response, scope.api)),
  };
}

/** A schema that only refers to a named one needs no check of its own. */
function viewCheck(view: Schema, operation: Operation, scope: ValidatorScope): CheckUse {
  const unit = preparePart(view, operation, scope);
  const [only, ...others] = typeof unit.schema === 'boolean' ? [] : Object.keys(unit.schema);
  return only === '$ref' && others.length === 0 ? { view: refName(String(Object(unit.schema).$ref)) } : { unit };
}

function printOperations(views: readonly OperationView[], folder: string, scope: ValidatorScope): string {
  const printer = new OperationsPrinter(scope);
  const sections = views.map((view) => printer.print(view));
  const types = views.map(({ names }) => names.requestType);
  const header = printHeader({ scope: printer.fileScope, types, root: folder === './' ? '../' : '../../', folder }, scope.fileOf);
  return [header, printer.fileScope.printConstants(), ...sections].filter((part) => part !== '').join('\n');
}

class OperationsPrinter {
  readonly fileScope: FileScope = new FileScope();
  readonly #scope: ValidatorScope;
  readonly #parts = new Map<string, string>();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
  }

  print({ names, request, answers }: OperationView): string {
    const code: string[] = [];
    const check = this.#nameOf(request, code);
    const rules = answers.map(({ status, content, headers }) => {
      const media = content.map(([mediaType, use]) => `[${[toStringLiteral(mediaType), ...(use === undefined ? [] : [this.#nameOf(use, code)])].join(', ')}]`);
      return `  [${[toStringLiteral(status), `[${media.join(', ')}]`, ...(headers === undefined ? [] : [this.#nameOf(headers, code)])].join(', ')}],\n`;
    });
    return `${code.join('')}export const ${names.rules}: readonly rt.ResponseRule[] = [\n${rules.join('')}];

/** A value as a \`${names.requestType}\`, or what is wrong with it. */
export function ${names.request}(request: unknown = {}): rt.ValidationResult<${names.requestType}> {
  return rt.validate(${check}, request);
}

/** An answer as it is documented, or what is wrong with it. */
export function ${names.response}<T extends rt.ResponseView>(response: T): rt.ValidationResult<T> {
  return rt.validateResponse(${names.rules}, response);
}
`;
  }

  /** The name of a check. One in this file is printed to `code` where there is none yet that says the same. */
  #nameOf(use: CheckUse, code: string[]): string {
    if ('view' in use) {
      this.fileScope.calls.add(use.view);
      return checkName(use.view);
    }
    const key = JSON.stringify([use.unit.schema, [...use.unit.locals].map(([name, local]) => [name, local.schema])]);
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const name = `part${this.#parts.size}`;
    this.#parts.set(key, name);
    code.push(this.#scope.printer.print(`function ${name}`, use.unit, this.fileScope));
    return name;
  }
}
