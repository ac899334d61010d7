/** Fills every inbox of a mock of notifications: threads come from the outside world, and no operation of the API makes one. */
export async function notifyThreads(count: number, url: string, send: typeof fetch = fetch): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const title = `Fähre ${number} fällt aus`;
    const response = await send(`${url}/__specmill/actions/notify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner: 'harbour', repo: 'ferry', title, type: 'Issue', reason: 'mention' }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}
