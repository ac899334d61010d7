import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type Handlebars from 'handlebars';

import { packageRoot } from '../model/package-info.js';
import type { GeneratedFile } from './emitter.js';

const compiled = new Map<string, Handlebars.TemplateDelegate>();

/**
 * Fills a template of `templates/`. Nothing is escaped: the view contains code, made safe by `model/identifiers.ts`. A name
 * that the view lacks is an error.
 *
 * @param name - File name without `.hbs`.
 */
export function renderTemplate(name: string, view: object): string {
  let template = compiled.get(name);
  if (template === undefined) {
    template = loadHandlebars().compile(readFileSync(path.join(packageRoot, 'templates', `${name}.hbs`), 'utf8'), {
      noEscape: true,
      strict: true,
      // Without helpers of our own, names are members of the view.
      knownHelpersOnly: true,
    });
    compiled.set(name, template);
  }
  return template(view);
}

/** Renders a template as a file of an output. */
export function renderFile(place: string, name: string, view: object): GeneratedFile {
  return { path: place, contents: () => renderTemplate(name, view) };
}

/**
 * Loads Handlebars with the first template, from its single file rather than its 43 modules, which include source maps.
 */
function loadHandlebars(): typeof Handlebars {
  return createRequire(import.meta.url)('handlebars/dist/handlebars.js') as typeof Handlebars;
}
