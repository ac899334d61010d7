import type { Operation } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { type Schema, refName } from '../../model/schema-types.js';
import type { AjvSchema } from '../../schema/ajv-schema.js';
import type { PreparedUnit } from '../../schema/to-ajv.js';
import { requestView, responseView } from '../../schema/variants.js';
import { hashContent } from '../../model/content-hash.js';
import type { GeneratedFile } from '../emitter.js';
import { checkName } from './check-printer.js';
import { FileScope } from './file-scope.js';
import { dataSchema, headersSchema, requestSchema } from './operation-schemas.js';
import { printHeader } from './print-header.js';
import { type ValidatorScope, preparePart, unitKey } from './validator-scope.js';

/** The operations of one file. */
export interface OperationsPart {
  /** Path without ending below `validators/`: `operations`, or `operations/issues`. */
  readonly path: string;
  readonly views: readonly OperationView[];
}

interface AnswerView {
  readonly status: string;
  readonly content: readonly (readonly [string, PreparedUnit | undefined])[];
  readonly headers: PreparedUnit | undefined;
}

/** An operation with all that is checked of it. */
export interface OperationView {
  readonly operation: Operation;
  readonly request: PreparedUnit;
  readonly answers: readonly AnswerView[];
}

/** The constant that holds what is checked of the answers of an operation. */
export function rulesName({ name }: Operation): string {
  return `${name}Rules`;
}

export function viewOperation(operation: Operation, scope: ValidatorScope): OperationView {
  const prepare = (schema: Schema | undefined): PreparedUnit | undefined => {
    return schema === undefined || schema === true
      ? undefined
      : preparePart(responseView(schema, scope.api), operation, scope);
  };
  return {
    operation,
    request: preparePart(requestView(requestSchema(operation), scope.api), operation, scope),
    answers: operation.responses.map((response) => ({
      status: response.status,
      content: response.content.map((media) => [media.mediaType, prepare(dataSchema(media))] as const),
      headers: prepare(headersSchema(response, scope.api)),
    })),
  };
}

/** The view with each unit changed. */
export function mapUnits(
  { operation, request, answers }: OperationView,
  change: (unit: PreparedUnit) => PreparedUnit,
): OperationView {
  const changeUnit = (unit: PreparedUnit | undefined): PreparedUnit | undefined =>
    unit === undefined ? undefined : change(unit);
  const changed = answers.map(({ status, content, headers }) => {
    return {
      status,
      content: content.map(([mediaType, unit]) => [mediaType, changeUnit(unit)] as const),
      headers: changeUnit(headers),
    };
  });
  return { operation, request: change(request), answers: changed };
}

/** A file with the validators of requests and responses. */
export function emitOperationsFile({ path, views }: OperationsPart, scope: ValidatorScope): GeneratedFile {
  const content = views.map(({ operation, request, answers }) => {
    const units = answers.map(({ status, content: media, headers }) => {
      return [
        status,
        media.map(([mediaType, unit]) => [mediaType, unit && unitKey(unit, scope)]),
        headers && unitKey(headers, scope),
      ];
    });
    return [scope.names.operations.get(operation), rulesName(operation), unitKey(request, scope), units];
  });
  return {
    path: `validators/${path}.ts`,
    key: hashContent(JSON.stringify(content)),
    contents: () => printOperations(views, path.includes('/') ? '../' : './', scope),
  };
}

function printOperations(views: readonly OperationView[], folder: string, scope: ValidatorScope): string {
  const printer = new OperationsPrinter(scope);
  const sections = views.map((view) => printer.print(view));
  const types = views.flatMap(({ operation }) => scope.names.operations.get(operation)?.requestType ?? []);
  const header = printHeader(
    { scope: printer.fileScope, types, root: folder === './' ? '../' : '../../', folder },
    scope.fileOf,
  );
  return [header, printer.fileScope.printConstants(), ...sections].filter((part) => part !== '').join('\n');
}

class OperationsPrinter {
  readonly fileScope: FileScope = new FileScope();
  readonly #scope: ValidatorScope;
  readonly #parts = new Map<string, string>();

  constructor(scope: ValidatorScope) {
    this.#scope = scope;
  }

  print({ operation, request, answers }: OperationView): string {
    const names = this.#scope.names.operations.get(operation);
    if (names === undefined) return '';
    const code: string[] = [];
    const check = this.#nameOf(request, code);
    const uses = (unit: PreparedUnit | undefined): string[] => (unit === undefined ? [] : [this.#nameOf(unit, code)]);
    const rules = answers.map(({ status, content, headers }) => {
      const media = content.map(([mediaType, unit]) => `[${[toStringLiteral(mediaType), ...uses(unit)].join(', ')}]`);
      return `  [${[toStringLiteral(status), `[${media.join(', ')}]`, ...uses(headers)].join(', ')}],\n`;
    });
    const constant = rulesName(operation);
    return `${code.join('')}export const ${constant}: readonly rt.ResponseRule[] = [\n${rules.join('')}];

/** A value as a \`${names.requestType}\`, or what is wrong with it. */
export function ${names.request}(request: unknown = {}): rt.ValidationResult<${names.requestType}> {
  return rt.validate(${check}, request);
}

/** An answer as it is documented, or what is wrong with it. */
export function ${names.response}<T extends rt.ResponseView>(response: T): rt.ValidationResult<T> {
  return rt.validateResponse(${constant}, response);
}
`;
  }

  /** The name of the check of a unit. It is printed to `code`, unless it is that of another file or there is one that says the same. */
  #nameOf(unit: PreparedUnit, code: string[]): string {
    const called = calledBy(unit.schema);
    if (called !== undefined) {
      this.fileScope.calls.add(called);
      return checkName(called);
    }
    const key = JSON.stringify(unitKey(unit, this.#scope));
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const name = `part${this.#parts.size}`;
    this.#parts.set(key, name);
    code.push(this.#scope.printer.print(`function ${name}`, unit, this.fileScope));
    return name;
  }
}

/** The name of the view that a schema refers to, where it does nothing else. */
function calledBy(schema: AjvSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const { $ref, ...rest } = schema;
  return typeof $ref === 'string' && Object.keys(rest).length === 0 && !$ref.includes('~') ? refName($ref) : undefined;
}
