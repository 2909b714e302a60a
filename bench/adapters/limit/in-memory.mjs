// An asynchronous call, with its request and its answer copied through JSON.
import { answer } from './answers.mjs'
import { echoCall, textOf } from './requests.mjs'

const clone = (value) => JSON.parse(JSON.stringify(value))

export async function open() {
  const serve = async (message) => clone(answer(message))
  return { call: async (text) => textOf(await serve(clone(echoCall(text, 'session')))), close() {} }
}
