import type { ServerSentEvent } from '../messages.js';

/** One event in the framing of `text/event-stream`: a blank line ends it. A text is sent as it is, all else as JSON. */
export function frameEvent({ data, event, id }: ServerSentEvent): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null');
  const lines = [
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, ' ');
}
