/** What servers need as soon as there is a task. */
export { cancelTask, getTask, listTasks, taskResult, updateTask } from './methods.ts'
export { startTask } from './start-task.ts'
export { tasksOf } from './tasks.ts'
