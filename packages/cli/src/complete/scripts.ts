/**
 * The completion script of each shell. It calls `tenon __complete` with the whole line and the position of the cursor.
 */
export const completionScripts: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    String.raw`# Completion for tenon: source <(tenon completion bash)
_tenon() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" __complete bash "$COMP_POINT" "$COMP_LINE" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _tenon tenon
`.replaceAll('\\$', '$'),
  ],
  [
    'zsh',
    String.raw`#compdef tenon
# Completion for tenon: tenon completion zsh > ~/.zfunc/_tenon, with ~/.zfunc in fpath
_tenon() {
  local -a found open
  found=("\${(@f)$("\${words[1]}" __complete zsh "$CURSOR" "$BUFFER" 2>/dev/null)}")
  found=(\${found:#})
  (( $#found )) || { _files; return }
  open=(\${(M)found:#*[=/]})
  found=(\${found:#*[=/]})
  (( $#open )) && compadd -S '' -- $open
  (( $#found )) && compadd -- $found
}
if [[ $funcstack[1] == _tenon ]]; then _tenon "$@"; else compdef _tenon tenon; fi
`.replaceAll('\\$', '$'),
  ],
  [
    'fish',
    `# Completion for tenon: tenon completion fish > ~/.config/fish/completions/tenon.fish
function __tenon_complete
  set -l line (commandline --current-process)
  set -l before (commandline --current-process --cut-at-cursor)
  command tenon __complete fish (string length -- "$before") "$line" 2>/dev/null
end
complete --command tenon --no-files --arguments '(__tenon_complete)'
`,
  ],
  [
    'powershell',
    `# Completion for tenon: tenon completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName tenon -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $line = $commandAst.Extent.Text.PadRight($cursorPosition)
  tenon __complete powershell $cursorPosition $line 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
  ],
])
