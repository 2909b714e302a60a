// Views in a real browser: a host page, a sandbox on another origin, a real server, and a collector of leaks.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxPage } from '@tenon/sdk/apps/host'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import { build } from 'esbuild'
import { Checks, equal, eventually } from '../smoke/checks.mjs'
import { flags } from '../smoke/chromium.mjs'
import { appServer, exits } from './server.mjs'

const blockedDirectives = [
  'connect-src',
  'font-src',
  'frame-src',
  'img-src',
  'media-src',
  'object-src',
  'script-src-elem',
  'style-src-elem',
  'worker-src',
]

/** Runs the checks with the browser at `executablePath`, driven by playwright-core. */
export async function checkApps(chromium, executablePath) {
  const profile = mkdtempSync(join(tmpdir(), 'tenon-apps-'))
  const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags })
  const site = await startSite()
  try {
    const checks = new Checks()
    await checkView(checks, browser, site)
    await checkEverything(checks, browser, site)
    await checkPolicy(checks, browser, site)
    await checkHostile(checks, browser, site)
    await checkSandbox(checks, browser, site)
    return { version: browser.browser()?.version(), results: checks.results }
  } finally {
    await browser.close()
    await site.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function checkView(checks, browser, site) {
  const page = await openHost(browser, site)
  await checks.run('a tool is called, and its view shows the result', async () => {
    await page.evaluate((sandbox) => callAndShow('greet', { name: 'Ada' }, sandbox), site.sandbox)
    const view = await viewOf(page)
    await eventually(() => view.evaluate(() => document.querySelector('p').textContent), 'Hello Ada', 'what is shown')
  })
  const view = await viewOf(page)
  await checks.run('the view is two frames away from the host, and has no origin', async () => {
    equal(await view.evaluate(() => origin), 'null', 'the origin of the view')
    equal(new URL(view.parentFrame().url()).origin, new URL(site.sandbox).origin, 'the origin of the sandbox')
    const attributes = (frame) => frame.evaluate(() => document.querySelector('iframe').getAttribute('sandbox'))
    equal(await attributes(page.mainFrame()), 'allow-scripts allow-same-origin allow-forms', 'the outer sandbox')
    equal(await attributes(view.parentFrame()), 'allow-scripts allow-forms', 'the inner sandbox')
  })
  await checks.run('the frame takes the size of the view', async () => {
    const tall = () => page.evaluate(() => document.querySelector('iframe').clientHeight > 321)
    await eventually(tall, true, 'whether it has grown')
  })
  await checks.run('the view has the theme and the variables of the host', async () => {
    const styles = () => {
      const { style } = document.documentElement
      return `${style.colorScheme} ${style.getPropertyValue('--color-text-primary')}`
    }
    equal(await view.evaluate(styles), 'dark rgb(1, 2, 3)', 'the styles')
  })
  await checks.run('a click in the view calls a tool that models do not see', async () => {
    equal(await page.evaluate(() => modelTools()), ['greet', 'hidden'], 'the tools of the model')
    await view.evaluate(() => document.querySelector('button').click())
    const output = () => view.evaluate(() => document.querySelector('output').textContent)
    await eventually(output, 'private 2', 'what is shown')
  })
  await checks.run('the view finishes before it is removed', async () => {
    equal(await page.evaluate(() => end()), 0, 'the frames that are left')
    equal(site.ran, ['greet', 'private', 'private'], 'the tools that ran')
  })
  await page.close()
}

async function checkEverything(checks, browser, site) {
  const served = await serveHttp(createEverythingServer(), { port: 0, cors: { origins: [site.host] } })
  const page = await openHost(browser, { ...site, mcp: served.url })
  await checks.run('the everything server shows a colour', async () => {
    await page.evaluate((sandbox) => callAndShow('show_color', { name: 'teal' }, sandbox), site.sandbox)
    const view = await viewOf(page)
    const name = () => view.evaluate(() => document.getElementById('name').textContent)
    await eventually(name, 'teal, #008080', 'what is said')
    const color = () => view.evaluate(() => getComputedStyle(document.getElementById('swatch')).backgroundColor)
    equal(await color(), 'rgb(0, 128, 128)', 'what is shown')
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  })
  await page.close()
  await served.close()
}

async function checkPolicy(checks, browser, site) {
  const page = await openHost(browser, site)
  const check = (name, uri, run) => checks.run(name, () => withView(page, site, uri, run))
  await check('a view reaches what it declared', 'ui://test/declared', async (view) => {
    await eventually(() => view.evaluate(() => globalThis.got), 200, 'the status')
    equal(site.collected.splice(0), ['/declared'], 'what was collected')
  })
  await check('a view reaches nothing else, by any way', 'ui://test/leak', async (view) => {
    await eventually(() => view.evaluate(() => globalThis.tried), 15, 'the ways that were tried')
    await eventually(() => view.evaluate(() => blocked()), blockedDirectives.join(' '), 'what was blocked')
    equal(site.collected.splice(0), [], 'what was collected')
    equal(browser.pages().length, 2, 'the pages that are open')
  })
  for (const way of exits) {
    await check(`a view does not get away by ${way}`, `ui://test/exit/${way}`, async (view) => {
      await eventually(() => view.url(), 'chrome-error://chromewebdata/', 'what the browser shows instead')
      equal(site.collected.splice(0), [], 'what was collected')
    })
  }
  await page.close()
}

async function withView(page, site, uri, run) {
  await page.evaluate(([uri, sandbox]) => show(uri, sandbox), [uri, site.sandbox])
  try {
    await run(await viewOf(page))
  } finally {
    await page.evaluate(() => end())
  }
}

async function checkHostile(checks, browser, site) {
  const page = await openHost(browser, site)
  site.ran.length = 0
  await checks.run('a hostile view is contained', async () => {
    await page.evaluate((sandbox) => show('ui://test/hostile', sandbox), site.sandbox)
    const view = await viewOf(page)
    await eventually(() => view.evaluate(() => report.finished), true, 'whether it finished')
    const { finished, ...report_ } = await view.evaluate(() => report)
    equal(
      report_,
      {
        'parent document': 'SecurityError',
        'top document': 'SecurityError',
        storage: 'SecurityError',
        cookies: 'SecurityError',
        'navigate top': 'SecurityError',
        'navigate sandbox': 'SecurityError',
        'close top': 'done',
        popup: 'null',
        dialog: 'undefined',
        early: -32600,
        hidden: -32602,
        unknown: -32602,
        link: -32000,
        data: -32000,
        huge: -32600,
        list: -32601,
        fine: {},
      },
      'what came of its attempts',
    )
  })
  await checks.run('nothing that it tried had an effect', async () => {
    equal(page.url(), `${site.host}/`, 'where the host is')
    equal(site.ran, [], 'the tools that ran')
    equal(site.collected.splice(0), [], 'what was collected')
    equal(await page.evaluate(() => log.links), [], 'the links that were opened')
    equal(await page.evaluate(() => globalThis.owned ?? null), null, 'what it left behind')
    const { width, height } = await page.evaluate(() => {
      const { clientWidth, clientHeight } = document.querySelector('iframe')
      return { width: clientWidth <= innerWidth, height: clientHeight }
    })
    equal([width, height], [true, 2_000], 'the size of its frame')
    equal(page.frames().length, 3, 'the frames on the page')
    await page.evaluate(() => end())
  })
  await checks.run('a view that floods its host is removed', async () => {
    site.ran.length = 0
    await page.evaluate((sandbox) => show('ui://test/flood', sandbox), site.sandbox)
    const reason = await page.evaluate(async () => (await mounted().bridge.closed).message)
    equal(reason, 'The other side sent more than 200 messages in a second', 'the reason')
    equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0, 'the frames that are left')
    equal(site.ran.length <= 400, true, 'whether few tools ran')
  })
  await page.close()
}

async function checkSandbox(checks, browser, site) {
  const failure = (page, sandbox, more) =>
    page.evaluate(([sandbox, more]) => failureOf('ui://test/view', sandbox, more), [sandbox, more])
  const page = await openHost(browser, site)
  await checks.run('a sandbox on the origin of the host is refused', async () => {
    equal(await failure(page, `${site.host}/sandbox`, {}), 'invalid_argument', 'the failure')
    equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0, 'the frames')
  })
  await page.close()
  await checks.run('a page that the sandbox does not know cannot use it', async () => {
    const stranger = await openHost(browser, { ...site, host: site.stranger })
    equal(await failure(stranger, site.sandbox, { sandboxTimeoutMs: 1_500 }), 'timeout', 'the failure')
    equal(await stranger.evaluate(() => document.querySelectorAll('iframe').length), 0, 'the frames')
    await stranger.close()
  })
}

async function openHost(browser, { host, mcp }) {
  const page = await browser.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${host}/`)
  await page.evaluate((url) => globalThis.open(url), mcp)
  return page
}

/** The frame in the frame, once it is there. */
async function viewOf(page) {
  const find = () => page.frames().find((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame())
  await eventually(() => find() !== undefined, true, 'whether there is a view')
  const view = find()
  await view.waitForLoadState()
  return view
}

async function startSite() {
  const collected = []
  const collector = await listen((request, response) => {
    collected.push(request.url)
    response.setHeader('access-control-allow-origin', '*').end('collected')
  })
  const script = await hostScript()
  const pages = await listen((request, response) => servePage(request, response, script))
  const host = `http://127.0.0.1:${pages.port}`
  const stranger = `http://evil.example:${pages.port}`
  const sandbox = await listen((request, response) => {
    const { html, headers } = sandboxPage({ hostOrigins: [host], url: request.url })
    response.writeHead(200, headers).end(html)
  })
  const { server, ran } = await appServer(`http://127.0.0.1:${collector.port}`)
  const mcp = await serveHttp(server, { cors: { origins: [host, stranger] } })
  const close = () => Promise.all([collector.close(), pages.close(), sandbox.close(), mcp.close()])
  return { host, stranger, sandbox: `http://localhost:${sandbox.port}/sandbox`, mcp: mcp.url, collected, ran, close }
}

function servePage(request, response, script) {
  const isScript = request.url === '/host.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.setHeader('content-security-policy', "default-src 'self'; connect-src http://127.0.0.1:*; frame-src http:")
  response.end(
    isScript ? script : '<!doctype html><title>Host</title><body><script type="module" src="/host.js"></script>',
  )
}

async function hostScript() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./host.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  })
  return outputFiles[0].text
}

async function listen(handler) {
  const server = createServer(handler)
  await new Promise((resolve) => server.listen(0, resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port: server.address().port, close }
}
