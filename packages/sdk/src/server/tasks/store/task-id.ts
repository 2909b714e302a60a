const pattern = /^[0-9a-f]{40}$/

/** Whether a text could be the id of a task of ours. */
export const isTaskId = (text: string): boolean => pattern.test(text)

/** 160 random bits: nobody guesses an id. */
export function newTaskId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
