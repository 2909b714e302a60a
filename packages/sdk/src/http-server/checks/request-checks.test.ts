import { expect, test } from 'vitest'
import { hostsOfAddress, isLoopbackAddress, matchesHost } from '../../http/hosts.ts'
import type { HttpRequest } from '../../http/request.ts'
import { httpSettings } from '../options.ts'
import { readAccept } from './accept.ts'
import { valueExceedsDepth } from './json-body.ts'
import {
  firstRefusal,
  originChecks,
  postChecks,
  type RequestCheck,
  refuseHost,
  refuseLength,
} from './request-checks.ts'

const requestWith = (headers: { [name: string]: string }, onLoopback?: boolean): HttpRequest => ({
  method: 'POST',
  target: { path: '/mcp', query: '' },
  raw: undefined,
  onLoopback,
  header: (name) => headers[name],
  readBody: () => Promise.resolve({ text: '' }),
})
const settings = httpSettings({})

test('each check refuses one thing, with its own status', () => {
  const wrong: [RequestCheck, { [name: string]: string }, number][] = [
    [originChecks[0]!, { host: 'evil' }, 403],
    [originChecks[1]!, { origin: 'https://evil' }, 403],
    [postChecks[0]!, { 'content-type': 'text/plain' }, 415],
    [postChecks[1]!, { 'content-encoding': 'br' }, 415],
    [postChecks[2]!, { accept: 'image/png' }, 406],
    [postChecks[3]!, { 'content-length': '999999999' }, 413],
  ]
  expect(wrong).toHaveLength(originChecks.length + postChecks.length)
  for (const [check, headers, status] of wrong) {
    expect(check(requestWith(headers, true), settings)?.status).toBe(status)
  }
})

test('the first refusal wins', () => {
  const request = requestWith({ 'content-type': 'text/plain', accept: 'image/png' })
  expect(firstRefusal(postChecks, request, settings)?.status).toBe(415)
  const fine = requestWith({ 'content-type': 'application/json' })
  expect(firstRefusal(postChecks, fine, settings)).toBeUndefined()
})

test('the host is checked where the connection ends at a loopback address, or where hosts are named', () => {
  const request = (onLoopback: boolean | undefined): HttpRequest => requestWith({ host: 'mcp.example' }, onLoopback)
  expect(refuseHost(request(true), settings)?.status).toBe(403)
  expect(refuseHost(request(false), settings)).toBeUndefined()
  expect(refuseHost(request(undefined), settings)).toBeUndefined()
  expect(refuseHost(request(true), httpSettings({ allowedHosts: '*' }))).toBeUndefined()
  expect(refuseHost(request(true), httpSettings({ allowedHosts: ['mcp.example'] }))).toBeUndefined()
  expect(refuseHost(request(false), httpSettings({ allowedHosts: ['other.example'] }))?.status).toBe(403)
  expect(refuseHost(requestWith({}), httpSettings({ allowedHosts: ['other.example'] }))?.status).toBe(403)
})

test('a host with a port stands for that port, one without for all', () => {
  expect(matchesHost('a.example:81', ['a.example:80'])).toBe(false)
  expect(matchesHost('a.example:80', ['a.example:80'])).toBe(true)
  expect(matchesHost('a.example:81', ['a.example'])).toBe(true)
  expect(matchesHost('[::1]', ['[::1]'])).toBe(true)
  for (const nonsense of ['', ':80', 'a.example:x', 'a b', 'a.example/', 'a,b', 'a.example:80:80']) {
    expect(matchesHost(nonsense, ['a.example', 'a', 'b'])).toBe(false)
  }
})

test('what an address answers for', () => {
  expect(hostsOfAddress('127.0.0.1')).toEqual(['localhost', '127.0.0.1', '[::1]'])
  expect(hostsOfAddress('::1')).toEqual(['localhost', '127.0.0.1', '[::1]'])
  expect(hostsOfAddress('192.0.2.7')).toContain('192.0.2.7')
  expect(hostsOfAddress('2001:db8::1')).toContain('[2001:db8::1]')
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true)
  expect(['10.0.0.1', '::', undefined, '1127.0.0.1'].some(isLoopbackAddress)).toBe(false)
})

test('a length that is no number is left to whoever reads the body', () => {
  expect(refuseLength(requestWith({ 'content-length': 'many' }), settings)).toBeUndefined()
})

test('Accept', () => {
  expect(readAccept(undefined)).toEqual({ json: true, sse: true })
  expect(readAccept('application/json, text/event-stream')).toEqual({ json: true, sse: true })
  expect(readAccept('text/event-stream;q=0.5 , APPLICATION/JSON')).toEqual({ json: true, sse: true })
  expect(readAccept('text/*')).toEqual({ json: false, sse: true })
  expect(readAccept('application/*;q=0.0, */*;q=0')).toEqual({ json: false, sse: false })
  expect(readAccept('')).toEqual({ json: false, sse: false })
})

test('the depth of a value is counted as that of a text', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
  expect(valueExceedsDepth(nested(64), 64)).toBe(false)
  expect(valueExceedsDepth(nested(65), 64)).toBe(true)
  expect(valueExceedsDepth([[[]]], 3)).toBe(false)
  expect(valueExceedsDepth([[[]]], 2)).toBe(true)
})
