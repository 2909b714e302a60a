import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ServerSpec } from '../src/protocol.ts'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { endlessServer, reach, serveSlowly, taskRevisions, ways } from './tasks.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

/** Starts dinner as a task, and opens the page of the task. */
async function startDinner(page: Page, minutesMs: string): Promise<void> {
  await page.getByRole('link', { name: 'Cook dinner' }).click()
  await runDinner(page, minutesMs)
}

/** The same on the page of the tool. */
async function runDinner(page: Page, minutesMs: string): Promise<void> {
  await page.getByRole('textbox', { name: 'minutesMs' }).fill(minutesMs)
  await page.getByRole('checkbox', { name: 'Run as a task' }).check()
  await page.getByRole('button', { name: 'Call tool' }).click()
  // By key: the question may be in front of it.
  await page.getByRole('link', { name: 'Open the task' }).press('Enter')
  await page.getByRole('heading', { name: 'Cook dinner' }).waitFor()
}

const state = (page: Page) => page.getByRole('status', { name: 'State' })

/** The question of the dinner, on the page of its task. */
const question = (page: Page) => page.getByRole('main').getByRole('region', { name: 'everything asks you' })

async function answer(page: Page, taste: string): Promise<void> {
  await question(page).getByRole('combobox', { name: 'spicy' }).selectOption(taste)
  await question(page).getByRole('button', { name: 'Send answer' }).click()
}

const old: ServerSpec = { ...everything, name: 'older', revision: '2025-06-18' }

inBrowser('tasks in the browser', () => {
  describe.each(ways)('%s over %s', (revision, transport) => {
    test('a person runs a tool as a task, answers what it asks where it is, and sees what came of it', async () => {
      await using way = await reach(revision, transport)
      await using visit = await Visit.begin({ servers: [way.spec] })
      const { page } = visit
      await startDinner(page, '50')
      await page.getByRole('region', { name: 'Arguments' }).getByText('minutesMs').waitFor()
      await question(page).waitFor()
      await state(page).getByText('input required').waitFor()
      // It is asked once, and not in the corner too.
      expect(await page.getByRole('button', { name: 'Send answer' }).count()).toBe(1)
      expect(await page.getByRole('navigation', { name: 'Screens' }).getByText('Tasks').textContent()).toBe('Tasks1')
      await answer(page, 'hot')
      await state(page).getByText('completed').waitFor()
      const result = page.getByRole('region', { name: 'Result' })
      await result.getByText('Served: starter, hot main course, dessert').first().waitFor()
      await page.getByRole('region', { name: 'Ended' }).getByRole('link', { name: 'Cook dinner' }).waitFor()
      await page.getByRole('link', { name: 'Messages' }).click()
      await page.getByRole('option').getByText('tasks/get').first().waitFor()
      expect(visit.complaints).toEqual([])
    })
  })

  test.each(taskRevisions)(
    'a task of %s outlives a reload of the page and a reconnect of its server',
    async (revision) => {
      await using way = await reach(revision, 'http')
      await using visit = await Visit.begin({ servers: [way.spec] })
      const { page } = visit
      await startDinner(page, '1')
      await question(page).waitFor()
      await page.reload()
      await question(page).waitFor()
      const address = page.url()
      await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('status').getByText('not connected').waitFor()
      await page.goto(address)
      await page.getByText('Its server is not connected').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
      await visit.find('Tasks Go')
      await page.getByRole('region', { name: 'Running' }).getByRole('link', { name: 'Cook dinner' }).click()
      await answer(page, 'mild')
      await page.getByRole('region', { name: 'Result' }).getByText('mild main course').first().waitFor()
    },
  )

  test('a person cancels a task, takes it off the list, and finds it again in the list of the server', async () => {
    await using visit = await Visit.begin({ servers: [{ ...everything, revision: '2025-11-25' }, old] })
    const { page } = visit
    await visit.goTo('tasks')
    await page.getByRole('region', { name: 'older' }).getByText('older than tasks').waitFor()
    expect(await barriers(page, 'no-tasks')).toEqual([])
    await page.getByRole('region', { name: 'everything' }).getByRole('link', { name: 'Cook dinner' }).click()
    await runDinner(page, '1')
    await question(page).waitFor()
    expect(await barriers(page, 'task-asks')).toEqual([])
    await page.getByRole('button', { name: 'Cancel task' }).click()
    await state(page).getByText('cancelled').waitFor()
    await page.getByRole('region', { name: 'Result' }).getByRole('alert').getByText('was cancelled').waitFor()
    await question(page).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Remove from list' }).click()
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page
      .getByRole('region', { name: 'Ended' })
      .getByRole('link', { name: /^Task / })
      .click()
    await page.getByText('listed by the server').waitFor()
    await page.getByRole('region', { name: 'Result' }).getByRole('alert').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a task is added by its id, and an id that the server does not know is told with what it means', async () => {
    await using way = await reach('2026-07-28', 'http')
    await using first = await Visit.begin({ servers: [way.spec] })
    await startDinner(first.page, '1')
    await question(first.page).waitFor()
    const id = await first.page.locator('.facts .task-id').textContent()
    await using visit = await Visit.begin({ servers: [way.spec] })
    const { page } = visit
    await visit.goTo('tasks')
    await page.getByRole('button', { name: 'Add by id' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a task by its id' })
    await dialog.getByLabel('Task id').fill('nothing-like-this')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('alert').getByText('The server does not know this task').waitFor()
    expect(await barriers(page, 'add-task')).toEqual([])
    await dialog.getByLabel('Task id').fill(id!)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await answer(page, 'medium')
    await page.getByRole('region', { name: 'Result' }).getByText('medium main course').first().waitFor()
    expect(await barriers(page, 'task-result')).toEqual([])
    await first.page.getByRole('region', { name: 'Result' }).getByText('medium main course').first().waitFor()
  })

  test('a task of a program that was started anew is lost, and the page says why', async () => {
    await using visit = await Visit.begin({ servers: [{ ...everything, revision: '2025-11-25' }] })
    const { page } = visit
    await startDinner(page, '1')
    await question(page).waitFor()
    const address = page.url()
    await page.getByRole('main').getByRole('link', { name: 'everything', exact: true }).click()
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await page.goto(address)
    await page.getByRole('alert').getByText('was started anew and has forgotten it').waitFor()
    await page.getByRole('region', { name: 'Lost' }).getByRole('link', { name: 'Cook dinner' }).waitFor()
    expect(await barriers(page, 'task-lost')).toEqual([])
    await page.getByRole('button', { name: 'Remove from list' }).click()
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
    await page.goto(address)
    await page.getByRole('heading', { name: 'This task is not known here' }).waitFor()
    await page.getByRole('button', { name: 'Ask everything for it' }).click()
    await page.getByRole('alert').getByText('The server does not know this task').waitFor()
    expect(await barriers(page, 'task-unknown')).toEqual([])
  })

  test('a task that never ends is marked, and a tool that demands a task says so', async () => {
    await using visit = await Visit.begin({ servers: [endlessServer] })
    const { page } = visit
    await page.getByRole('link', { name: 'wait' }).click()
    const box = page.getByRole('checkbox', { name: 'Run as a task, which this tool demands' })
    expect(await box.isChecked()).toBe(true)
    expect(await box.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('link', { name: 'Open the task' }).click()
    await page.getByText('it may never end').waitFor()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.getByText('Nearly there').first().waitFor()
    await page.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('alert').getByText('Method not found').waitFor()
    expect(await barriers(page, 'task-endless')).toEqual([])
  })

  test('progress of a task is shown', async () => {
    await using mole = await serveSlowly('2025-11-25')
    await using visit = await Visit.begin({ servers: [mole.spec] })
    const { page } = visit
    await page.getByRole('link', { name: 'Dig a hole' }).click()
    await page.getByRole('checkbox', { name: 'Run as a task' }).check()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('link', { name: 'Open the task' }).click()
    await page.getByText('3 of 4 · Deep already').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('3')
    mole.finish()
    await page.getByRole('region', { name: 'Result' }).getByText('A deep hole').first().waitFor()
  })
})
