import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Authenticate } from '@tenon/sdk/node'
import { Misuse } from './misuse.ts'

const minTokenLength = 16

/**
 * Accepts the bearer tokens of a file: one per line, with an optional name in front that becomes the principal. Empty
 * lines and lines that begin with `#` are skipped.
 */
export function tokensFrom(file: string): Authenticate {
  const owners = new Map(readTokens(file).map(({ token, owner }) => [digest(token), owner]))
  return (request) => {
    const [, token] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(request.header('authorization') ?? '') ?? []
    // Looking up the digest takes the same time however much of a guess is right.
    const principal = token === undefined ? undefined : owners.get(digest(token))
    return principal === undefined
      ? { status: 401, headers: { 'www-authenticate': 'Bearer' }, message: 'Expected a bearer token of this server' }
      : { principal, scopes: [] }
  }
}

function readTokens(file: string): { token: string; owner: string }[] {
  const lines = readLines(file)
  if (lines.length === 0) throw new Misuse(`--token-file: expected one token per line, ${file} has none`)
  return lines.map(({ words, number }) => {
    const token = words.at(-1)!
    if (words.length > 2) throw new Misuse(`${file}, line ${number}: expected "TOKEN" or "NAME TOKEN"`)
    if (token.length < minTokenLength) {
      throw new Misuse(`${file}, line ${number}: expected a token of at least ${minTokenLength} characters`)
    }
    return { token, owner: words.length === 2 ? words[0]! : `token ${digest(token).slice(0, 8)}` }
  })
}

function readLines(file: string): { words: string[]; number: number }[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line, index) => ({ words: line.trim().split(/\s+/), number: index + 1 }))
      .filter(({ words: [first = ''] }) => first !== '' && !first.startsWith('#'))
  } catch (error) {
    throw new Misuse(`--token-file: cannot read ${file}: ${(error as Error).message}`)
  }
}

const digest = (token: string): string => createHash('sha256').update(token).digest('hex')
