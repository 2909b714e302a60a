/** All modules for tasks. */
export { cancelRemoteTask } from './cancel-task.ts'
export { TaskPoller } from './polling/task-poller.ts'
export { finishedTask, RunningTask } from './running-task.ts'
export { sendAsTask } from './send-as-task.ts'
