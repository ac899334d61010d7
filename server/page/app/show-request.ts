import type { OperationView } from '../views.js';
import { type BuiltRequest, type FormValues, keyOf } from './build-request.js';

export function toCurl(request: BuiltRequest, origin: string, sandbox: string): string {
  const headers = sandbox === 'default' ? request.headers : { ...request.headers, 'x-specmill-sandbox': sandbox };
  const words = ['curl', ...(request.method === 'GET' ? [] : ['-X', request.method]), quote(origin + request.target)];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (typeof request.body === 'string') words.push('--data-raw', quote(request.body));
  else if (request.body instanceof FormData)
    for (const [name, value] of request.body)
      words.push('-F', quote(typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`));
  else if (request.body !== undefined) words.push('--data-binary', '@FILE');
  return words.join(' ');
}

/** Quotes a word for a POSIX shell if necessary. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function toClientCall(operation: OperationView, values: FormValues): string {
  const groups = new Map<string, string[]>();
  for (const parameter of operation.parameters) {
    const text = values.parameters[keyOf(parameter)] ?? '';
    if (text === '') continue;
    const group = GROUPS[parameter.in];
    groups.set(group, [...(groups.get(group) ?? []), `${propertyName(parameter.name)}: ${literal(text)}`]);
  }
  const parts = [...groups].map(([name, members]) => `${name}: { ${members.join(', ')} }`);
  if (values.mediaType !== undefined && values.body.trim() !== '') parts.push(`body: ${values.body.trim()}`);
  return `await client.${operation.name}(${parts.length === 0 ? '' : `{ ${parts.join(', ')} }`});`;
}

const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function literal(text: string): string {
  return /^(?:-?\d{1,15}(?:\.\d+)?|true|false)$/.test(text) || /^\s*[[{]/.test(text)
    ? text.trim()
    : JSON.stringify(text);
}
