import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inBrowser, openPage } from './browser.suite.ts'

inBrowser('npm start', () => {
  test('prints a link to a workbench on two servers, and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-start-'))
    const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
    const env = { ...process.env, XDG_CONFIG_HOME: folder, TENON_TOKENS: 'file' }
    const child = spawn(process.execPath, [script], { env })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await expect.poll(() => printed).toMatch(/http:\S+\?token=\S+\n/)
    const page = await openPage(/http:\S+/.exec(printed)![0])
    await page.getByRole('link', { name: /everything.*connected/ }).waitFor()
    await page.getByRole('link', { name: /filesystem.*connected/ }).waitFor()
    await page.getByRole('region', { name: 'Recent calls' }).getByRole('link', { name: 'Choose a tool' }).click()
    await page.getByRole('link', { name: 'Convert units' }).waitFor()
    await page.getByRole('link', { name: /Read Text File/i }).waitFor()
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
