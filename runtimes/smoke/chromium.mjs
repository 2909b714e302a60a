// The checks in Chromium: a page of an allowed origin, one of a foreign origin, and one whose name was rebound.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveHttp } from '@tenon/sdk/node'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { build } from 'esbuild'
import { Checks, equal } from './checks.mjs'
import { smokeServer } from './server.mjs'

// Root has no sandbox; the other flags keep the browser from calling home.
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
]

/** Runs the checks with the browser at `executablePath`, driven by playwright-core. */
export async function checkChromium(chromium, executablePath) {
  const profile = mkdtempSync(join(tmpdir(), 'tenon-chromium-'))
  const pages = await servePages()
  const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags })
  try {
    const version = browser.browser()?.version()
    return { version, results: [...(await checkAllowed(browser, pages)), ...(await checkForeign(browser, pages))] }
  } finally {
    await browser.close()
    pages.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function checkAllowed(browser, pages) {
  const origin = `http://127.0.0.1:${pages.port}`
  const http = await serveHttp(smokeServer().server, { cors: { origins: [origin] } })
  const webSocket = await serveWebSocket(smokeServer().server, { port: 0 }, { allowedOrigins: [origin] })
  const page = await openPage(browser, origin)
  const sse = new URL('/sse', http.url).href
  const results = await page.evaluate((urls) => checkAllowed(urls), { http: http.url, sse, webSocket: webSocket.url })
  await page.close()
  await Promise.all([http.close(), webSocket.close()])
  return results
}

async function checkForeign(browser, pages) {
  const { server, calls } = smokeServer()
  const http = await serveHttp(server)
  const webSocket = await serveWebSocket(server, { port: 0 })
  const page = await openPage(browser, `http://evil.example:${pages.port}`)
  const urls = { http: http.url, webSocket: webSocket.url }
  const results = await page.evaluate((urls) => checkForeign(urls), urls)
  await page.close()
  const checks = new Checks()
  await checks.run('a page whose name was rebound to the server gets 403', () => rebind(browser, http))
  await checks.run('no foreign page had a tool called', async () => equal(calls.count, 0, 'the number of calls'))
  await Promise.all([http.close(), webSocket.close()])
  return [...results, ...checks.results]
}

/** For the browser, the page and the server are one origin. */
async function rebind(browser, { port }) {
  const page = await browser.newPage()
  await page.goto(`http://evil.example:${port}/`)
  const status = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"evil"}}}'
    return (await fetch('/mcp', { method: 'POST', headers, body })).status
  })
  await page.close()
  equal(status, 403, 'the status')
}

async function openPage(browser, origin) {
  const page = await browser.newPage()
  await page.goto(origin)
  return page
}

async function servePages() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  })
  const script = outputFiles[0].text
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.setHeader('content-security-policy', "script-src 'self'")
    response.end(
      isScript ? script : '<!doctype html><title>Smoke</title><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port: server.address().port, close }
}
