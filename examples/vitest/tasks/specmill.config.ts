// In your own project: import { defineConfig } from 'specmill'.
import type { SpecmillConfig } from '../../../entry/specmill.js';

const config: SpecmillConfig = {
  apis: {
    tasks: { spec: 'tasks.yaml', output: 'generated', only: ['types', 'client'], mock: 'tasks.mock.ts' },
  },
};

export default config;
