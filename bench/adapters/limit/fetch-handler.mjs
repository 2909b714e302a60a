import { answer } from './answers.mjs'

const headers = { 'content-type': 'application/json' }

export const createHandler = () => async (request) => {
  const answered = answer(await request.json())
  return new Response(JSON.stringify(answered instanceof Promise ? await answered : answered), { headers })
}
