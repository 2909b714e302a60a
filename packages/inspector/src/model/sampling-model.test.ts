import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { SamplingModel } from './sampling-model.ts'

async function serve(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, [Symbol.asyncDispose]: close }
}

const params = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }], maxTokens: 5 }

test('a key stays with its origin', async () => {
  const model = new SamplingModel()
  expect(model.view).toBeUndefined()
  expect(await model.set('https://a.example/v1', 'm', 'k')).toEqual({
    baseUrl: 'https://a.example/v1',
    model: 'm',
    hasKey: true,
  })
  expect((await model.set('https://a.example/v2', 'n', undefined)).hasKey).toBe(true)
  expect((await model.set('https://b.example/v2', 'n', undefined)).hasKey).toBe(false)
})

test.each(['file:///etc/passwd', 'https://user:pass@a.example', 'nonsense'])(
  '%s is no address of a model',
  async (url) => {
    await expect(new SamplingModel().set(url, 'm', undefined)).rejects.toThrow('baseUrl: expected')
  },
)

test('without settings nothing is asked', async () => {
  await expect(new SamplingModel().draft(params)).rejects.toThrow('No model is set up')
})

test('a model that leads elsewhere is not followed', async () => {
  const visitors: unknown[] = []
  await using elsewhere = await serve((request, response) => {
    visitors.push(request.headers.authorization)
    response.end('{}')
  })
  await using moved = await serve((_request, response) => response.writeHead(307, { location: elsewhere.url }).end())
  const model = new SamplingModel()
  await model.set(moved.url, 'm', 'k')
  await expect(model.draft(params)).rejects.toThrow('could not be asked')
  expect(visitors).toEqual([])
})

test.each([
  ['an error', 401, 'no', 'The model answered 401: no'],
  ['no JSON', 200, '<html>', 'could not be asked'],
  ['no text', 200, '{"choices":[{}]}', 'without a text'],
  ['too much', 200, ' '.repeat(5 * 1024 * 1024), 'more than'],
])('%s is told in words', async (_what, status, body, message) => {
  await using server = await serve((_request, response) => response.writeHead(status).end(body))
  const model = new SamplingModel()
  await model.set(server.url, 'm', undefined)
  await expect(model.draft(params)).rejects.toThrow(message)
})

test('what does not fit into the request is refused before anything is sent', async () => {
  const model = new SamplingModel()
  await model.set('http://127.0.0.1:1/v1', 'm', undefined)
  const content = { type: 'audio' as const, data: '', mimeType: 'audio/wav' }
  await expect(model.draft({ messages: [{ role: 'user', content }], maxTokens: 5 })).rejects.toThrow(
    'cannot be given audio',
  )
})
