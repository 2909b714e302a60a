// A user in a real browser consents to a client of the reference server: everything between is the library's own.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveIssuer } from '@tenon/issuer'
import { authorizationCode, loopbackRedirect, oauth } from '@tenon/sdk/auth'
import { bearer } from '@tenon/sdk/auth/server'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import { Checks, equal, failure } from '../smoke/checks.mjs'
import { flags } from '../smoke/chromium.mjs'

const server = { id: 'everything', secret: 'the secret of the server' }
const users = [
  { subject: 'ada', name: 'Ada' },
  { subject: 'bob', name: 'Bob' },
]
const scopes = { read: 'Look at everything', write: 'Change everything' }

/** Runs the checks with the browser at `executablePath`. `SCREENSHOTS` names a folder for pictures of the pages. */
export async function checkIssuer(chromium, executablePath) {
  const profile = mkdtempSync(join(tmpdir(), 'tenon-issuer-'))
  const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags })
  const checks = new Checks()
  try {
    await withWorld(browser, {}, (world) => checkLife(checks, world))
    await withWorld(browser, {}, (world) => checkPage(checks, world))
    await withWorld(browser, {}, (world) => checkAttacks(checks, world))
    await checkUpstream(checks, browser)
    return { version: browser.browser()?.version(), results: checks.results }
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** An issuer, the reference server behind it, and a user with a browser. */
class World {
  events = []
  /** The errors that the browser logged. */
  complaints = []
  /** Added to the clock of the issuer. */
  aheadMs = 0
  pages = 0

  static async start(browser, options) {
    const world = new World()
    world.browser = browser
    world.as = await serveIssuer({
      ...(options.upstream === undefined && { users }),
      scopes,
      clients: [server],
      now: () => Date.now() + world.aheadMs,
      onEvent: ({ type }) => world.events.push(type),
      ...options,
    })
    await world.protect(['read'])
    return world
  }

  /** Serves again at the same address, with other scopes. */
  async protect(needed) {
    const introspection = {
      endpoint: `${this.as.url}/introspect`,
      clientId: server.id,
      clientSecret: server.secret,
      cacheMs: 0,
    }
    const port = this.http?.port ?? 0
    await this.http?.close()
    const auth = bearer({ issuer: this.as.url, scopes: needed, introspection })
    this.http = await serveHttp(createEverythingServer(), { auth, port })
  }

  /** A client whose user does something on the page. */
  client(act, name = 'Workbench') {
    const openBrowser = (url) => void this.visit(url, act)
    const redirect = loopbackRedirect({ openBrowser })
    return oauth({ grant: authorizationCode({ redirect }), registration: { client_name: name } })
  }

  async visit(url, act) {
    this.pages += 1
    const page = await this.browser.newPage()
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()))
    page.on('pageerror', (error) => this.complaints.push(error.message))
    await page.goto(String(url))
    await act(page)
  }

  async call(auth) {
    const client = await connect(this.http.url, { auth })
    try {
      return (await client.callTool('echo', { message: 'hello' })).text.includes('hello')
    } finally {
      await client.close()
    }
  }

  count = (type) => this.events.filter((event) => event === type).length

  async close() {
    await this.http.close()
    await this.as.close()
  }
}

async function withWorld(browser, options, run) {
  const world = await World.start(browser, options)
  try {
    await run(world)
  } finally {
    await world.close()
  }
}

const allow = (page) => page.getByRole('button', { name: 'Allow' }).click()
const refuse = (page) => page.getByRole('button', { name: 'Refuse' }).click()

async function checkLife(checks, world) {
  const auth = world.client(allow)
  await checks.run('a user agrees in the browser, and the client reaches the server', async () => {
    equal(await world.call(auth), true, 'whether the tool answered')
    equal([world.pages, world.count('consent')], [1, 1], 'pages and agreements')
    equal(world.complaints, [], 'what the browser complained about')
  })
  await checks.run('a token that has expired is renewed without the user', async () => {
    world.aheadMs += 601_000
    equal(await world.call(auth), true, 'whether the tool answered')
    equal([world.pages, world.count('refreshed')], [1, 1], 'pages and renewals')
  })
  await checks.run('a server that wants more leads to another page, and the call goes on', async () => {
    await world.protect(['read', 'write'])
    equal(await world.call(auth), true, 'whether the tool answered')
    equal([world.pages, world.count('consent')], [2, 2], 'pages and agreements')
  })
  await checks.run('what was revoked is gone, and the user is asked again', async () => {
    equal(await auth.revoke(world.http.url), true, 'whether the issuer was told')
    equal(await world.call(auth), true, 'whether the tool answered')
    equal([world.pages, world.count('revoked')], [3, 1], 'pages and revocations')
  })
  await checks.run('a user who refuses is believed', async () => {
    const error = await failure(world.call(world.client(refuse)), 'unauthorized')
    equal(/access_denied/.test(error.message), true, `whether "${error.message}" says so`)
  })
}

async function checkPage(checks, world) {
  await world.protect(['read', 'write'])
  await checks.run('the page can be read and answered with the keyboard, and by those who do not see it', async () => {
    const byKeyboard = async (page) => {
      equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Workbench asks for access', 'the heading')
      equal(await page.getByRole('group', { name: 'Agree as' }).count(), 1, 'the group of users')
      equal(await page.locator('html').getAttribute('lang'), 'en', 'the language')
      await page.getByRole('radio', { name: 'Ada' }).focus()
      await page.keyboard.press('ArrowDown')
      equal(await page.getByRole('radio', { name: 'Bob' }).isChecked(), true, 'whether Bob is chosen')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    equal(await world.call(world.client(byKeyboard)), true, 'whether the tool answered')
  })
  for (const [name, colorScheme, width] of looks) {
    await checks.run(`the page fits: ${name}`, async () => {
      const look = async (page) => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 760 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        equal(overflow, 0, 'what hangs over')
        const { height } = await page.getByRole('button', { name: 'Allow' }).boundingBox()
        equal(height >= 44, true, `whether ${height} px are enough for a finger`)
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: join(process.env.SCREENSHOTS, `consent-${name}.png`), fullPage: true })
        await allow(page)
      }
      equal(await world.call(world.client(look, long)), true, 'whether the tool answered')
    })
  }
  await checks.run('the browser had nothing to complain about', async () => equal(world.complaints, [], 'complaints'))
}

const long = `Workbench <b>bold</b> ${'of an organisation with a name that does not end'.repeat(2)}`
const looks = [
  ['light', 'light', 1024],
  ['dark', 'dark', 1024],
  ['narrow', 'light', 360],
  ['narrow-dark', 'dark', 360],
]

async function checkAttacks(checks, world) {
  await checks.run('the page is in no frame, and answers no form of another site', async () => {
    const seen = {}
    const attack = async (page) => {
      const ticket = await page.locator('input[name=ticket]').getAttribute('value')
      const form = `<form method="post" action="${world.as.url}/authorize"><input name="ticket" value="${ticket}"><input name="decision" value="allow"></form>`
      const evil = createServer((_request, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<iframe src="${page.url().replaceAll('&', '&amp;')}"></iframe>${form}`),
      )
      await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve))
      const other = await world.browser.newPage()
      await other.goto(`http://evil.example:${evil.address().port}/`)
      seen.framed = other
        .frames()
        .some(
          (frame) =>
            frame.url().startsWith(world.as.url) &&
            frame.parentFrame() !== null &&
            !frame.url().startsWith('chrome-error'),
        )
      seen.frameText = await other
        .frames()[1]
        .evaluate(() => document.body?.textContent ?? '')
        .catch(() => '')
      await Promise.all([other.waitForNavigation(), other.evaluate(() => document.querySelector('form').submit())])
      seen.answer = await other.locator('main').textContent()
      await other.close()
      evil.close()
      await refuse(page)
    }
    await failure(world.call(world.client(attack)), 'unauthorized')
    equal(seen.frameText.includes('asks for access'), false, 'whether the frame shows the page')
    equal(/sent from somewhere else/.test(seen.answer), true, `whether "${seen.answer}" refuses`)
    equal(world.count('consent'), 0, 'agreements')
  })
}

/** The identity provider is an issuer too; the one in front asks for consent, then redirects the user there. */
async function checkUpstream(checks, browser) {
  const secret = 'the secret of the proxy'
  const clients = [{ id: 'proxy', secret, redirectUris: ['http://127.0.0.1/callback'] }]
  const idp = await serveIssuer({ registration: false, clients, users: [{ subject: 'ada', name: 'Ada' }] })
  const upstream = { issuer: idp.url, clientId: 'proxy', clientSecret: secret }
  try {
    await withWorld(browser, { upstream }, async (world) => {
      await checks.run(
        'a user agrees at the proxy, signs in at the provider, and comes back to the client',
        async () => {
          const twice = async (page) => {
            if (process.env.SCREENSHOTS)
              await page.screenshot({ path: join(process.env.SCREENSHOTS, 'upstream.png'), fullPage: true })
            await allow(page)
            await page.waitForURL(`${idp.url}/**`)
            await allow(page)
          }
          equal(await world.call(world.client(twice)), true, 'whether the tool answered')
          equal(world.complaints, [], 'what the browser complained about')
        },
      )
    })
  } finally {
    await idp.close()
  }
}
