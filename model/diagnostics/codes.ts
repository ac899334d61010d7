import type { Severity } from './diagnostic.js';

const CODES = {
  'document-unreadable': { severity: 'error', meaning: 'The file cannot be read.' },
  'document-syntax': { severity: 'error', meaning: 'The file is neither JSON nor YAML.' },
  'key-repeated': {
    severity: 'error',
    meaning: 'An object of a YAML file, or of a JSON file with data, has a key twice.',
  },
  'key-overwritten': {
    severity: 'warning',
    meaning: 'An object of a spec or overlay in JSON has a key twice; the last value counts, as JSON.parse reads it.',
  },
  'document-kind': {
    severity: 'error',
    meaning: 'The document is neither OpenAPI 2.0, 3.0, 3.1, 3.2 nor JSON Schema.',
  },
  'document-shape': { severity: 'error', meaning: 'A part of the document has the wrong type.' },
  'document-invalid': { severity: 'warning', meaning: 'The document breaks a rule of the OpenAPI standard.' },
  'document-without-paths': {
    severity: 'error',
    meaning: 'The document has no paths, but a member with a similar name.',
  },
  'document-too-deep': { severity: 'error', meaning: 'The document, or a schema in it, is nested too deeply.' },
  'document-not-unicode': { severity: 'error', meaning: 'A string in the document contains a lone surrogate.' },
  'document-too-large': { severity: 'error', meaning: 'The document is too large, or its YAML aliases make it so.' },
  'configuration-invalid': { severity: 'error', meaning: 'The configuration of a mock does not match its schema.' },
  'state-nearly-full': { severity: 'warning', meaning: 'The state in memory is close to its limit.' },
  'recording-unused': { severity: 'warning', meaning: 'The replayed recording has no call of the API.' },
  'overlay-invalid': { severity: 'error', meaning: 'An overlay, or an action of it, cannot be applied.' },
  'overlay-unmatched': { severity: 'warning', meaning: 'The target of an action of an overlay matches nothing.' },
  'overlay-without-effect': { severity: 'warning', meaning: 'An action of an overlay says no change.' },
  'overlay-unbracketed': {
    severity: 'warning',
    meaning: 'A name with a hyphen in a JSONPath of an overlay is not in brackets; it is read as if it were.',
  },
  'ref-unresolved': { severity: 'error', meaning: 'A $ref has no target.' },
  'ref-circular': { severity: 'error', meaning: 'A chain of $refs leads back to itself.' },
  'ref-refused': { severity: 'error', meaning: 'A $ref leads out of the folder of the spec, or to a remote address.' },
  'ref-as-written': {
    severity: 'warning',
    meaning: 'The unescaped pointer of a $ref has no target; it is read with its percent signs as they are written.',
  },
  'ref-outside-resource': {
    severity: 'warning',
    meaning: 'A pointer has no target in the schema with an $id around it; it is resolved in the document.',
  },
  'schema-shape': { severity: 'error', meaning: 'A schema is neither an object nor a boolean.' },
  'keyword-shape': { severity: 'warning', meaning: 'A keyword has a value of the wrong type and is ignored.' },
  'schema-dialect': { severity: 'warning', meaning: 'The $schema of a schema is not known; it is read as 2020-12.' },
  'keyword-ignored': {
    severity: 'warning',
    meaning: 'A keyword has no meaning in the dialect of the document and is ignored.',
  },
  'keyword-unknown': {
    severity: 'warning',
    meaning: 'A schema has a keyword that its dialect does not know, most often a typing error; it is ignored.',
  },
  'required-unknown': {
    severity: 'warning',
    meaning: '`required` names a member that no schema of the value describes, most often a typing error.',
  },
  'default-invalid': {
    severity: 'warning',
    meaning: 'A default has not the type of its schema, or is not in its enum.',
  },
  'enum-invalid': { severity: 'warning', meaning: 'A value of an enum has not the type of its schema.' },
  'operation-id-repeated': {
    severity: 'warning',
    meaning: 'Two operations have the same operationId; the later one is renamed.',
  },
  'name-taken': {
    severity: 'warning',
    meaning: 'Two operations or groups have the same name in the client, so one is numbered.',
  },
  'operation-id-missing': {
    severity: 'info',
    meaning: 'An operation has no operationId; its name is made of method and path.',
  },
  'parameter-path-missing': {
    severity: 'warning',
    meaning: 'A name in a path template has no parameter; it is taken as a string.',
  },
  'parameter-path-unknown': {
    severity: 'warning',
    meaning: 'A path parameter is not in the path template and is ignored.',
  },
  'parameter-repeated': { severity: 'warning', meaning: 'A parameter is given twice at one level; the first counts.' },
  'security-unknown': {
    severity: 'warning',
    meaning: 'A security requirement names a scheme that is not declared.',
  },
  'link-unresolved': {
    severity: 'warning',
    meaning: 'A link leads to an operation that does not exist; it is left out.',
  },
  'discriminator-unresolved': {
    severity: 'warning',
    meaning: 'A discriminator maps a value to a schema that does not exist.',
  },
  'extension-invalid': {
    severity: 'warning',
    meaning: 'An x- extension does not match specs/extensions.schema.json, or does not fit its API; it is ignored.',
  },
  'parent-lists-children': {
    severity: 'warning',
    meaning: 'A schema lists others that include it by allOf; inside of them it stands for its own members.',
  },
  'schema-includes-itself': {
    severity: 'warning',
    meaning: 'A schema includes itself at the same value, by a list of branches or a condition, which has no end.',
  },
  'branches-alike': {
    severity: 'warning',
    meaning: 'Two branches of a oneOf cannot be told apart, so that it refuses what fits both.',
  },
  'schema-not-compiled': { severity: 'error', meaning: 'No validator can be made for a schema.' },
  'pattern-invalid': { severity: 'warning', meaning: 'A pattern is not a regular expression and is not checked.' },
  'pattern-not-unicode': {
    severity: 'info',
    meaning: 'A pattern is valid only without the u flag and is checked without it.',
  },
  'pattern-costly': {
    severity: 'warning',
    meaning: 'A pattern can be matched in many ways, so that some texts take exponential time.',
  },
  'format-unknown': { severity: 'info', meaning: 'A format is not known and is not checked.' },
  'example-invalid': { severity: 'warning', meaning: 'An example does not match its schema.' },
  'emitter-report': { severity: 'warning', meaning: 'An emitter found a problem in the spec.' },
  'zod-approximate': {
    severity: 'warning',
    meaning: 'A schema of `zod.ts` checks dates or long integers at a place where it does not convert them.',
  },
  'peer-missing': {
    severity: 'info',
    meaning: 'A generated file imports a package that is not installed for the output, or is too old.',
  },
  'fixture-not-made': { severity: 'warning', meaning: 'No valid value could be made for a schema.' },
  'handler-unknown': {
    severity: 'warning',
    meaning: 'The behaviour of a mock has a handler for an operation that is not served; it is never called.',
  },
  'pages-lead-nowhere': {
    severity: 'warning',
    meaning: 'A list seems to have pages, but nothing leads from one to the next: a mock shows all items on one page.',
  },
  'operation-unreachable': {
    severity: 'warning',
    meaning: 'No request over a socket reaches an operation: its path has ? or #, or Node refuses its method.',
  },
} as const;

export type DiagnosticCode = keyof typeof CODES;

/** Every problem that specmill reports about its input, with its severity and its meaning. */
export const DIAGNOSTIC_CODES: Readonly<
  Record<DiagnosticCode, { readonly severity: Severity; readonly meaning: string }>
> = CODES;
