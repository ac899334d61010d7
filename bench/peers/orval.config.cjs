// orval: types and client, without mocks or validators.
module.exports = {
  stripe: {
    input: { target: process.env.BENCH_SPEC, override: {} },
    output: {
      target: `${process.env.BENCH_OUT}/client.ts`,
      schemas: `${process.env.BENCH_OUT}/model`,
      client: 'fetch',
      mode: 'split',
    },
  },
};
