// Takes the pictures of the workbench in docs/pictures: npm run build && node packages/inspector/take-screenshots.mjs
import { fileURLToPath } from 'node:url'
import { startInspector } from '@tenon/inspector'
import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/programs.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const executablePath = findChromium()
const everything = {
  kind: 'command',
  name: 'everything',
  command: process.execPath,
  args: [path('../../servers/everything/bin/everything.js')],
}
const filesystem = {
  kind: 'command',
  name: 'filesystem',
  command: process.execPath,
  args: [
    fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')),
    path('../../docs'),
  ],
}

/** A story: its name, the steps of a person before the picture is taken, and in which looks it is taken. */
const stories = [
  ['tool', callTool, ['light', 'dark', 'narrow']],
  ['timeline', readTimeline, ['light', 'dark']],
  ['lanes', seeLanes, ['light', 'dark']],
  ['compare', compareRevisions, ['light']],
  ['question', answerQuestion, ['light', 'narrow']],
  ['task', followTask, ['light', 'narrow']],
]
const looks = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  narrow: { colorScheme: 'dark', viewport: { width: 360, height: 720 } },
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const [look, context] of Object.entries(looks)) {
  const inspector = await startInspector({ servers: [everything, filesystem], fresh: true })
  const page = await browser.newPage(context)
  await page.goto(inspector.url)
  const goTo = (...parts) => page.goto(`${new URL(inspector.url).origin}/#/${parts.map(encodeURIComponent).join('/')}`)
  await goTo('tools')
  await page.getByRole('link', { name: 'Convert units' }).waitFor()
  for (const [story, act, wanted] of stories) {
    if (!wanted.includes(look)) continue
    await goTo('tools')
    await act(page, goTo)
    await page.screenshot({ path: path(`../../docs/pictures/workbench-${story}-${look}.png`) })
  }
  await page.close()
  await inspector.close()
}
await takeAuthorization('light')
await takeAuthorization('dark')
await browser.close()

/** A protected server of its own: it would ask its question in all the other pictures. */
async function takeAuthorization(look) {
  const issuer = await serveIssuer({ users: [{ subject: 'ada', name: 'Ada' }] })
  const auth = bearer({ issuer: issuer.url, scopesSupported: ['notes:read'] })
  const server = await serveHttp(createServer({ name: 'notes', version: '1.0.0' }), { port: 0, auth })
  const inspector = await startInspector({ servers: [{ kind: 'url', name: 'notes', url: server.url }], fresh: true })
  const page = await browser.newPage(looks[look])
  await page.goto(inspector.url)
  await page.getByRole('region', { name: 'Servers', exact: true }).getByRole('link', { name: /notes/ }).click()
  await page.getByRole('tab', { name: 'Authorization' }).click()
  await fetch(await agree(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')))
  await page.locator('[data-step="retry"][data-status="ok"]').waitFor()
  await page.locator('[data-step="token"] summary').first().click()
  await page.locator('[data-step="request"]').evaluate((step) => step.scrollIntoView())
  await page.screenshot({ path: path(`../../docs/pictures/workbench-authorization-${look}.png`) })
  await page.close()
  await inspector.close()
  await server.close()
  await issuer.close()
}

async function callTool(page) {
  await page.getByRole('link', { name: 'Convert units' }).click()
  await page.getByRole('textbox', { name: 'value' }).fill('26.2')
  await page.getByRole('textbox', { name: 'from' }).fill('mi')
  await page.getByRole('textbox', { name: 'to' }).fill('km')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'Result' }).getByText('42.16').first().waitFor()
}

async function answerQuestion(page) {
  await page.getByRole('link', { name: 'Plan a trip' }).click()
  await page.getByLabel('destination').fill('Kyoto')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await page.getByText('Tell me about your trip to Kyoto').first().waitFor()
}

async function readTimeline(page, goTo) {
  await goTo('timeline')
  await page.getByText('tools/call').first().click()
}

async function seeLanes(page, goTo) {
  await goTo('timeline')
  await page.getByRole('button', { name: 'Lanes' }).click()
  await page.getByRole('application', { name: /[1-9]\d* in all/ }).focus()
  await page.getByText(/^\d+ requests$/).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('region', { name: 'Message' }).waitFor()
}

async function followTask(page) {
  // A question of another picture is in front.
  const declined = page.getByRole('complementary').getByRole('button', { name: 'Decline' })
  if (await declined.isVisible()) await declined.click()
  await page.getByRole('link', { name: 'Cook dinner' }).click()
  await page.getByRole('checkbox', { name: 'Run as a task' }).check()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await page.getByRole('link', { name: 'Open the task' }).press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Send answer' }).waitFor()
}

async function compareRevisions(page) {
  await page.getByRole('link', { name: 'Describe this connection' }).click()
  await page.getByText('Side by side, in two revisions or on two servers').click()
  await page.getByRole('group', { name: 'Right' }).getByLabel('Revision').selectOption('2025-06-18')
  await page.getByRole('button', { name: 'Call on both' }).click()
  await page.getByRole('region', { name: 'Differences' }).scrollIntoViewIfNeeded()
}
