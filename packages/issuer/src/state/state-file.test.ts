import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Desk } from '../desk.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-issuer-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the file of an issuer', () => {
  test('keeps keys, clients and grants over a restart', async () => {
    const file = join(folder, 'issuer.json')
    const before = new Desk({ file })
    const { clientId, refresh } = await before.tokens()
    const keys = await (await before.send('/jwks')).json()
    const after = new Desk({ file })
    expect(await (await after.send('/jwks')).json()).toEqual(keys)
    const next = await after.refresh(clientId, refresh)
    expect(next.status).toBe(200)
    // The answer is lost together with the process.
    const again = await new Desk({ file }).refresh(clientId, refresh)
    expect([again.status, again.refresh]).toEqual([200, next.refresh])
    const later = new Desk({ file })
    later.time += 10_000
    expect((await later.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    expect((await later.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
  })

  // [sec.deputy.store-consent-securely] [auth.sec.token-storage]
  test('is readable to its user only, and holds no token, code or secret', async () => {
    const file = join(folder, 'issuer.json')
    const desk = new Desk({ file })
    const { access, refresh } = await desk.tokens()
    const { client_secret } = await desk.registration({ token_endpoint_auth_method: 'client_secret_basic' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    for (const secret of [access, ...refresh.split('.'), String(client_secret)]) expect(text).not.toContain(secret)
    expect(await readdir(folder)).toEqual(['issuer.json'])
  })

  test('is written once for all who wait, and has all their changes', async () => {
    const file = join(folder, 'issuer.json')
    const desk = new Desk({ file, rateLimits: false })
    const ids = await Promise.all(Array.from({ length: 20 }, () => desk.register()))
    const kept = JSON.parse(await readFile(file, 'utf8')) as { clients: { id: string }[] }
    expect(kept.clients.map(({ id }) => id).sort()).toEqual([...ids].sort())
  })

  test('that is something else is not overwritten, and not quoted', async () => {
    const file = join(folder, 'issuer.json')
    await writeFile(file, 'something secret')
    const desk = new Desk({ file })
    expect((await desk.send('/jwks')).status).toBe(500)
    expect(String(desk.errors[0])).toContain('is not the file of an issuer')
    expect(String(desk.errors[0])).not.toContain('something secret')
    expect(await readFile(file, 'utf8')).toBe('something secret')
  })
})
