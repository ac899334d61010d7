export type { Api } from '../model/api.js';
export type {
  ContractConfig,
  ContractHookRequest,
  ContractHookRun,
  ContractRequestChange,
  ContractSetUp,
  ContractSkip,
} from '../config/contract-config.js';
export { type CoverageOptions, measureCoverage } from '../contract/recorded/measure-coverage.js';
export { InputError } from '../model/diagnostics/input-error.js';
export { SpecError } from '../model/diagnostics/spec-error.js';
export { type ResponseCheckOptions, type ResponseProblem, checkResponse } from '../contract/check-response.js';
export {
  type ApiDiff,
  type Change,
  type ChangeKind,
  type ChangeSelection,
  type DiffOptions,
  type DiffPolicy,
  type DiffWaiver,
  type Level,
  type Position,
  type TouchedOperation,
  diffApis,
  diffToGithub,
  diffToHtml,
  diffToJunit,
  diffToMarkdown,
  diffToText,
  selectChanges,
} from '../diff/index.js';
export { toAnnotations } from '../reports/contract/annotations.js';
export { type CoverageReport, toCoverageText } from '../reports/contract/coverage-report.js';
export { toHtml } from '../reports/contract/html.js';
export { toJunit } from '../reports/contract/junit.js';
export { toMarkdown } from '../reports/contract/markdown.js';
export { toSarif } from '../reports/contract/sarif.js';
export { toText } from '../reports/contract/text.js';
export { runContract } from '../contract/run-contract.js';
export { CHECKS, PHASES } from '../contract/types.js';
export type {
  AcceptedFinding,
  CheckName,
  ContractOptions,
  ContractProgress,
  ContractReport,
  Finding,
  OperationCoverage,
  Phase,
} from '../contract/types.js';
