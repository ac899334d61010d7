import { serve } from '@hono/node-server';

import { createApp } from './server.js';

serve({ fetch: createApp().fetch, port: 3000 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
