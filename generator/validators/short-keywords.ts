import { type Code, type CodeKeywordDefinition, type KeywordCxt, Name, _ } from 'ajv';

import { pointerCode, refKeyword } from '../../schema/ajv-keywords.js';

const OUT = new Name('out');
const RUNTIME = new Name('rt');

/** A call of a helper that finds and adds the error: one line for what ajv says in ten, and there are thousands of them. */
function writeHelperCall(cxt: KeywordCxt, helper: string, argument: Code): void {
  cxt.gen.code(_`${RUNTIME}.${new Name(helper)}(${cxt.data}, ${argument}, ${pointerCode(cxt)}, ${OUT})`);
}

function listOf({ gen, schema }: KeywordCxt): Code {
  return _`${gen.scopeValue('obj', { key: JSON.stringify(schema), ref: schema })}`;
}

const REQUIRED: CodeKeywordDefinition = {
  keyword: 'required',
  type: 'object',
  schemaType: 'array',
  before: 'propertyNames',
  code(cxt) {
    if ((cxt.schema as readonly string[]).length > 0) writeHelperCall(cxt, 'require', listOf(cxt));
  },
};

const ENUM: CodeKeywordDefinition = {
  keyword: ['enum', 'enumAnyCase'],
  schemaType: 'array',
  code: (cxt) => writeHelperCall(cxt, cxt.keyword === 'enum' ? 'allow' : 'allowAnyCase', listOf(cxt)),
};

const LENGTH: CodeKeywordDefinition = {
  keyword: ['minLength', 'maxLength'],
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  code: (cxt) => writeHelperCall(cxt, cxt.keyword, _`${cxt.schema as number}`),
};

const REF: CodeKeywordDefinition = refKeyword((cxt, name) => {
  const check = cxt.gen.scopeValue('validate', { key: name, ref: name });
  cxt.gen.code(_`${check}(${cxt.data}, ${pointerCode(cxt)}, ${OUT})`);
});

/** The keywords whose code is a single call. They add errors to `out`, so they are for source only. */
export const SHORT_KEYWORDS: readonly CodeKeywordDefinition[] = [REF, REQUIRED, ENUM, LENGTH];
