/** A client that sent recorded calls. */
export interface Sender {
  /** `User-Agent`, or ''. */
  readonly userAgent: string;
  /** The name of the account. Never a credential. */
  readonly account?: string;
  readonly calls: number;
}

/** The most clients that are named. */
const NAMED = 3;

/** The clients of calls, such as `"shop/1.2" (200), "curl/8" (14) and 2 more`. */
export function showSenders(clients: readonly Sender[], showText: (text: string) => string): string {
  const named = clients.slice(0, NAMED).map((client) => showSender(client, showText));
  const more = clients.length - NAMED;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function showSender({ userAgent, account, calls }: Sender, showText: (text: string) => string): string {
  const program = userAgent === '' ? 'a client without a name' : showText(userAgent);
  return `${account === undefined ? '' : `${showText(account)} with `}${program} (${calls.toLocaleString('en-US')})`;
}

/** When something was used last, such as `, the last on 2026-01-31 at 10:00:00 UTC,`; empty if no recorder wrote it. */
export function showLast(last: string | undefined): string {
  return last === undefined ? '' : `, the last on ${last.slice(0, 10)} at ${last.slice(11, 19)} UTC,`;
}
