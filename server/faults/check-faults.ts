import type { Api, Operation } from '../../model/api.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { loadControlApi } from '../../http/wire/control-api.js';
import { findResponse } from '../../http/response/response-spec.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { compilePattern } from '../../schema/compile-pattern.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { explainErrors } from '../../schema/explain-errors.js';
import type { Fault, FaultConditions, ValueTest } from './fault.js';
import { findTemplateProblem } from './render-template.js';

/** What is wrong with a list of faults. */
export interface FaultProblem {
  /** One plain sentence. */
  readonly message: string;
  /** JSON pointer into the list. */
  readonly pointer: string;
}

/** The names of all members; a missing one is a compile error. */
const MEMBERS: Readonly<Record<keyof Fault, true>> = {
  name: true,
  operationId: true,
  when: true,
  probability: true,
  status: true,
  headers: true,
  body: true,
  example: true,
  latencyMs: true,
  abort: true,
  times: true,
};

const PARTS: Readonly<Record<keyof FaultConditions, true>> = { path: true, query: true, headers: true, body: true };

const TESTS: Readonly<Record<keyof ValueTest, (value: unknown) => string | undefined>> = {
  equals: () => undefined,
  oneOf: (value) => (Array.isArray(value) ? undefined : 'must be a list of values'),
  matches: (value) =>
    typeof value === 'string' && compilePattern(value) !== undefined ? undefined : 'must be a regular expression',
  gt: checkBound,
  gte: checkBound,
  lt: checkBound,
  lte: checkBound,
  exists: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
};

function checkBound(value: unknown): string | undefined {
  return ['number', 'bigint', 'string'].includes(typeof value) ? undefined : 'must be a number or a text';
}

/** Returns the first violation of the schema of faults. */
export async function findFaultShapeProblem(faults: unknown): Promise<FaultProblem | undefined> {
  const control = await loadControlApi();
  const schema = { $ref: '#/$defs/Faults' };
  const errors = compileValidator(control, schema, { direction: 'request' })(faults);
  const [problem] = explainErrors(errors, { api: control, schema, value: faults });
  if (problem === undefined) return undefined;
  return { message: `${problem.pointer || 'The scenario'} ${problem.message}.`, pointer: problem.pointer };
}

/** Returns the first thing in a list of faults that its schema cannot check, such as an unknown operation. */
export function findFaultProblem(faults: readonly Fault[], { operations }: Api): FaultProblem | undefined {
  for (const [index, fault] of faults.entries()) {
    const problem =
      findMemberProblem(fault, operations) ?? findConditionProblem(fault.when ?? {}) ?? findTemplateProblems(fault);
    if (problem !== undefined) return { ...problem, pointer: `/${index}${problem.pointer}` };
  }
  return undefined;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  return `${what} ${stringifyExactJson(name)}.${suggestName(name, known) || ` It has ${known.join(', ')}.`}`;
}

function findMemberProblem(fault: Fault, operations: readonly Operation[]): FaultProblem | undefined {
  const { operationId, example } = fault;
  const names = Object.keys(MEMBERS);
  const wrong = Object.keys(fault).find((name) => !names.includes(name));
  if (wrong !== undefined)
    return { message: unknown('A fault has no member', wrong, names), pointer: appendPointer('', wrong) };
  const meant = operations.filter(({ id }) => operationId === undefined || id === operationId);
  if (operationId !== undefined && meant.length === 0) {
    const suggestion = suggestName(
      operationId,
      operations.map(({ id }) => id),
    );
    return {
      message: `The API has no operation ${stringifyExactJson(operationId)}.${suggestion}`,
      pointer: '/operationId',
    };
  }
  if (example === undefined || meant.some((operation) => hasExample(operation, fault))) return undefined;
  return { message: `There is no response with the example ${stringifyExactJson(example)}.`, pointer: '/example' };
}

function hasExample(operation: Operation, { example, status }: Fault): boolean {
  const wanted = status === undefined ? operation.responses : [findResponse(operation, status) ?? []].flat();
  return wanted.some(({ content }) => content.some(({ examples }) => examples.some(({ name }) => name === example)));
}

function findConditionProblem(when: FaultConditions): FaultProblem | undefined {
  for (const [part, conditions] of Object.entries(when)) {
    const place = appendPointer('/when', part);
    if (!Object.hasOwn(PARTS, part))
      return { message: unknown('A request has no part', part, Object.keys(PARTS)), pointer: place };
    for (const [name, condition] of Object.entries(conditions as Readonly<Record<string, unknown>>)) {
      const problem = isRecord(condition) ? findTestProblem(condition, appendPointer(place, name)) : undefined;
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function findTestProblem(tests: Readonly<Record<string, unknown>>, place: string): FaultProblem | undefined {
  for (const [test, value] of Object.entries(tests)) {
    const pointer = appendPointer(place, test);
    const check = Object.hasOwn(TESTS, test) ? TESTS[test as keyof ValueTest] : undefined;
    if (check === undefined) {
      const hint = 'A member of an object is named by its JSON pointer, such as /customer/id.';
      return { message: `${unknown('There is no test', test, Object.keys(TESTS))} ${hint}`, pointer };
    }
    const problem = check(value);
    if (problem !== undefined) return { message: `The test ${test} ${problem}.`, pointer };
  }
  return undefined;
}

function findTemplateProblems({ headers, body }: Fault): FaultProblem | undefined {
  return findInTexts(headers, '/headers') ?? findInTexts(body, '/body');
}

function findInTexts(value: unknown, pointer: string): FaultProblem | undefined {
  if (typeof value === 'string') {
    const problem = value.includes('{{') ? findTemplateProblem(value) : undefined;
    return problem === undefined ? undefined : { message: `The text is no usable template: ${problem}`, pointer };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const problem = findInTexts(member, appendPointer(pointer, name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}
