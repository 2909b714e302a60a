import { bytes, milliseconds, path, paths, runProgram, texts, toggle } from '@tenon/server-kit'
import { createGitServerWith } from './git-server.ts'
import { withTops } from './repositories/repository-setting.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-git',
  version,
  summary: 'Git repositories for models. Programs that a repository names never run.',
  positional: { setting: 'repository', placeholder: 'REPOSITORY...' },
  settings: {
    repository: paths('A repository, or a folder of them (repeatable; default: the roots of the client)'),
    allowFetch: toggle('Offer git_fetch'),
    allowPush: toggle('Offer git_push'),
    cloneInto: path('Offer git_clone, for new folders in this one', { placeholder: 'FOLDER' }),
    allowProtocol: texts('Protocol for fetch, push and clone (repeatable; default: https and ssh)', {
      placeholder: 'NAME',
    }),
    maxOutput: bytes('Text per result; the rest is on further pages', { default: 64_000 }),
    timeout: milliseconds('Longest run of git', { default: 30_000 }),
  },
  examples: [
    ['tenon-git ~/projects/site', 'Work in one repository'],
    ['tenon-git --read-only ~/projects', 'Read every repository in a folder'],
  ],
  open(settings) {
    const located = withTops(settings)
    // A missing folder is a mistake of the operator, to be told at the start.
    void located.current
    return createGitServerWith(located)
  },
})
