const pattern = /^[0-9a-f]{40}$/

/** Whether a text could be the id of a task of ours. */
export const isTaskId = (text: string): boolean => pattern.test(text)

/** Platforms make such ids in stock: far sooner than a few random bytes. Some of their digits are always the same. */
function randomDigits(): string {
  const id = crypto.randomUUID()
  return `${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(24)}`
}

/** 160 random bits: nobody guesses an id. */
export function newTaskId(): string {
  return `${randomDigits()}${randomDigits()}`.slice(0, 40)
}
