/** Models by name. */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { chat, resolveModel } from '../../src/chat.ts'
import { allOf, emptyToolbox, newFolder, textIn } from '../chat/workshop.suite.ts'
import { startStandIn } from './stand-in.suite.ts'
import { wires } from './wires.suite.ts'

test.each([
  ['anthropic/claude-haiku-4-5', 'anthropic.messages', 'claude-haiku-4-5', { ANTHROPIC_API_KEY: 'k' }],
  ['openai/gpt-5', 'openai.responses', 'gpt-5', { OPENAI_API_KEY: 'k' }],
  ['google/gemini-3-pro', 'google.generative-ai', 'gemini-3-pro', { GEMINI_API_KEY: 'k' }],
  ['ollama/llama3.2:3b', 'ollama.chat', 'llama3.2:3b', {}],
  ['ollama/library/qwen', 'ollama.chat', 'library/qwen', {}],
  ['http://localhost:11434/v1#llama', 'openai-compatible.chat', 'llama', {}],
  ['https://example.com/v1/#org/model%201', 'openai-compatible.chat', 'org/model 1', {}],
])('%s', async (name, provider, modelId, env) => {
  const model = await resolveModel(name, { env })
  expect({ provider: model.provider, modelId: model.modelId }).toEqual({ provider, modelId })
})

test.each([
  ['claude', /"claude" is unknown: expected "anthropic\/…"/],
  ['anthropic/', /is unknown/],
  ['__proto__/x', /is unknown/],
  ['http://localhost:11434/v1', /expected the name of the model after "#"/],
  ['http://%/v1#x', /the address is not valid/],
  ['scripted:/no/such/file', /cannot be read/],
])('%s is refused', async (name, expected) => {
  await expect(resolveModel(name, { env: {} })).rejects.toMatchObject({
    code: 'model_unknown',
    message: expect.stringMatching(expected),
  })
})

test('a missing key is named, and one that is given is used', async () => {
  await expect(resolveModel('anthropic/x', { env: {} })).rejects.toMatchObject({
    code: 'key_missing',
    message: 'The model anthropic/x needs a key: set ANTHROPIC_API_KEY, or give apiKey',
  })
  const wire = wires['Anthropic Messages']!
  const { url, requests } = await startStandIn([wire.say('Hi')])
  const model = await resolveModel('anthropic/x', {
    apiKey: 'given',
    baseURL: `${url}/v1`,
    env: { ANTHROPIC_API_KEY: 'from-env' },
  })
  expect(textIn(await allOf(chat(emptyToolbox, model, 'Hi')))).toBe('Hi')
  expect(requests[0]!.headers['x-api-key']).toBe('given')
})

test('keys of providers are never sent to another address', async () => {
  const { url, requests } = await startStandIn([wires['OpenAI-compatible chat completions']!.say('Hi')])
  const env = {
    OPENAI_API_KEY: 'secret-openai',
    ANTHROPIC_API_KEY: 'secret-anthropic',
    OLLAMA_API_KEY: 'secret-ollama',
  }
  const model = await resolveModel(`${url}/v1#model`, { env })
  await allOf(chat(emptyToolbox, model, 'Hi'))
  expect(JSON.stringify(requests)).not.toContain('secret-')
})

test('a package that is not installed is named with the command', async () => {
  const folder = newFolder()
  // A copy of the build that sees no provider: their packages are not above this folder.
  mkdirSync(join(folder, 'node_modules/@tenon'), { recursive: true })
  const host = new URL('../../', import.meta.url)
  mkdirSync(join(folder, 'node_modules/@tenon/host'))
  for (const name of ['package.json', 'dist'])
    await promisify(execFile)('cp', ['-r', new URL(name, host).pathname, join(folder, 'node_modules/@tenon/host/')])
  symlinkSync(new URL('../sdk', host).pathname, join(folder, 'node_modules/@tenon/sdk'))
  const program = join(folder, 'main.mjs')
  writeFileSync(
    program,
    `import { resolveModel } from '@tenon/host/chat'\nresolveModel('openai/x', { apiKey: 'k' }).catch(({ code, message }) => console.log(code, message))\n`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(pathToFileURL(program).href).toContain('main.mjs')
  expect(stdout.trim()).toBe(
    'provider_missing The model openai/x needs the package @ai-sdk/openai: npm install @ai-sdk/openai@3',
  )
})

test.each([
  ['rules', { rules: [{ when: 'hello (\\w+)', text: 'Hi {1}!' }] }, 'Hi Ada!'],
  ['replies in order', { replies: [{ text: 'First.' }] }, 'First.'],
])('a script with %s', async (_name, script, expected) => {
  const path = join(newFolder(), 'script.json')
  writeFileSync(path, JSON.stringify(script))
  expect(textIn(await allOf(chat(emptyToolbox, `scripted:${path}`, 'Hello Ada')))).toBe(expected)
})

test.each(['{}', 'nonsense', '{"rules":5}', '[]', 'null'])('the script %s is refused', async (text) => {
  const path = join(newFolder(), 'script.json')
  writeFileSync(path, text)
  await expect(resolveModel(`scripted:${path}`)).rejects.toMatchObject({ code: 'model_unknown' })
})
