/** Importing this file, best in a setup file, teaches Vitest's `expect` the matchers and their types. */
import { expect } from 'vitest'
import { matchers, type TenonMatchers } from './matchers.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an augmentation repeats the type parameters as they were declared.
  interface Matchers<T = any> extends TenonMatchers<T> {}
}

expect.extend(matchers)
