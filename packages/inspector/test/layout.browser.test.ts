import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, resource, type Server, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { watchJumps } from './layout.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

/** Doors at which calls wait until the test opens them. */
class Doors {
  readonly #open = new Map<string, () => void>()
  readonly #waiting = new Map<string, Promise<void>>()

  at(name: string): Promise<void> {
    const known = this.#waiting.get(name)
    if (known !== undefined) return known
    const door = new Promise<void>((resolve) => this.#open.set(name, resolve))
    this.#waiting.set(name, door)
    return door
  }

  open(name: string): void {
    void this.at(name)
    this.#open.get(name)!()
  }
}

const lines = Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n')

/** A server that does nothing before the test lets it. */
const patient = (doors: Doors): Server =>
  createServer({
    name: 'patient',
    version: '1.0.0',
    resources: [
      resource({
        uri: 'text:///long',
        name: 'long',
        read: async () => {
          await doors.at('read')
          return lines
        },
      }),
    ],
    tools: [
      tool({
        name: 'wait',
        run: async (_input, ctx) => {
          await doors.at('question')
          await ctx.elicit('Who are you?', {
            type: 'object',
            properties: { name: { type: 'string' } },
          } as never)
          ctx.progress(1, 2, 'half of it')
          await doors.at('result')
          return lines
        },
      }),
    ],
  })

/** Less than a hundredth of a percent is a digit more in a number. */
const allowed = 0.0001

inBrowser('nothing jumps', () => {
  test('while servers connect or fail, questions come, and answers come: what was there stays where it is', async () => {
    const doors = new Doors()
    await using http = await serveHttp(patient(doors), { port: 0 })
    const refusing = createHttp(async (_request, response) => {
      await doors.at('refusal')
      response.writeHead(500).end('no')
    })
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const bad = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/mcp`
    await using visit = await Visit.begin({
      servers: [
        everything,
        { kind: 'url', name: 'patient', url: http.url, revision: '2025-11-25' },
        { kind: 'url', name: 'failing', url: bad },
      ],
    })
    const { page } = visit
    const jumps = await watchJumps(page)
    const stays = async (what: string): Promise<void> =>
      expect
        .soft(
          (await jumps()).filter(({ score }) => score > allowed),
          what,
        )
        .toEqual([])
    // Shifts within half a second of a click are not counted: everything here happens later than that.
    const afterInput = (): Promise<void> => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))

    await page.locator('.list-item', { hasText: 'wait' }).waitFor()
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await stays('lists arrive')
    // The name of the server stays above the items that slide under it.
    for (const by of [10, 20, 30, 200]) {
      const onTop = await page.locator('.list-scroll').evaluate((list, past) => {
        const group = list.querySelector('section[aria-label="everything"]')!
        list.scrollTop += group.getBoundingClientRect().top - list.getBoundingClientRect().top + past
        const heading = group.querySelector('.list-group')!
        const { left, bottom } = heading.getBoundingClientRect()
        return heading.contains(document.elementFromPoint(left + 20, bottom - 4))
      }, by)
      expect(onTop, `scrolled by ${by}`).toBe(true)
    }

    await page.getByRole('link', { name: /failing/ }).click()
    await afterInput()
    doors.open('refusal')
    await page.getByRole('alert').waitFor()
    await stays('a connection fails')
    await page.getByRole('link', { name: 'Find out why' }).click()
    await page.locator('[data-step="http"]').waitFor()

    await visit.find('wait')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('Waiting for the answer').waitFor()
    await afterInput()
    await jumps()
    doors.open('question')
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByRole('textbox', { name: 'name' }).waitFor()
    await stays('a question comes')
    await dock.getByRole('button', { name: 'Send answer' }).click()
    await dock.waitFor({ state: 'hidden' })
    await afterInput()
    await jumps()
    doors.open('result')
    await page.getByText('line 79').first().waitFor()
    await stays('a result comes')

    await visit.find('text:///long')
    await page.getByText('Waiting for the answer').waitFor()
    await afterInput()
    await jumps()
    doors.open('read')
    await page.getByText('line 79').first().waitFor()
    await stays('a resource comes')
    refusing.closeAllConnections()
    refusing.close()
  })
})
