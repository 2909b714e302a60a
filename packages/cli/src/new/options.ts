import type { OptionTable } from '../line/options.ts'
import { licenses, packageManagers, serverTemplates } from './plan.ts'

/** The options of `tenon new`. */
export const newOptions = {
  template: { type: 'choice', choices: serverTemplates, help: 'The kind of server (stdio)' },
  name: { type: 'text', value: 'name', help: 'The name of the package, if it is not that of the folder' },
  license: { type: 'choice', choices: licenses, help: 'The license (MIT)' },
  author: { type: 'text', value: 'name', help: 'The owner of the copyright (user.name of Git)' },
  'package-manager': { type: 'choice', choices: packageManagers, help: 'The program that installs dependencies (npm)' },
  'no-install': { type: 'flag', help: 'Install nothing' },
  yes: { type: 'flag', short: 'y', help: 'Ask nothing' },
} as const satisfies OptionTable
