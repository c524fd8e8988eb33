import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,fake-api,harness,docs}/**/*.test.ts', '*.test.ts'],
    globalSetup: ['fake-api/testing/documents.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
