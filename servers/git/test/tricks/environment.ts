import type { Trick } from '../trick.ts'

/** Variables that name programs, in the environment of the server. */
export const trick: Trick = {
  plant: () => {},
  environment: ({ program }) => ({
    GIT_EXTERNAL_DIFF: program,
    GIT_PAGER: program,
    GIT_EDITOR: program,
    GIT_ASKPASS: program,
    GIT_SSH_COMMAND: program,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: program,
  }),
  originalFalls: true,
}
