import type { Payload } from '../jsonrpc/message.ts'

/** Whether a payload is an answer; only answers are ever sent as a batch. */
export const isAnswer = (payload: Payload): boolean => Array.isArray(payload) || !('method' in payload)
