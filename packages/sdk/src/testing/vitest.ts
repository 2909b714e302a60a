/** Importing this file, best in a setup file, adds the matchers and their types to Vitest's `expect`. */
import { expect } from 'vitest'
import { matchers, type TenonMatchers } from './matchers.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an augmentation repeats the type parameters as they were declared.
  interface Matchers<T = any> extends TenonMatchers<T> {}
}

expect.extend(matchers)
