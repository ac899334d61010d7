import { readFileSync } from 'node:fs';
import path from 'node:path';

import handlebars from 'handlebars';

import { packageRoot } from '../model/package-info.js';

type Template = (view: object) => string;

const compiled = new Map<string, Template>();

/**
 * Renders `templates/<name>.hbs`. A name that the view does not have is an error; nothing is escaped, since what is right
 * depends on the place: the view holds text that went through `model/identifiers.ts`.
 */
export function renderTemplate(name: string, view: object): string {
  const template = compiled.get(name) ?? compileTemplate(name);
  compiled.set(name, template);
  return template(view);
}

function compileTemplate(name: string): Template {
  const text = readFileSync(path.join(packageRoot, 'templates', `${name}.hbs`), 'utf8');
  return handlebars.compile<object>(text, { strict: true, noEscape: true, preventIndent: true });
}
