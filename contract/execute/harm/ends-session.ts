import type { Operation } from '../../../model/api.js';
import { wordsOf } from '../../../resources/inflection.js';

/** Whether the names of an operation say that it logs out. */
export function logsOut({ path, id }: Pick<Operation, 'path' | 'id'>): boolean {
  return /log_?-?out|sign_?-?out|end_?session/i.test(`${id} ${path}`);
}

const CREDENTIAL = /^(?:o?auth2?|tokens?|sessions?|credentials?|keys?|access|logins?)$/;

/** Whether an operation ends the session of the run or deletes its account, which all others need. */
export function endsSession(operation: Operation): boolean {
  const { method, path, id } = operation;
  if (logsOut(operation)) return true;
  const names = path.split('/').filter((name) => name !== '' && !name.includes('{'));
  const words = [id, ...names.slice(-2)].flatMap((name) => wordsOf(name));
  // The revocation of a role or a lease ends no session.
  if (words.includes('revoke') && words.some((word) => CREDENTIAL.test(word))) return true;
  return method === 'delete' && /\/(?:sessions?(?:\/current)?|me|account|profile)$/i.test(path);
}
