/** For the model: how to use the server well. */
export const instructions = `This server shows every feature of the Model Context Protocol in a small, useful form.
Notes written with write_note belong to this connection and are gone when it ends.
Read guide:///welcome for a tour; describe_connection tells what has happened so far.`

/** For people and models: things to try. */
export const welcome = `# Everything

A server to learn from and to test clients against. Nothing here touches your files, your
environment or the network.

| to see | try |
| --- | --- |
| structured output | add, convert_units, text_statistics |
| images and audio | draw_chart, play_tone |
| a view beside the answer | show_color |
| resource links, embedded resources, updates | write_note, search_notes, read_note, delete_note |
| progress, logs, cancellation | count_primes, count_down |
| a task that asks and reports | cook_dinner |
| questions to the user | plan_trip (a form), open_page (a URL) |
| questions to the model | summarize, choose_with_model |
| what the server knows about you | describe_connection, list_roots |
| errors | divide by zero, crash |
| lists that change | toggle_extras |
| another server, mounted with a prefix | clock_now, clock_days_between |
| resource templates with completion | swatch:///{color}{?size}, conversion:///{quantity}/{from}/{to}{?value} |
| prompts with completion | convert, review_note, name_that_color |
`
