import { type Code, type CodeKeywordDefinition, type KeywordCxt, type Name, _, nil, str } from 'ajv';

import { isRecord, textsIn } from '../model/document/records.js';

/**
 * Conditions look at all keywords, like everything else. Ajv stops at the first error in them, and in that mode forgets
 * some keywords (those after `prefixItems`, where the array is too short).
 */
const CONDITION = { compositeRule: true, createErrors: false, allErrors: true } as const;

const NOT: CodeKeywordDefinition = {
  keyword: 'not',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  error: {
    message: ({ schema }) => str`must NOT ${describeForbidden(schema)}`,
    params: ({ schema }) => forbiddenParams(schema),
  },
  code(cxt) {
    const valid = cxt.gen.name('valid');
    cxt.subschema({ keyword: 'not', ...CONDITION }, valid);
    cxt.failResult(
      _`${valid}`,
      () => cxt.reset(),
      () => cxt.error(),
    );
  },
};

/**
 * Members that exclude each other are written as what must not be there together, which can be said in words: the sets of
 * names of which none may be there whole. Nothing where the schema says more than that.
 */
function forbiddenMembers(schema: unknown): readonly (readonly string[])[] {
  const choices = isRecord(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  const sets = choices.map(requiredOnly);
  return sets.every((names) => names.length > 0) ? sets : [];
}

/** The members that a schema asks for, where it asks for little else. */
function requiredOnly(schema: unknown): readonly string[] {
  if (!isRecord(schema) || !Object.keys(schema).every((keyword) => MEMBER_KEYWORDS.has(keyword))) return [];
  return textsIn(schema['required']);
}

const MEMBER_KEYWORDS: ReadonlySet<string> = new Set(['required', 'properties', 'type']);

function describeForbidden(schema: unknown): string {
  const sets = forbiddenMembers(schema);
  return sets.length > 0 ? `have ${sets.map(describeMembers).join(', or ')}` : 'be valid';
}

function describeMembers(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return names.length === 1 ? `property ${quoted.join('')}` : `${quoted.join(' and ')} together`;
}

function forbiddenParams(schema: unknown): Code {
  const sets = forbiddenMembers(schema);
  return sets.length === 0
    ? _`{}`
    : _`{forbidden: ${listCode(sets.map((names) => listCode(names.map((name) => _`${name}`))))}}`;
}

function listCode(items: readonly Code[]): Code {
  return _`[${items.reduce((all, item, index) => (index === 0 ? item : _`${all}, ${item}`), nil)}]`;
}

const IF: CodeKeywordDefinition = {
  keyword: 'if',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  error: {
    message: ({ params }) => str`must match "${params['clause']}" schema`,
    params: ({ params }) => _`{failingKeyword: ${params['clause']}}`,
  },
  code(cxt) {
    const { gen, parentSchema } = cxt;
    const clauses = (['then', 'else'] as const).filter((clause) => parentSchema[clause] !== undefined);
    if (clauses.length === 0) return;
    const holds = gen.name('_valid');
    cxt.subschema({ keyword: 'if', ...CONDITION }, holds);
    cxt.reset();
    for (const clause of clauses) gen.if(clause === 'then' ? holds : _`!${holds}`, () => checkClause(cxt, clause));
  },
};

function checkClause(cxt: KeywordCxt, clause: 'then' | 'else'): void {
  const valid = cxt.gen.name('valid');
  cxt.subschema({ keyword: clause }, valid);
  cxt.setParams({ clause: _`${clause}` });
  cxt.gen.if(_`!${valid}`, () => cxt.error(true));
}

/** Unlike ajv's, it counts from nothing for each array: there, an array can be taken for the one before it. */
const CONTAINS: CodeKeywordDefinition = {
  keyword: 'contains',
  type: 'array',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  error: {
    message: ({ params: { min, max } }) => {
      return max === undefined
        ? str`must contain at least ${min} valid item(s)`
        : str`must contain at least ${min} and no more than ${max} valid item(s)`;
    },
    params: ({ params: { min, max } }) =>
      max === undefined ? _`{minContains: ${min}}` : _`{minContains: ${min}, maxContains: ${max}}`,
  },
  code(cxt) {
    const { gen, data, parentSchema } = cxt;
    const min = _`${(parentSchema['minContains'] as number | undefined) ?? 1}`;
    const limit = parentSchema['maxContains'] as number | undefined;
    const max = limit === undefined ? undefined : _`${limit}`;
    const count = gen.let('count', 0);
    gen.forRange('i', 0, _`${data}.length`, (index: Name) => {
      const valid = gen.name('_valid');
      cxt.subschema({ keyword: 'contains', dataProp: index, dataPropType: 0, compositeRule: true }, valid);
      gen.if(valid, () => gen.code(_`${count}++`));
    });
    cxt.setParams(max === undefined ? { min } : { min, max });
    cxt.it.items = true;
    cxt.failResult(max === undefined ? _`${count} < ${min}` : _`${count} < ${min} || ${count} > ${max}`, () =>
      cxt.reset(),
    );
  },
};

/** Keywords that look at a value to decide about another schema. */
export const CONDITION_KEYWORDS: readonly CodeKeywordDefinition[] = [NOT, IF, CONTAINS];
