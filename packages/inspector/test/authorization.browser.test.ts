import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { ProtectedWorld } from './protected.suite.ts'

/** Goes to the authorization of a server, as a person does. */
async function lookAtAuthorization({ page }: Visit, name = 'vault'): Promise<void> {
  await page.locator('.server-link').filter({ hasText: name }).click()
  await page.getByRole('tab', { name: 'Authorization' }).click()
  await page.getByRole('region', { name: 'Authorization' }).waitFor()
}

const step = (page: Page, name: string, status: string): Locator =>
  page.locator(`[data-step="${name}"][data-status="${status}"]`)

/** Follows the link to the authorization server, in the tab that it opens, and decides there. */
async function signIn(page: Page, decision: 'Allow' | 'Refuse' = 'Allow'): Promise<void> {
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in' }).click()
  const tab = await opening
  await tab.getByRole('heading', { name: 'Tenon Workbench asks for access' }).waitFor()
  await tab.getByRole('radio', { name: 'Ada' }).check()
  await tab.getByRole('button', { name: decision }).click()
  // The page that they come back to closes itself.
  if (!tab.isClosed())
    await tab
      .getByText('You can close this window')
      .waitFor()
      .catch(() => {})
}

const outcome = (page: Page, words: string): Promise<void> =>
  page.locator('[data-outcome]').getByText(words, { exact: true }).waitFor()

inBrowser('a protected server in the browser', () => {
  test('a person signs in, is asked for more when a tool needs it, comes back with the token, and signs out', async () => {
    await using world = await ProtectedWorld.start()
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'vault', url: world.url }] })
    const { page } = visit
    await lookAtAuthorization(visit)
    await step(page, 'consent', 'running').getByText('a stolen code is useless').waitFor()
    expect(await barriers(page, 'authorization-consent')).toEqual([])
    await signIn(page)
    await outcome(page, 'went well')
    expect(await page.locator('[data-step][data-status="ok"]').count()).toBe(8)
    await page.getByRole('region', { name: 'Token' }).getByText(world.issuer).waitFor()

    await page.locator('[data-step="resource"] > details > summary').click()
    await page.locator('[data-step="resource"]').getByText('who tokens have to be for').waitFor()
    await page.locator('[data-step="resource"] .exchange summary').click()
    await page.locator('[data-step="resource"]').getByText('MCP-Protocol-Version').waitFor()
    await page.locator('[data-step="token"] > details > summary').click()
    const claims = page.getByRole('region', { name: 'Claims of the token' })
    await claims.getByText(world.url).first().waitFor()
    expect(await barriers(page, 'authorization-done')).toEqual([])

    await visit.find('write')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('complementary', { name: 'A server asks' }).waitFor()
    await signIn(page)
    await page.getByRole('region', { name: 'Result' }).getByText('written').waitFor()

    await lookAtAuthorization(visit)
    await page.getByRole('heading', { name: 'Asking for more scopes' }).waitFor()
    await page.getByRole('region', { name: 'Token' }).getByText('notes:write').waitFor()
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await page.getByRole('heading', { name: 'With the token of before' }).waitFor()
    await outcome(page, 'went well')
    expect(await step(page, 'retry', 'ok').count()).toBe(1)
    expect(await step(page, 'consent', 'skipped').count()).toBe(1)
    await page.locator('.earlier-flow').first().getByText('Asking for more scopes').click()
    await page.locator('.earlier-flow').first().getByText('Request that needs more').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
    await page.getByRole('status').getByText('not connected').waitFor()
    expect(world.seen.at(-1)).toBe('POST /revoke')
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText('Nothing has happened yet').waitFor()
    expect(await barriers(page, 'authorization-empty')).toEqual([])
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })

  test('a person goes step by step, and nothing is sent before they let it', async () => {
    await using world = await ProtectedWorld.start()
    const spec = { kind: 'url' as const, name: 'vault', url: world.url }
    await using visit = await Visit.begin({ servers: [spec], connect: false })
    const { page } = visit
    const pace = page.getByRole('region', { name: 'Pace' })
    const next = async (title: string): Promise<void> => {
      // The button keeps the focus from one step to the next.
      await pace.getByRole('button', { name: 'Next', disabled: false }).waitFor()
      await page.keyboard.press('Enter')
      await pace.getByText(`Waits before “${title}”`).waitFor()
    }
    await lookAtAuthorization(visit)
    await pace.getByRole('button', { name: 'Go step by step' }).click()
    await pace.getByText('Waits before “Request without a token”').waitFor()
    expect(world.seen).toEqual([])
    await pace.getByRole('button', { name: 'Next' }).focus()
    await next('Metadata of the server')
    await step(page, 'request', 'ok').getByText('resource_metadata', { exact: true }).waitFor()
    await step(page, 'resource', 'running').getByText('not sent yet').waitFor()
    expect(await barriers(page, 'authorization-held')).toEqual([])
    await next('Metadata of the authorization server')
    await next('Client registration')
    await step(page, 'client', 'running').getByText('Next request').waitFor()
    await step(page, 'client', 'running').getByText('"Tenon Workbench"').waitFor()
    expect(world.seen.filter((line) => line.includes('register'))).toEqual([])
    await next('The person agrees')
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await pace.getByRole('button', { name: 'Next' }).click()
    await signIn(page)
    await pace.getByText('Waits before “The token”').waitFor()
    await pace.getByRole('button', { name: 'Next' }).focus()
    await step(page, 'redirect', 'ok').getByText('is the one that was sent').waitFor()
    await next('Request with the token')
    await pace.getByRole('button', { name: 'Next' }).click()
    await outcome(page, 'went well')

    // A tool that needs more halts as well, and the page says where to go on.
    await visit.find('write')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('link', { name: 'Go on there' }).click()
    await pace.getByText('Waits before “Metadata of the server”').waitFor()
    await pace.getByRole('button', { name: 'Run to the end' }).click()
    await signIn(page)
    await outcome(page, 'went well')
    await pace.getByText('Runs by itself').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('what is wrong is said at the step where it happened, with what is expected and what to do', async () => {
    await using nowhere = await ProtectedWorld.start()
    nowhere.tamper('/mcp', '', { status: 401 })
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      nowhere.tamper(path, '', { status: 404 })
    }
    await using mismatch = await ProtectedWorld.start()
    mismatch.tamper('/.well-known/oauth-authorization-server', { issuer: 'https://other.example' })
    mismatch.tamper('/.well-known/openid-configuration', '<h1>Not found</h1>', { type: 'text/html' })
    await using closed = await ProtectedWorld.start()
    closed.tamper('/register', { error: 'invalid_redirect_uri' }, { status: 400 })
    await using misleading = await ProtectedWorld.start()
    misleading.faults.badIss = 'wrong'
    await using webpage = await ProtectedWorld.start()
    webpage.tamper('/token', '<title>Log in</title><script>alert(1)</script>', { type: 'text/html' })
    const worlds = { nowhere, mismatch, closed, misleading, webpage }
    const servers = Object.entries(worlds).map(([name, { url }]) => ({ kind: 'url' as const, name, url }))
    await using visit = await Visit.begin({ servers, connect: false })
    const { page } = visit
    const look = async (name: string): Promise<void> => {
      await lookAtAuthorization(visit, name)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
    }
    const fails = (name: string, words: string): Promise<void> =>
      step(page, name, 'failed').locator('[data-finding="failure"]').getByText(words).waitFor()

    await look('nowhere')
    await fails('client', 'register by hand')
    await step(page, 'request', 'warning').getByText('HTTP 401 without WWW-Authenticate').waitFor()
    await step(page, 'resource', 'warning').getByText('Since 2025-06-18 servers have to say').waitFor()
    expect(await step(page, 'resource', 'warning').locator('.exchange').count()).toBe(2)

    await look('mismatch')
    await fails('issuer', 'A slash at the end counts')
    await step(page, 'issuer', 'failed').getByText('names another issuer').waitFor()
    expect(await barriers(page, 'authorization-failed')).toEqual([])

    await look('closed')
    await fails('client', 'Let clients register redirect URIs on this machine')

    await look('misleading')
    await signIn(page)
    await fails('redirect', 'could be the answer of an attacker')

    await look('webpage')
    await signIn(page)
    await fails('token', 'token_endpoint may be the address of a page')
    await step(page, 'token', 'failed').locator('.exchange summary').click()
    await step(page, 'token', 'failed').getByText('<title>Log in</title>').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
