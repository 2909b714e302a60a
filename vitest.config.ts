import { availableParallelism } from 'node:os'
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
      'examples/*.test.ts',
      'examples/*/src/**/*.test.ts',
      'conformance/**/*.test.ts',
      'fuzz/**/*.test.ts',
      'soak/**/*.test.ts',
      'bench/**/*.test.mjs',
      'interop/*.test.mjs',
      'scripts/*.test.ts',
    ],
    // Notes which revisions each test speaks, for the count of requirements.
    setupFiles: ['./conformance/requirements/observe.ts'],
    reporters: ['default', './conformance/requirements/reporter.ts', './scripts/outcome-reporter.ts'],
    includeTaskLocation: true,
    // Many tests start a browser, a database or servers beside their worker, which have to share the cores with it.
    maxWorkers: Math.max(2, availableParallelism()),
    // How long something may take to happen says how busy the machine is, not whether the code is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
