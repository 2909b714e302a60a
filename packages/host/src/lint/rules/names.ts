import { lookAlikesAmong } from '../../catalogue/look-alikes.ts'
import { brief, quoted } from '../brief.ts'
import type { Collector } from '../collector.ts'
import { namesOf, providers } from '../providers.ts'
import { at, type Listed, subjectsOf } from '../subjects.ts'
import type { LintCatalogue } from '../types.ts'

/** Names of the protocol since 2025-11-25. */
const ofProtocol = /^[A-Za-z0-9_.-]{1,128}$/

/** Hosts put the name of the server before that of the tool: `mcp__server__tool`. */
const prefixLength = (server: string): number => `mcp__${server}__`.length
const shortestLimit = 64

export function checkNames(catalogue: LintCatalogue, found: Collector): void {
  const all = subjectsOf(catalogue)
  for (const kind of ['tool', 'prompt', 'resource', 'template'] as const) {
    const listed = all.filter((item) => item.kind === kind)
    checkDuplicates(listed, found)
    if (kind === 'tool' || kind === 'prompt') checkLookAlikes(listed, found)
    if (kind === 'tool') for (const tool of listed) checkToolName(tool, catalogue.server, found)
  }
}

function checkDuplicates(listed: readonly Listed[], found: Collector): void {
  const seen = new Set<string>()
  for (const item of listed) {
    if (seen.has(item.name)) {
      found.add('name-duplicate', {
        subject: at(item),
        message: `Another ${item.kind} is called ${quoted(item.name)} too.`,
        fix: 'Give one of them another name: clients reach only one of the two.',
      })
    }
    seen.add(item.name)
  }
}

function checkLookAlikes(listed: readonly Listed[], found: Collector): void {
  const names = [...new Set(listed.map(({ name }) => name))]
  for (const [name, twin] of lookAlikesAmong(names)) {
    found.add('name-look-alike', {
      subject: at({ kind: listed[0]!.kind, name }),
      message: `${quoted(name)} looks like ${quoted(twin)}.`,
      fix: 'Choose names that people and models cannot confuse.',
    })
  }
}

function checkToolName(tool: Listed, server: string | undefined, found: Collector): void {
  const { name } = tool
  if (!ofProtocol.test(name)) {
    found.add('name-invalid', {
      subject: at(tool, '/name'),
      message: `The protocol allows 1 to 128 letters, digits, "_", "-" and "." in the name of a tool, found ${quoted(name)}.`,
      fix: 'Rename it, for example with "_" for each other character.',
    })
    return
  }
  const refusing = found.providers.filter((provider) => !providers[provider].toolName.test(name))
  found.addFor('name-characters', refusing, {
    subject: at(tool, '/name'),
    message: `${namesOf(refusing)} ${refusing.length === 1 ? 'refuses' : 'refuse'} characters of ${quoted(name)}, so hosts have to rename it.`,
    fix: 'Use letters, digits, "_" and "-", with a letter first.',
  })
  const short = found.providers.filter((provider) => name.length > providers[provider].maxNameLength)
  if (short.length > 0) {
    found.addFor('name-length', short, {
      subject: at(tool, '/name'),
      message: `The name has ${name.length} characters; ${namesOf(short)} take at most ${shortestLimit}.`,
      fix: `Shorten it to at most ${shortestLimit} characters, better 40.`,
    })
  } else if (server !== undefined && name.length + prefixLength(server) > shortestLimit) {
    found.add('name-length', {
      subject: at(tool, '/name'),
      message: `With the name of the server before it (mcp__${brief(server, 40)}__…) the name has ${name.length + prefixLength(server)} characters; some providers take ${shortestLimit}.`,
      fix: 'Shorten the name of the tool or of the server, or hosts cut it off.',
    })
  }
}
