import { toShownText } from './strip-controls.js';

/** Returns a GitHub workflow command, which is shown as an annotation. Control characters are escaped: logs of workflows reach terminals. */
export function workflowCommand(name: string, properties: Readonly<Record<string, string>>, text: string): string {
  const printed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name} ${printed.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return toShownText(text.replaceAll('\r\n', '\n')).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
