import type { AgentUsernameType } from '../../../generated/signing/types.js';
import type { Caller } from '../../seams/behaviour.js';

/** The numbers of the caller's account and of its master account. */
export function accountNumbers({ id, account }: Caller): {
  readonly AccountId: number;
  readonly MasterAccountId: number;
} {
  return { AccountId: accountNumber(account), MasterAccountId: accountNumber(id) };
}

/** The number of an account: the one that its name is, else always the same one for a name (FNV-1a, 31 bits). */
function accountNumber(name: string): number {
  if (/^[1-9]\d{0,14}$/.test(name)) return Number(name);
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}

/** The responsible agent of a new case: who is named, else the authenticated user. */
export function chooseAgent(
  caller: Caller,
  { username, type }: { readonly username: string | undefined; readonly type: AgentUsernameType | undefined },
): { readonly AgentUsername: string; readonly AgentUsernameType: AgentUsernameType } {
  const AgentUsername = username === undefined || username === '' ? caller.id : username;
  return { AgentUsername, AgentUsernameType: type ?? guessType(AgentUsername) };
}

/** A username without a type is an email address if it looks like one. */
export function guessType(username: string): AgentUsernameType {
  return /^[^\s@]+@[^\s@]+$/.test(username) ? 'EmailAddress' : 'Id';
}
