import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inBrowser, openPage } from './browser.suite.ts'

inBrowser('npm start', () => {
  test('prints a link to a workbench on two servers, and leaves nothing behind', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))])
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await expect.poll(() => printed).toMatch(/http:\S+\?token=\S+\n/)
    const page = await openPage(/http:\S+/.exec(printed)![0])
    await page.getByRole('link', { name: /everything.*connected/ }).waitFor()
    await page.getByRole('link', { name: /filesystem.*connected/ }).waitFor()
    await page.getByRole('link', { name: 'Convert units' }).waitFor()
    await page.getByRole('link', { name: /Read Text File/i }).waitFor()
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
