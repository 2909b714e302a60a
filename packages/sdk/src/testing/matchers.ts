import { isMcpError, isRpcError, type McpErrorCode } from '../errors.ts'

interface Outcome {
  pass: boolean
  message: () => string
  actual?: unknown
  expected?: unknown
}

/** The matchers of `expect(...)`. */
export interface TenonMatchers<R = unknown> {
  /** The text of a tool result, all text blocks joined by newlines, equals or matches this. */
  toHaveText(expected: string | RegExp): R
  /** A tool result with `isError`, whose text contains or matches this. */
  toBeToolError(expected?: string | RegExp): R
  /** An `RpcError` with this code. */
  toBeRpcError(code: number, message?: string | RegExp): R
  /** An `McpError` with this code. */
  toBeMcpError(code: McpErrorCode, message?: string | RegExp): R
}

/** The matchers, for `expect.extend(matchers)`. */
export const matchers: {
  toHaveText(received: unknown, expected: string | RegExp): Outcome
  toBeToolError(received: unknown, expected?: string | RegExp): Outcome
  toBeRpcError(received: unknown, code: number, message?: string | RegExp): Outcome
  toBeMcpError(received: unknown, code: McpErrorCode, message?: string | RegExp): Outcome
} = {
  toHaveText(received, expected) {
    const text = textOf(received)
    const pass = text !== undefined && (typeof expected === 'string' ? text === expected : expected.test(text))
    return outcome(pass, `a tool result with the text ${show(expected)}`, text ?? received)
  },

  toBeToolError(received, expected) {
    const text = textOf(received)
    const isError = text !== undefined && (received as { isError?: boolean }).isError === true
    const pass = isError && matches(text, expected)
    return outcome(
      pass,
      `a tool result with isError${expected === undefined ? '' : ` and ${show(expected)}`}`,
      received,
    )
  },

  toBeRpcError(received, code, message) {
    const pass = isRpcError(received) && received.code === code && matches(received.message, message)
    return outcome(
      pass,
      `an RpcError with the code ${code}${message === undefined ? '' : ` and ${show(message)}`}`,
      received,
    )
  },

  toBeMcpError(received, code, message) {
    const pass = isMcpError(received) && received.code === code && matches(received.message, message)
    return outcome(
      pass,
      `an McpError with the code ${code}${message === undefined ? '' : ` and ${show(message)}`}`,
      received,
    )
  },
}

function textOf(result: unknown): string | undefined {
  const content = (result as { content?: unknown } | null | undefined)?.content
  if (!Array.isArray(content)) return undefined
  const blocks = content as { type?: unknown; text?: unknown }[]
  return blocks
    .filter((block) => block.type === 'text')
    .map((block) => String(block.text))
    .join('\n')
}

const matches = (text: string, expected: string | RegExp | undefined): boolean =>
  expected === undefined || (typeof expected === 'string' ? text.includes(expected) : expected.test(text))

const show = (expected: string | RegExp): string =>
  typeof expected === 'string' ? JSON.stringify(expected) : `${expected}`

const outcome = (pass: boolean, expected: string, found: unknown): Outcome => ({
  pass,
  message: () => `expected ${pass ? 'anything but ' : ''}${expected}, got ${describeFound(found)}`,
})

function describeFound(found: unknown): string {
  if (found instanceof Error) return `${found.name}: ${found.message}`
  if (found instanceof Promise) return 'a promise, which has to be awaited first'
  return JSON.stringify(found) ?? String(found)
}
