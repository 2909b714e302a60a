export { PostgresTaskStore, type PostgresTaskStoreOptions } from './postgres-task-store.ts'
