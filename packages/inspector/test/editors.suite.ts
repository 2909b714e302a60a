/**
 * Every file of the page in which a person types something that is sent or saved, with the reason why nothing else is sent: the
 * name of a test in editors.browser.test.ts that types something broken there, or a word about a text that cannot be broken.
 */
export const editors: { readonly [file: string]: string } = {
  'form/json-input.tsx': 'arguments of a tool as JSON',
  'form/control.tsx': 'fields of a tool',
  'form/extra-members.tsx': 'any text is a name',
  'parts/completed-input.tsx': 'arguments of a prompt',
  'questions/sampling-question.tsx': 'any text is an answer',
  'questions/model-draft.tsx': 'the backend checks the address, and asks only the model that it names',
  'saved/expectation-editor.tsx': 'what a saved call expects',
  'saved/saved-call-page.tsx': 'what a saved call asks',
  'saved/save-call.tsx': 'any text is a title or a name',
  'saved/file-text.tsx': 'the text of a file with saved calls',
  'servers/add-server.tsx': 'servers in a pasted text',
  'servers/roots-editor.tsx': 'roots of a server',
  'servers/spec-form.tsx': 'settings of a server',
  'servers/server-row.tsx': 'a checkbox',
  'servers/keep-server.tsx': 'a checkbox',
  'saved/run-controls.tsx': 'a checkbox',
  'tools/tool-form.tsx': 'a checkbox',
  'tasks/add-task.tsx': 'any text is an id',
  'palette/palette.tsx': 'searches in the page only',
  'parts/search-box.tsx': 'a query is sent as it is typed, and answered with its problems',
  'parts/open-file.tsx': 'a file is sent as it is',
}
