import { toShownText } from '../strip-controls.js';
import { workflowCommand } from '../workflow-command.js';
import type { ContractReportData } from './contract-report.js';
import { reachLine } from './text.js';

/** Returns the findings as workflow commands, which GitHub shows as annotations. */
export function toAnnotations({
  findings,
  unreached,
  reach,
  nothingTested,
  credentialRefused,
  serverEnded,
}: ContractReportData): string[] {
  return [
    ...(serverEnded === undefined
      ? []
      : [command('error', 'The server ended', `${serverEnded.message}\n${serverEnded.curl}`)]),
    ...(nothingTested === undefined ? [] : [command('error', 'Nothing was tested', nothingTested)]),
    ...(credentialRefused === undefined ? [] : [command('error', 'The credential was refused', credentialRefused)]),
    command('notice', 'Operations of the run', `${reachLine(reach)}.`),
    ...findings.map(({ check, severity, operationId, message, expected, actual }) =>
      command(
        severity === 'note' ? 'notice' : severity,
        `${operationId}: ${check}`,
        `${message}\nexpected: ${expected}\nactual: ${actual}`,
      ),
    ),
    ...unreached.map(({ operationId, reason }) => command('warning', `${operationId} never succeeded`, reason)),
  ];
}

function command(level: 'error' | 'warning' | 'notice', title: string, text: string): string {
  return workflowCommand(level, { title: toShownText(title) }, toShownText(text));
}
