/** The resource of a file at a revision: `git:///REPOSITORY/REVISION/PATH`. */
export const fileTemplate = 'git:///{repository}/{revision}/{+path}'

export const fileUri = (repository: string, revision: string, path: string): string =>
  `git:///${encodeURIComponent(repository)}/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`
