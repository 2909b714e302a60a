/** Everything that looks after tasks. */
export { cancelTask } from './cancel-task.ts'
export { Follower } from './follower.ts'
export { finishedTask, RunningTask } from './handle.ts'
export { sendAsTask } from './send-as-task.ts'
