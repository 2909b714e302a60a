import { defineConfig } from 'vitest/config'

const conditions = ['tenon-source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'servers/*/{src,test}/**/*.test.ts',
      'examples/*/src/**/*.test.ts',
      'conformance/**/*.test.ts',
    ],
    reporters: ['default', './conformance/requirements/reporter.ts'],
    includeTaskLocation: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
