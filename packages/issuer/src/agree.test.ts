import { describe, expect, test } from 'vitest'
import { agree } from './agree.ts'
import { authorizationRequest, Desk, formOf } from './desk.suite.ts'

describe('a user for tests', () => {
  const setUp = async () => {
    const desk = new Desk({ users: [{ subject: 'ada' }, { subject: 'b&b', name: '<Bob>' }] })
    const page = `${desk.as.url}/authorize?${formOf(await authorizationRequest(await desk.register()))}`
    return { desk, page, fetch: desk.as.fetch }
  }

  test('agrees, as anybody', async () => {
    const { desk, page, fetch } = await setUp()
    expect((await agree(page, { fetch })).searchParams.get('code')).toEqual(expect.any(String))
    await agree(page, { fetch, user: 'b&b' })
    expect(desk.events.filter(({ type }) => type === 'consent').map(({ subject }) => subject)).toEqual(['ada', 'b&b'])
  })

  test('refuses', async () => {
    const { page, fetch } = await setUp()
    expect((await agree(page, { fetch, decision: 'deny' })).searchParams.get('error')).toBe('access_denied')
  })

  test('says what else was on the page', async () => {
    const { page, fetch } = await setUp()
    const unknown = agree(page.replace(/client_id=[^&]+/, 'client_id=nobody'), { fetch })
    await expect(unknown).rejects.toThrow(
      '(HTTP 400): This did not work The application that sent you here is not known.',
    )
    await expect(agree(page, { fetch, user: 'eve' })).rejects.toThrow('Nobody is called that here.')
  })
})
