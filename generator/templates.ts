import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type Handlebars from 'handlebars';

import { packageRoot } from '../model/package-info.js';

const compiled = new Map<string, Handlebars.TemplateDelegate>();

/**
 * Fills a template of `templates/`. Nothing is escaped: what the view holds is code already, made safe by
 * `model/identifiers.ts`. A name that the view does not have is an error.
 *
 * @param name - File name without `.hbs`.
 */
export function renderTemplate(name: string, view: object): string {
  let template = compiled.get(name);
  if (template === undefined) {
    template = loadHandlebars().compile(readFileSync(path.join(packageRoot, 'templates', `${name}.hbs`), 'utf8'), {
      noEscape: true,
      strict: true,
    });
    compiled.set(name, template);
  }
  return template(view);
}

/** Loaded when the first template is: a run that changes nothing needs none. */
function loadHandlebars(): typeof Handlebars {
  return createRequire(import.meta.url)('handlebars') as typeof Handlebars;
}
