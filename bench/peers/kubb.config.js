// kubb: types, client, validators (zod) and fixtures (faker).
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginFaker } from '@kubb/plugin-faker';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

export default defineConfig({
  root: '.',
  input: { path: process.env.BENCH_SPEC },
  output: { path: process.env.BENCH_OUT, clean: true },
  plugins: [pluginOas({ validate: false, generators: [] }), pluginTs(), pluginClient(), pluginZod(), pluginFaker()],
});
