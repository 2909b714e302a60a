import { answer } from './answers.mjs'

const headers = { 'content-type': 'application/json' }

export const createHandler = () => async (request) =>
  new Response(JSON.stringify(answer(await request.json())), { headers })
