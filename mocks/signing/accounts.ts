import type { Caller } from 'specmill/mock';

import type { AgentUsernameType } from '../../generated/signing/types.js';

/** The separator between the account of a master key and the sub account that it acts on: `MASTER\SUB`. */
const OF = '\\';

interface AccountNumbers {
  readonly AccountId: number;
  readonly MasterAccountId: number;
}

/**
 * The numbers of an account and of its master account; equal if there is no master.
 *
 * @param account - a key, or `MASTER\SUB` with the number of the sub account or its external id.
 */
export function accountNumbers(account: string): AccountNumbers {
  const place = account.lastIndexOf(OF);
  const own = account.slice(place + 1);
  const AccountId = isNumber(own) ? Number(own) : hash(account);
  return { AccountId, MasterAccountId: place === -1 ? AccountId : accountNumbers(account.slice(0, place)).AccountId };
}

/** Returns the same name for a sub account, whether the master key uses its number or its external id. */
export function accountName(account: string): string {
  const place = account.lastIndexOf(OF);
  return place === -1 ? account : `${account.slice(0, place + 1)}${accountNumbers(account).AccountId}`;
}

function isNumber(name: string): boolean {
  return /^[1-9]\d{0,14}$/.test(name);
}

/** A stable number for a name (FNV-1a, 31 bits). */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 1 || 1;
}

/** The responsible agent of a new case: the named one, else the authenticated user. */
export function chooseAgent(
  caller: Caller,
  { username, type }: { readonly username: string | undefined; readonly type: AgentUsernameType | undefined },
): { readonly AgentUsername: string; readonly AgentUsernameType: AgentUsernameType } {
  const AgentUsername = username === undefined || username === '' ? caller.id : username;
  return { AgentUsername, AgentUsernameType: type ?? guessType(AgentUsername) };
}

/** Guesses the type of a username: an email address if it looks like one. */
export function guessType(username: string): AgentUsernameType {
  return /^[^\s@]+@[^\s@]+$/.test(username) ? 'EmailAddress' : 'Id';
}
