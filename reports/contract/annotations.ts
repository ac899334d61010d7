import { workflowCommand } from '../workflow-command.js';
import type { ContractReportData, ReportedFinding } from './contract-report.js';
import { unreachedTree } from './unreached-tree.js';
import { otherPlaces, reachLine } from './text.js';

/** GitHub shows at most ten annotations of a level for a step. */
const MOST = 10;

export interface AnnotationOptions {
  /** Returns the path of a file in the repository; `undefined` if it is outside. */
  readonly pathInRepository?: (file: string) => string | undefined;
}

/**
 * Returns a report as workflow commands, which GitHub shows as annotations: one for each cause, at the line of the spec,
 * at most ten in all. The job summary has the rest.
 */
export function toAnnotations(report: ContractReportData, options: AnnotationOptions = {}): string[] {
  const { findings, unreached, reach, nothingTested, credentialRefused, serverEnded } = report;
  const first = [
    ...(serverEnded === undefined
      ? []
      : [workflowCommand('error', { title: 'The server ended' }, `${serverEnded.message}\n${serverEnded.curl}`)]),
    ...(nothingTested === undefined ? [] : [workflowCommand('error', { title: 'Nothing was tested' }, nothingTested)]),
    ...(credentialRefused === undefined
      ? []
      : [workflowCommand('error', { title: 'The credential was refused' }, credentialRefused)]),
  ];
  const waiting = unreachedTree(unreached).join('\n');
  const notices = [
    ...(waiting === '' ? [] : [workflowCommand('warning', { title: 'Operations that never succeeded' }, waiting)]),
    workflowCommand('notice', { title: 'Operations of the run' }, `${reachLine(reach)}.`),
  ];
  const shown = findings.slice(0, MOST - first.length - notices.length);
  return [...first, ...shown.map((finding) => annotate(finding, options)), ...notices];
}

function annotate(finding: ReportedFinding, { pathInRepository = (file) => file }: AnnotationOptions): string {
  const { check, severity, operationId, message, expected, actual, place, allowed, alsoAt = [] } = finding;
  const file = place === undefined ? undefined : pathInRepository(place.file);
  const lines = [
    message,
    ...(allowed === undefined ? [] : [`allowed: ${allowed}`]),
    `expected: ${expected}`,
    `actual: ${actual}`,
    ...(alsoAt.length === 0 ? [] : [`also at: ${otherPlaces(finding)}`]),
  ];
  const at =
    place === undefined || file === undefined ? {} : { file, line: String(place.line), col: String(place.column) };
  return workflowCommand(
    severity === 'note' ? 'notice' : severity,
    { ...at, title: `${operationId}: ${check}` },
    lines.join('\n'),
  );
}
