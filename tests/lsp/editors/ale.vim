" Drives Vim with ALE without a screen. Writes one JSON object.
set nocompatible hidden
set runtimepath^=/usr/share/vim-ale
filetype plugin on
let g:ale_linters_explicit = 1
let g:ale_lint_delay = 20
let g:ale_hover_to_preview = 0
let g:ale_echo_cursor = 0

function! Root(buffer) abort
  return $ROOT
endfunction

let s:server = json_decode($SERVER)
if !empty($ADDRESS)
  call ale#linter#Define('markdown', {
  \ 'name': 'iaip_dsl', 'lsp': 'socket', 'language': 'markdown', 'project_root': function('Root'),
  \ 'address': $ADDRESS,
  \ })
else
call ale#linter#Define('markdown', {
\ 'name': 'iaip_dsl', 'lsp': 'stdio', 'language': 'markdown', 'project_root': function('Root'),
\ 'executable': s:server[0], 'command': join(map(copy(s:server), 'shellescape(v:val)'), ' '),
\ })
endif
let g:ale_linters = {'markdown': ['iaip_dsl']}
runtime plugin/ale.vim
runtime autoload/ale/util.vim
execute 'edit ' . fnameescape($DOCUMENT)
set filetype=markdown
call ale#Queue(0)
let s:tries = 0
while s:tries < 600 && empty(getloclist(0))
  sleep 50m
  let s:tries += 1
endwhile
let s:told = {'server': 'iaip-dsl'}
let s:told.diagnostics = map(copy(getloclist(0)), {_, it -> printf('%d:%d %s', it.lnum, it.col, it.text)})

call cursor(str2nr($LINE) + 1, str2nr($COLUMN) + 1)
" What is echoed can be read only after the redirection ends, so the answer's arrival is seen by a hook.
let s:shown = ''
function! ale#util#ShowMessage(message, ...) abort
  let s:shown = a:message
endfunction
call ale#hover#ShowAtCursor()
let s:tries = 0
while s:tries < 200 && empty(s:shown)
  sleep 50m
  let s:tries += 1
endwhile
let s:told.hover = s:shown
call ale#definition#GoTo({'open_in': 'current-buffer'})
let s:tries = 0
while s:tries < 200 && expand('%:p') ==# $DOCUMENT
  sleep 50m
  let s:tries += 1
endwhile
let s:told.definition = expand('%:p')
call writefile([json_encode(s:told)], $OUT)
qall!
