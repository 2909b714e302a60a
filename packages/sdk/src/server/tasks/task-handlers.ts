/** Everything that servers need as soon as there is a task. */

export { startTask } from './start-task.ts'
export { tasksOf } from './task-manager.ts'
export {
  answerTasksCancel,
  answerTasksGet,
  answerTasksList,
  answerTasksResult,
  answerTasksUpdate,
} from './task-methods.ts'
