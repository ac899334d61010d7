import type { DescribedApi } from '../views.js';
import type { ControlClient } from './control-client.js';

export interface PanelProps {
  readonly control: ControlClient;
  readonly api: DescribedApi;
  /** Increases with every change that the mock reports. */
  readonly changes: number;
  /** The part of the page's URL after the panel, such as the id of an operation. */
  readonly detail: string;
  readonly chooseSandbox: (name: string) => void;
}
