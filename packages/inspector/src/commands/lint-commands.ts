import { type LintSubject, lintMarkdown, type Provider, providers } from '@tenon/host/lint'
import { findingsAbout } from '../lint/lints.ts'
import { type RawParams, readOneOf, readText } from '../read-params.ts'
import type { Handlers, Named } from './command.ts'
import { serverOf } from './server-commands.ts'

const kinds: readonly LintSubject['kind'][] = ['server', 'tool', 'prompt', 'resource', 'template']
const names = Object.keys(providers) as Provider[]

const providersIn = ({ providers: given }: RawParams): Provider[] | undefined =>
  Array.isArray(given) ? given.map((provider) => readOneOf<Provider>({ provider }, 'provider', names)) : undefined

export const lintCommands: Handlers<Named<'lint'>> = {
  'lint.report': async (params, bench) => {
    const all = await bench.lints.report(serverOf(params, bench), providersIn(params))
    const report =
      params.kind === undefined ? all : findingsAbout(all, readOneOf(params, 'kind', kinds), readText(params, 'name'))
    return { report, markdown: lintMarkdown(report) }
  },
  'lint.marks': async (params, bench) => ({ marks: await bench.lints.marks(serverOf(params, bench)) }),
  'lint.seen': async (params, bench) => {
    await bench.lints.seen(serverOf(params, bench))
    return {}
  },
}
