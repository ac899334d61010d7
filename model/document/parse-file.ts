import type { SourceLocation } from '../diagnostics/diagnostic.js';
import type { TextPosition } from '../diagnostics/locate.js';
import { type ParseNumbers, parseText } from './parse-document.js';
import { findRepeatedKey, parseJson } from './parse-json.js';
import { type DocumentSurvey, surveyDocument } from './survey-document.js';

/** The value of a file, or why it has none. `repeated`: an object of JSON has a key twice, and the last one counts. */
export type ParsedFile =
  | { readonly ok: true; readonly value: unknown; readonly survey: DocumentSurvey; readonly repeated?: FileProblem }
  | { readonly ok: false; readonly problem: FileProblem };

/** Why a file cannot be parsed. */
export interface FileProblem extends TextPosition, Pick<SourceLocation, 'pointer'> {
  readonly code: 'document-syntax' | 'key-repeated';
  /** One plain sentence. */
  readonly message: string;
}

/**
 * Parses a file: one named `.json` as JSON only, because YAML would read comments in it as keys, and any other as JSON
 * or YAML.
 */
export function parseFile(name: string, text: string, numbers: ParseNumbers = {}): ParsedFile {
  const isJson = /\.json(?:[?#]|$)/i.test(name);
  const parsed = isJson ? parseJson(text, numbers) : parseText(text, numbers);
  if (!parsed.ok) {
    const { message, pointer, ...position } = parsed.problem;
    if (pointer !== undefined) return { ok: false, problem: { ...position, code: 'key-repeated', pointer, message } };
    const sentence = `The file is ${isJson ? 'not JSON' : 'neither JSON nor YAML'}: ${message}`;
    return { ok: false, problem: { ...position, code: 'document-syntax', pointer: '', message: sentence } };
  }
  const survey = surveyDocument(parsed.value, /\\u|\\U/.test(text));
  const repeated = parsed.isJson ? findRepeatedKey(text, survey.members) : undefined;
  return {
    ...{ ok: true, value: parsed.value, survey },
    ...(repeated === undefined ? {} : { repeated: { ...repeated, code: 'key-repeated' } }),
  };
}
