import { isRecord, numberOf } from 'specmill/mock';

import type {
  FunctionCall,
  FunctionCallingConfig,
  FunctionDeclaration,
  Tool,
} from '../../generated/generation/types.js';
import { checkJsonSchema } from './check-json-schema.js';
import { readJsonSchema, readUpperCaseSchema } from './data-schema.js';
import { refuseAt } from './refusal.js';
import { makeData } from './structured-response.js';
import type { LastTurn } from './triggers.js';

/** The functions that may be called, and whether one must be. */
export interface FunctionChoice {
  readonly functions: readonly { readonly declaration: FunctionDeclaration; readonly pointer: string }[];
  readonly mode: 'AUTO' | 'ANY' | 'NONE';
}

/**
 * Reads which functions may be called.
 *
 * @throws HttpError if the mode requires undeclared functions, or a schema is invalid.
 */
export function readFunctionChoice(tools: readonly Tool[], config: FunctionCallingConfig = {}): FunctionChoice {
  const declared = tools.flatMap(({ functionDeclarations = [] }, tool) =>
    functionDeclarations.map((declaration, index) => ({
      declaration,
      pointer: `/tools/${tool}/functionDeclarations/${index}`,
    })),
  );
  for (const { declaration, pointer } of declared) checkSchemas(declaration, pointer);
  const { allowedFunctionNames: allowed = [], mode = 'AUTO' } = config;
  const unknown = allowed.find((name) => !declared.some(({ declaration }) => declaration.name === name));
  const pointer = '/toolConfig/functionCallingConfig/allowedFunctionNames';
  if (unknown !== undefined)
    throw refuseAt(`No function ${unknown} is declared.`, pointer, 'must name declared functions');
  if (mode === 'ANY' && declared.length === 0)
    throw refuseAt(
      'Mode ANY needs a function declaration.',
      '/toolConfig/functionCallingConfig/mode',
      'must NOT be ANY without function declarations',
    );
  const functions =
    allowed.length === 0 ? declared : declared.filter(({ declaration }) => allowed.includes(declaration.name));
  return { functions, mode: mode === 'ANY' || mode === 'NONE' ? mode : 'AUTO' };
}

function checkSchemas({ parametersJsonSchema, responseJsonSchema }: FunctionDeclaration, pointer: string): void {
  for (const [name, schema] of Object.entries({ parametersJsonSchema, responseJsonSchema }))
    if (schema !== undefined) checkJsonSchema(schema, `${pointer}/${name}`);
}

/**
 * Returns the function call that the mock makes instead of a text. In mode ANY, it always calls the function that fits
 * best. Otherwise only if the user's text shares a word of four letters or more with the name or the description of a
 * function, and the last turn does not contain results of functions.
 */
export function chooseCall(
  { functions, mode }: FunctionChoice,
  { text, functionResponses }: LastTurn,
  seed: number,
): FunctionCall | undefined {
  if (mode === 'NONE' || (mode === 'AUTO' && functionResponses.length > 0)) return undefined;
  const said = wordsOf(text);
  let best: (typeof functions)[number] | undefined;
  let most = mode === 'ANY' ? -1 : 0;
  for (const one of functions) {
    const words = wordsOf(`${one.declaration.name} ${one.declaration.description}`);
    const shared = [...words].filter((word) => said.has(word)).length;
    if (shared > most) [best, most] = [one, shared];
  }
  if (best === undefined) return undefined;
  const { name } = best.declaration;
  return { id: `fc-${numberOf(seed, name, text).toString(36)}`, name, args: makeArguments(best, numberOf(seed, text)) };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= 4)
      .map((word) => word.replace(/s$/, '')),
  );
}

function makeArguments(
  { declaration: { parameters, parametersJsonSchema }, pointer }: FunctionChoice['functions'][number],
  seed: number,
): Record<string, unknown> {
  const [name, schema] =
    parameters !== undefined
      ? (['parameters', readUpperCaseSchema(parameters, `${pointer}/parameters`)] as const)
      : ([
          'parametersJsonSchema',
          readJsonSchema(parametersJsonSchema ?? { type: 'object' }, `${pointer}/parametersJsonSchema`),
        ] as const);
  const made = makeData(schema, seed, `${pointer}/${name}`);
  return isRecord(made) ? { ...made } : {};
}
