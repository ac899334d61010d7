export type { Api } from '../model/api.js';
export { InputError } from '../model/diagnostics/input-error.js';
export { SpecError } from '../model/diagnostics/spec-error.js';
export { toHtml } from './reports/html.js';
export { toJunit } from './reports/junit.js';
export { toText } from './reports/text.js';
export { runContract } from './run-contract.js';
export { PHASES } from './types.js';
export type {
  CheckName,
  ContractOptions,
  ContractProgress,
  ContractReport,
  Finding,
  OperationCoverage,
  Phase,
} from './types.js';
