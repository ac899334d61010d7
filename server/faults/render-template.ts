import { createRequire } from 'node:module';

import type Handlebars from 'handlebars';

import { getOrInsert } from '../../model/maps.js';
import { HttpError } from '../../http/http-error.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most characters that the templates of one response may make. */
const MOST_CHARACTERS = 1_000_000;
/** The names that templates know. */
const NAMES: readonly string[] = ['path', 'query', 'headers', 'body', 'now', 'uuid'];

/** The values of the names. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A part of a template: text, or the steps to a value. */
type Part = string | readonly string[];

/** A template that was read, or the reason why it cannot be. */
type Template = { readonly parts: readonly Part[] } | { readonly problem: string };

const templates = new Map<string, Template>();
/** Texts of faults are few; a test that makes them up must not fill the memory. */
const MOST_TEMPLATES = 1_000;

/** Returns what is wrong with a text that may be a template. */
export function findTemplateProblem(text: string): string | undefined {
  const template = readTemplate(text);
  return 'problem' in template ? template.problem : undefined;
}

/**
 * Renders the texts in a value, at any depth. Templates are read by Handlebars, but evaluated here: own members only, no
 * helpers, no prototypes. A value is inserted as it is, and never read as a template. A text that is one expression
 * alone becomes the value itself, so that numbers stay numbers.
 *
 * @throws HttpError 500 if the request lacks a value, or the result is too long
 */
export function createRender(values: TemplateValues): (value: unknown) => unknown {
  let left = MOST_CHARACTERS;
  const renderText = (text: string): unknown => {
    const template = text.includes('{{') ? readTemplate(text) : undefined;
    if (template === undefined) return text;
    if ('problem' in template) throw new HttpError(500, `A template of a fault is invalid: ${template.problem}`);
    const [only, ...more] = template.parts;
    const found = template.parts.map((part) => (typeof part === 'string' ? part : lookUp(values, part)));
    const rendered = found.map(toText).join('');
    left -= rendered.length;
    if (left < 0)
      throw new HttpError(
        500,
        `The templates of a fault make more than ${MOST_CHARACTERS.toLocaleString('en-GB')} characters.`,
      );
    return more.length === 0 && typeof only !== 'string' ? found[0] : rendered;
  };
  const render = (value: unknown): unknown => {
    if (typeof value === 'string') return renderText(value);
    if (Array.isArray(value)) return value.map(render);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, render(member)]));
  };
  return render;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return stringifyExactJson(value);
}

function lookUp(values: TemplateValues, steps: readonly string[]): unknown {
  let found: unknown = values;
  for (const step of steps) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, step);
    if (!isThere) throw new HttpError(500, `A fault cannot be rendered: the request has no ${steps.join('.')}.`);
    found = (found as TemplateValues)[step];
  }
  return found;
}

function readTemplate(text: string): Template {
  if (templates.size > MOST_TEMPLATES) templates.clear();
  return getOrInsert(templates, text, () => parseTemplate(text));
}

function parseTemplate(text: string): Template {
  let program: hbs.AST.Program;
  try {
    program = loadHandlebars().parse(text);
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { problem: `it is no Handlebars template (${first.replace(/:$/, '')}).` };
  }
  const parts: Part[] = [];
  for (const statement of program.body) {
    const part = readStatement(statement);
    if (typeof part === 'object' && 'problem' in part) return part;
    if (part !== undefined) parts.push(part);
  }
  return { parts };
}

const NOT_PLAIN = {
  problem: 'it has more than names, such as {{path.id}}: there are no helpers, blocks and partials.',
};

/** Reads a statement of the Handlebars language: only text, comments and paths are allowed. */
function readStatement(statement: hbs.AST.Statement): Part | { readonly problem: string } | undefined {
  if (statement.type === 'ContentStatement') return (statement as hbs.AST.ContentStatement).value;
  if (statement.type === 'CommentStatement') return undefined;
  if (statement.type !== 'MustacheStatement') return NOT_PLAIN;
  const { path, params, hash } = statement as hbs.AST.MustacheStatement;
  if (path.type !== 'PathExpression' || params.length > 0 || hash !== undefined) return NOT_PLAIN;
  const { parts, depth, data, original } = path as hbs.AST.PathExpression;
  if (depth > 0 || data || parts.length === 0) return NOT_PLAIN;
  const [name = ''] = parts;
  if (!NAMES.includes(name) || /^this\b/.test(original))
    return { problem: `it has the unknown name ${stringifyExactJson(original)}; the names are ${NAMES.join(', ')}.` };
  return parts;
}

/** Loads Handlebars with the first template. */
function loadHandlebars(): typeof Handlebars {
  return createRequire(import.meta.url)('handlebars/dist/handlebars.js') as typeof Handlebars;
}
