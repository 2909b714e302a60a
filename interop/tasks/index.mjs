// The tasks, in their order.
import authorization from './authorization.mjs'
import bad from './bad-arguments.mjs'
import big from './big.mjs'
import call from './call.mjs'
import cancel from './cancel.mjs'
import completion from './completion.mjs'
import concurrent from './concurrent.mjs'
import connect from './connect.mjs'
import elicitation from './elicitation.mjs'
import large from './large.mjs'
import lateProgress from './late-progress.mjs'
import listChanged from './list-changed.mjs'
import logging from './logging.mjs'
import lostSession from './lost-session.mjs'
import media from './media.mjs'
import news from './news.mjs'
import progress from './progress.mjs'
import prompts from './prompts.mjs'
import resources from './resources.mjs'
import resume from './resume.mjs'
import roots from './roots.mjs'
import sampling from './sampling.mjs'
import script from './script.mjs'
import structured from './structured.mjs'
import subscribe from './subscribe.mjs'
import task from './task.mjs'
import toolError from './tool-error.mjs'
import tools from './tools.mjs'
import unknown from './unknown.mjs'

/**
 * A task has a `name` (that of its file), a `title` for the table, and `run(context)`. `needs` is the part of the
 * server's description that it uses, or a list of them: without it the server does not offer it. `shows` are requirements of the
 * specification (conformance/requirements) that a pass shows, in the revisions that have them.
 */
export const tasks = [
  connect,
  tools,
  call,
  structured,
  media,
  toolError,
  bad,
  unknown,
  progress,
  lateProgress,
  cancel,
  concurrent,
  big,
  large,
  script,
  resources,
  prompts,
  completion,
  sampling,
  elicitation,
  roots,
  subscribe,
  listChanged,
  news,
  logging,
  resume,
  lostSession,
  task,
  authorization,
]
