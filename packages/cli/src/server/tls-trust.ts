import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import type { targetOptions } from './options.ts'
import { sessionMemory } from './session-memory.ts'
import type { ResolvedTarget } from './target.ts'

/** The certificates that are trusted besides or instead of those that Node trusts by itself. */
export interface TlsTrust {
  ca?: string[]
  rejectUnauthorized?: false
}

type Call = CommandCall<typeof targetOptions>

/** The target with the trust of `--ca` and `--insecure`, which its logins get too. */
export async function withTrust(call: Call, resolved: ResolvedTarget): Promise<ResolvedTarget> {
  const { ca: files, insecure } = call.options
  if (files.length === 0 && !insecure) return resolved
  const option = insecure ? '--insecure' : '--ca'
  if (typeof resolved.target !== 'string' || !/^https:/i.test(resolved.target)) {
    throw usage(`${option} is for servers at https: URLs`, 'A program gets NODE_EXTRA_CA_CERTS with --env.')
  }
  const { terminal } = call
  const trust: TlsTrust = {
    ...(files.length > 0 && { ca: await authorities(files, terminal) }),
    ...(insecure && { rejectUnauthorized: false }),
  }
  if (insecure) warnOnce(terminal)
  sessionMemory(terminal.surroundings.output).trust = trust
  const { Agent } = await import('node:https')
  return { ...resolved, trust, options: { ...resolved.options, agent: new Agent({ keepAlive: true, ...trust }) } }
}

function warnOnce(terminal: Terminal): void {
  const { told } = sessionMemory(terminal.surroundings.output)
  if (told.has('--insecure')) return
  told.add('--insecure')
  terminal.warn(
    say`${terminal.notes.yellow('warning:')} --insecure: certificates are not checked, so anybody on the way can read and change everything.`,
  )
}

/** The authorities of the files, and those that Node trusts without the option, which would replace them. */
async function authorities(files: readonly string[], { surroundings }: Terminal): Promise<string[]> {
  const { rootCertificates } = await import('node:tls')
  const { cwd, env } = surroundings
  const given = await Promise.all(files.map((file) => certificatesIn(file, cwd)))
  const extra = env.NODE_EXTRA_CA_CERTS
  // Node warns about such a file that cannot be read, and goes on.
  const added = extra ? await certificatesIn(extra, cwd).catch(() => []) : []
  return [...rootCertificates, ...added, ...given.flat()]
}

const pem = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED )?CERTIFICATE-----/g

async function certificatesIn(file: string, cwd: string): Promise<string[]> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: Error) => {
    throw usage(`--ca: cannot read ${file}: ${error.message}`)
  })
  const found = text.match(pem) ?? []
  if (found.length === 0) {
    throw usage(
      `--ca: ${file} has no certificate`,
      'Expected PEM: a block that begins with -----BEGIN CERTIFICATE-----.',
    )
  }
  // Few commands need it, and loading it takes a while.
  const { X509Certificate } = await import('node:crypto')
  for (const one of found) assertCertificate(() => new X509Certificate(one), file)
  return found
}

function assertCertificate(read: () => unknown, file: string): void {
  try {
    read()
  } catch (error) {
    throw usage(`--ca: ${file} has a certificate that cannot be read: ${(error as Error).message}`)
  }
}
