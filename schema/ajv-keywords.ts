import { type CodeKeywordDefinition, type KeywordCxt, Name, _, str } from 'ajv';

import { FORMATS } from './formats.js';
import { findDuplicate, isBytes, isEqual, isListedInAnyCase, isMultipleOf } from './values.js';

/** The expression of the JSON pointer to the value at hand. */
export function pointerCode({ it }: KeywordCxt): ReturnType<typeof str> {
  return str`${new Name('instancePath')}${it.errorPath}`;
}

const ENUM: CodeKeywordDefinition = {
  keyword: ['enum', 'enumAnyCase'],
  schemaType: 'array',
  error: {
    message: 'must be equal to one of the allowed values',
    params: ({ params }) => _`{allowedValues: ${params['list']}}`,
  },
  code(cxt) {
    const values = cxt.schema as readonly unknown[];
    const list = cxt.gen.scopeValue('obj', { key: JSON.stringify(values), ref: values });
    cxt.setParams({ list });
    if (cxt.keyword === 'enumAnyCase') {
      cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isListedInAnyCase })}(${list}, ${cxt.data})`);
    } else if (values.some((value) => typeof value === 'object' && value !== null)) {
      const equal = cxt.gen.scopeValue('func', { ref: isEqual });
      cxt.fail(_`!${list}.some((item) => ${equal}(item, ${cxt.data}))`);
    } else cxt.fail(_`!${list}.includes(${cxt.data})`);
  },
};

const CONST: CodeKeywordDefinition = {
  keyword: 'const',
  error: { message: 'must be equal to constant', params: ({ params }) => _`{allowedValue: ${params['value']}}` },
  code(cxt) {
    const value: unknown = cxt.schema;
    const isNested = typeof value === 'object' && value !== null;
    const code = isNested
      ? cxt.gen.scopeValue('obj', { key: JSON.stringify(value), ref: value })
      : _`${value as string | number | boolean | null}`;
    cxt.setParams({ value: code });
    cxt.fail(
      isNested ? _`!${cxt.gen.scopeValue('func', { ref: isEqual })}(${cxt.data}, ${code})` : _`${cxt.data} !== ${code}`,
    );
  },
};

const MULTIPLE_OF: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(cxt) {
    cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isMultipleOf })}(${cxt.data}, ${cxt.schemaCode})`);
  },
};

const UNIQUE_ITEMS: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: ({ params }) =>
      str`must NOT have duplicate items (items ## ${_`${params['twins']}[0]`} and ${_`${params['twins']}[1]`} are identical)`,
    params: ({ params }) => _`{i: ${params['twins']}[1], j: ${params['twins']}[0]}`,
  },
  code(cxt) {
    if (cxt.schema !== true) return;
    const twins = cxt.gen.const('twins', _`${cxt.gen.scopeValue('func', { ref: findDuplicate })}(${cxt.data})`);
    cxt.setParams({ twins });
    cxt.fail(_`${twins} !== undefined`);
  },
};

const FORMAT: CodeKeywordDefinition = {
  keyword: 'format',
  type: ['number', 'string'],
  schemaType: 'string',
  error: {
    message: ({ schemaCode }) => str`must match format "${schemaCode}"`,
    params: ({ schemaCode }) => _`{format: ${schemaCode}}`,
  },
  code(cxt, type) {
    const name = String(cxt.schema);
    const test = type === 'number' || type === 'string' ? FORMATS.get(name)?.[type] : undefined;
    if (test === undefined || !canBe(type, cxt.parentSchema['type'])) return;
    cxt.fail(_`!${cxt.gen.scopeValue('formats', { key: `${name}:${type}`, ref: test })}(${cxt.data})`);
  },
};

/** Whether a value of a schema's type can be a number or a string. */
function canBe(type: string | undefined, schemaType: unknown): boolean {
  const types: unknown[] = schemaType === undefined ? [type] : [schemaType].flat();
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

/** A string that travels as it is: text, or anything that holds bytes. */
const BYTES: CodeKeywordDefinition = {
  keyword: 'bytes',
  schemaType: 'boolean',
  error: { message: 'must be string', params: _`{type: "string"}` },
  code(cxt) {
    cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isBytes })}(${cxt.data})`);
  },
};

/** What {@link DISPATCH} goes by: the values of the property that lead to each schema. */
interface DispatchRule {
  readonly property: string;
  readonly tags: readonly (readonly string[])[];
}

/** Chooses one of several schemas by a property of the value, as a discriminator says. */
const DISPATCH: CodeKeywordDefinition = {
  keyword: 'dispatch',
  schemaType: 'array',
  error: {
    message: ({ params }) => str`value of tag "${params['property']}" must be in oneOf`,
    params: ({ params }) => _`{error: "mapping", tag: ${params['property']}, tagValue: ${params['tag']}}`,
  },
  code(cxt) {
    const { gen, data } = cxt;
    const { property, tags } = cxt.parentSchema['dispatchOn'] as DispatchRule;
    // What is no object has no such property, and so is in no branch.
    const tag = gen.const('tag', _`typeof ${data} == "object" && ${data} !== null ? ${data}[${property}] : undefined`);
    gen.if(false);
    for (const [index, values] of tags.entries()) {
      const conditions = values.map((value) => _`${tag} === ${value}`);
      gen.elseIf(conditions.reduce((all, next) => _`${all} || ${next}`));
      const valid = gen.name('_valid');
      const subschema = cxt.subschema({ keyword: 'dispatch', schemaProp: index }, valid);
      cxt.mergeEvaluated(subschema, Name);
    }
    gen.else();
    cxt.setParams({ property: _`${property}`, tag });
    cxt.error();
    gen.endIf();
  },
};

/** The keyword `$ref`, of which only the name of the view is told. */
export function refKeyword(writeRef: (cxt: KeywordCxt, name: string) => void): CodeKeywordDefinition {
  return {
    keyword: '$ref',
    schemaType: 'string',
    code: (cxt) => writeRef(cxt, String(cxt.schema).slice('#/$defs/'.length)),
  };
}

/** The keywords that we say in our own way: those that ajv gets wrong, and those that make its code needlessly long. */
export const OWN_KEYWORDS: readonly CodeKeywordDefinition[] = [
  ENUM,
  CONST,
  MULTIPLE_OF,
  UNIQUE_ITEMS,
  FORMAT,
  BYTES,
  DISPATCH,
];

/** What our keywords are called in an error. */
export const KEYWORD_NAMES: Readonly<Record<string, string>> = {
  enumAnyCase: 'enum',
  dispatch: 'discriminator',
  bytes: 'type',
};
